//! Rows of a picture as runs of zeros, matches and literals.

use super::Span;
use super::bits::{BitString, BitWriter};
use super::huffman::{Code, SYMBOLS, ZeroPart, length_symbol, part, zeros};
use image::RgbImage;

/// The number of the filter Up: each byte less the one above it.
const UP: u8 = 2;

/// The shortest repetition of pixels that is looked for, in bytes.
const LEAST_REPEAT: usize = 6;

/// Where a row is filtered to something else than zeros, in order.
pub(super) fn spans(image: &RgbImage, y: u32) -> Vec<Span> {
    let width = 3 * image.width() as usize;
    let start = y as usize * width;
    let row = &image.as_raw()[start..start + width];
    let black = vec![0; if y == 0 { width } else { 0 }];
    let above = if y == 0 { &black[..] } else { &image.as_raw()[start - width..start] };
    let mut spans: Vec<Span> = Vec::new();
    if row == above {
        return spans;
    }
    for (x, (here, above)) in (0..).zip(row.chunks_exact(3).zip(above.chunks_exact(3))) {
        if here == above {
            continue;
        }
        match spans.last_mut() {
            Some(last) if x <= last.1 + NEAR => last.1 = x + 1,
            _ => spans.push((x, x + 1)),
        }
    }
    spans
}

/// Spans with fewer pixels between them become one.
const NEAR: u32 = 4;

/// Puts all spans of three lists in order and joins those that touch.
#[inline(always)]
pub(super) fn merge(merged: &mut Vec<Span>, lists: [&[Span]; 3]) {
    merged.clear();
    lists.into_iter().for_each(|list| merged.extend_from_slice(list));
    // Short, and nearly in order.
    for i in 1..merged.len() {
        let mut j = i;
        while j > 0 && merged[j - 1].0 > merged[j].0 {
            merged.swap(j - 1, j);
            j -= 1;
        }
    }
    merged.dedup_by(|next, last| {
        let touches = next.0 <= last.1 + NEAR;
        if touches {
            last.1 = last.1.max(next.1);
        }
        touches
    });
}

/// A row of the template, ready to be copied.
pub(super) struct Row {
    pub(super) spans: Vec<Span>,
    pub(super) bits: BitString,
    pub(super) sums: Sums,
}

impl Row {
    pub(super) fn new(template: &RgbImage, y: u32, code: &Code) -> Self {
        let spans = spans(template, y);
        let mut writer = Writer { code, bits: BitWriter::new(Vec::new()) };
        let sums = code_row(template, y, &spans, &mut writer, &mut Vec::new());
        Self { spans, bits: writer.bits.into_string(), sums }
    }
}

/// What takes the parts of a row.
pub(super) trait Sink {
    fn literal(&mut self, byte: u8);
    /// `length` bytes from 3 to 258 that repeat the last three.
    fn repeat_pixel(&mut self, length: usize);
    /// So many zeros.
    fn zeros(&mut self, count: usize);
}

/// Counts symbols.
pub(super) struct Counter {
    pub(super) counts: [u64; SYMBOLS],
}

impl Default for Counter {
    fn default() -> Self {
        Self { counts: [0; SYMBOLS] }
    }
}

impl Sink for Counter {
    fn literal(&mut self, byte: u8) {
        self.counts[usize::from(byte)] += 1;
    }

    fn repeat_pixel(&mut self, length: usize) {
        self.counts[length_symbol(length).0] += 1;
    }

    fn zeros(&mut self, count: usize) {
        zeros(count, |part| match part {
            ZeroPart::Literal => self.literal(0),
            ZeroPart::Match(length) => self.repeat_pixel(length),
        });
    }
}

/// Writes codes.
pub(super) struct Writer<'a> {
    pub(super) code: &'a Code,
    pub(super) bits: BitWriter,
}

impl Sink for Writer<'_> {
    #[inline(always)]
    fn literal(&mut self, byte: u8) {
        self.bits.put(self.code.literals[usize::from(byte)]);
    }

    #[inline(always)]
    fn repeat_pixel(&mut self, length: usize) {
        self.bits.put(self.code.of_pixels[length]);
    }

    #[inline(always)]
    fn zeros(&mut self, count: usize) {
        if let Some(run) = self.code.zeros.get(count) {
            self.bits.put_long(*run);
            return;
        }
        zeros(count, |part| match part {
            ZeroPart::Literal => self.literal(0),
            ZeroPart::Match(length) => self.bits.put(self.code.of_bytes[length]),
        });
    }
}

/// Codes one row. Outside of the spans, which are in order and apart, it must be like the row above. `filtered` is room to work in.
#[inline(always)]
pub(super) fn code_row(
    image: &RgbImage,
    y: u32,
    spans: &[Span],
    sink: &mut impl Sink,
    filtered: &mut Vec<u8>,
) -> Sums {
    let width = 3 * image.width() as usize;
    let row = y as usize * width;
    let raw = image.as_raw();
    let mut sums = Sums::of_filter();
    sink.literal(UP);
    // Zeros that are not coded yet: all before `at`.
    let (mut zeros, mut at) = (0, 0);
    for &(from, to) in spans {
        let (from, to) = (3 * from as usize, 3 * to as usize);
        zeros += from - at;
        at = to;
        let here = &raw[row + from..row + to];
        filtered.clear();
        if y > 0 {
            let above = &raw[row + from - width..row + to - width];
            filtered.extend(here.iter().zip(above).map(|(here, above)| here.wrapping_sub(*above)));
        } else {
            filtered.extend_from_slice(here);
        }
        sums.add_bytes(filtered, 1 + from);
        zeros = code_bytes(filtered, zeros, sink);
    }
    sink.zeros(zeros + width - at);
    sums
}

/// Codes bytes after some zeros, and returns how many zeros are left to code at their end.
#[inline(always)]
fn code_bytes(bytes: &[u8], mut zeros: usize, sink: &mut impl Sink) -> usize {
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        if byte == 0 {
            let run = bytes[i..].iter().take_while(|byte| **byte == 0).count();
            zeros += run;
            i += run;
            continue;
        }
        if zeros > 0 {
            sink.zeros(std::mem::take(&mut zeros));
        }
        if i >= 3 && bytes[i - 3] == byte {
            let repeated = repeat(bytes, i);
            if repeated >= LEAST_REPEAT {
                code_repeat(repeated, sink);
                i += repeated;
                continue;
            }
        }
        sink.literal(byte);
        i += 1;
    }
    zeros
}

fn code_repeat(mut left: usize, sink: &mut impl Sink) {
    while left > 0 {
        let length = part(left);
        sink.repeat_pixel(length);
        left -= length;
    }
}

/// How many bytes from `i` on are those three before them. Zeros at the end are left to the run that follows, so that it makes no
/// difference where spans end.
fn repeat(bytes: &[u8], i: usize) -> usize {
    let pairs = bytes[i..].iter().zip(&bytes[i - 3..]);
    let equal = pairs.take_while(|(byte, before)| byte == before).count();
    let zeros = bytes[i..i + equal].iter().rev().take_while(|byte| **byte == 0).count();
    equal - zeros
}

/// What bytes add to the two sums of Adler-32: Σ d and Σ j d, j being the place of a byte.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    plain: u64,
    by_place: u64,
}

impl Sums {
    /// Of the filter's number, at place 0.
    fn of_filter() -> Self {
        Self { plain: UP.into(), by_place: 0 }
    }

    #[inline(always)]
    fn add_bytes(&mut self, bytes: &[u8], place: usize) {
        // Blocks whose sums fit into 32 bits.
        for (index, block) in bytes.chunks(2048).enumerate() {
            let (mut plain, mut by_place) = (0_u32, 0_u32);
            for (j, &byte) in (0_u32..).zip(block) {
                plain += u32::from(byte);
                by_place += j * u32::from(byte);
            }
            let first = (place + 2048 * index) as u64;
            self.plain += u64::from(plain);
            self.by_place += first * u64::from(plain) + u64::from(by_place);
        }
    }

    /// Adds the sums of a row. `left` bytes follow from its first one to the end of the picture; a byte counts in the second sum once for each byte
    /// from itself to the end.
    #[inline(always)]
    pub(super) fn add(&mut self, row: Self, left: u64) {
        self.plain += row.plain;
        self.by_place += left * row.plain - row.by_place;
    }

    /// The checksum of a picture of so many bytes whose rows were added.
    pub(super) fn adler(self, total: u64) -> u32 {
        let first = (1 + self.plain) % 65521;
        let second = (total + self.by_place) % 65521;
        (second << 16 | first) as u32
    }
}
