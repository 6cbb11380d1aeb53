//! Rows of a picture, encoded as runs of zeros, repeated pixels and literals, with their checksums.

use super::{
    bits::{BitString, BitWriter},
    huffman::{HuffmanCode, SYMBOLS, ZeroRunPart, length_symbol, next_match, split_zeros},
};
use image::RgbImage;
use rayon::prelude::*;
use std::ops::AddAssign;

/// Number of the filter Up: each byte minus the one above it.
pub(super) const UP: u8 = 2;

/// Minimum gap between separate spans, in pixels. A run of zeros is at least two pixels, so the
/// code of a span does not depend on other spans.
const NEAR: u32 = 4;

/// Number of rows that a thread counts at a time.
const ROWS: usize = 32;

/// Spans of a row that the filter does not turn into zeros, in order.
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
            Some(last) if x < last.1 + NEAR => last.1 = x + 1,
            _ => spans.push((x, x + 1)),
        }
    }
    spans
}

/// Changes in the row above, and changes in the row itself.
#[inline(always)]
pub(super) fn changes_near(changes: &[Vec<Span>], y: usize) -> [&[Span]; 2] {
    [if y > 0 { &changes[y - 1] } else { &[] }, &changes[y]]
}

/// Stretch of a row that the filter may leave nonzero.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'a> {
    span: Span,
    /// Encoded bits of the template's stretch, if nothing near it changed.
    known: Option<&'a TemplatePart>,
}

impl Stretch<'_> {
    fn unknown(span: Span) -> Self {
        Self { span, known: None }
    }
}

/// Fills `all` with the stretches of a row, in order and disjoint: the stretches of the template,
/// and the changes in and above the row.
#[inline(always)]
pub(super) fn fill_stretches<'a>(
    all: &mut Vec<Stretch<'a>>,
    template: &'a [TemplatePart],
    changes: [&[Span]; 2],
) {
    all.clear();
    all.extend(template.iter().map(|part| Stretch { span: part.span, known: Some(part) }));
    all.extend(changes.into_iter().flatten().map(|span| Stretch::unknown(*span)));
    // Insertion sort: the list is short and nearly sorted.
    for i in 1..all.len() {
        let mut j = i;
        while j > 0 && all[j - 1].span.0 > all[j].span.0 {
            all.swap(j - 1, j);
            j -= 1;
        }
    }
    all.dedup_by(|next, last| {
        let touches = next.span.0 < last.span.1 + NEAR;
        if touches {
            last.span.1 = last.span.1.max(next.span.1);
            last.known = None;
        }
        touches
    });
}

/// Encoded row of the template.
pub(super) struct TemplateRow {
    /// Bits of the whole row.
    pub(super) bits: BitString,
    pub(super) sums: AdlerSums,
    pub(super) parts: Vec<TemplatePart>,
}

/// Encoded stretch of the template. Its first and last pixels are not zero.
pub(super) struct TemplatePart {
    span: Span,
    bits: BitString,
    sums: AdlerSums,
}

impl TemplateRow {
    /// Encodes row `y` of the template. `known` holds the spans that the filter does not turn into
    /// zeros.
    pub(super) fn new(template: &RgbImage, y: u32, known: &[Span], code: &HuffmanCode) -> Self {
        let (mut filtered, mut all) = (Vec::new(), Vec::new());
        let mut part = |span: Span| {
            let mut writer = RowWriter { code, bits: BitWriter::new(Vec::new()) };
            let sums = filter(template, y, span, &mut filtered);
            code_pixels(&filtered, 0, &mut writer);
            TemplatePart { span, bits: writer.bits.into_string(), sums }
        };
        let parts: Vec<TemplatePart> = known.iter().copied().map(&mut part).collect();
        fill_stretches(&mut all, &parts, [&[], &[]]);
        let mut writer = RowWriter { code, bits: BitWriter::new(Vec::new()) };
        let sums = code_row(template, y, &all, &mut writer, &mut filtered);
        Self { bits: writer.bits.into_string(), sums, parts }
    }
}

/// Receiver of the parts of a row: it counts symbols or writes codes.
pub(super) trait RowSink {
    fn push_literal(&mut self, byte: u8);
    /// Receives a pixel of three bytes; the first byte is the lowest.
    fn push_pixel(&mut self, pixel: u32);
    /// Receives `length` bytes, 3 to 258, that repeat the last pixel.
    fn push_repeat(&mut self, length: usize);
    /// Receives a run of zero pixels.
    fn push_zeros(&mut self, pixels: usize);
    /// Receives a stretch of the template.
    fn push_known(&mut self, part: &TemplatePart);
}

/// Sink that counts symbols.
pub(super) struct SymbolCounter {
    pub(super) counts: [u64; SYMBOLS],
}

impl Default for SymbolCounter {
    fn default() -> Self {
        Self { counts: [0; SYMBOLS] }
    }
}

impl SymbolCounter {
    /// Counts the symbols of a picture. `known` holds the spans of each template row that the
    /// filter does not turn into zeros.
    pub(super) fn of(template: &RgbImage, known: &[Vec<Span>], picture: Changed<'_>) -> Self {
        let (image, changes) = picture;
        let count = |(first, part): (usize, &[Vec<Span>])| {
            let (mut counter, mut filtered) = (Self::default(), Vec::new());
            for (y, known) in (ROWS * first..).zip(part) {
                let is_changed = changes_near(changes, y).iter().any(|spans| !spans.is_empty());
                let (from, y) = (if is_changed { image } else { template }, y as u32);
                let own = if is_changed { &spans(image, y) } else { known };
                let all: Vec<_> = own.iter().copied().map(Stretch::unknown).collect();
                code_row(from, y, &all, &mut counter, &mut filtered);
            }
            counter
        };
        let parts = known.par_chunks(ROWS).enumerate().map(count);
        parts.reduce(Self::default, |mut all, part| {
            all.counts.iter_mut().zip(part.counts).for_each(|(sum, count)| *sum += count);
            all
        })
    }
}

impl RowSink for SymbolCounter {
    fn push_literal(&mut self, byte: u8) {
        self.counts[usize::from(byte)] += 1;
    }

    fn push_pixel(&mut self, pixel: u32) {
        pixel.to_le_bytes()[..3].iter().for_each(|byte| self.push_literal(*byte));
    }

    fn push_repeat(&mut self, length: usize) {
        self.counts[length_symbol(length).0] += 1;
    }

    fn push_zeros(&mut self, pixels: usize) {
        split_zeros(3 * pixels, |part| match part {
            ZeroRunPart::Literal => self.push_literal(0),
            ZeroRunPart::Match(length) => self.push_repeat(length),
        });
    }

    /// Does nothing: never called, since pictures are counted before any stretch is encoded.
    fn push_known(&mut self, _part: &TemplatePart) {}
}

/// Sink that writes codes.
pub(super) struct RowWriter<'a> {
    pub(super) code: &'a HuffmanCode,
    pub(super) bits: BitWriter,
}

impl RowSink for RowWriter<'_> {
    #[inline(always)]
    fn push_literal(&mut self, byte: u8) {
        self.bits.put(self.code.literals[usize::from(byte)]);
    }

    #[inline(always)]
    fn push_pixel(&mut self, pixel: u32) {
        let [r, g, b, _] = pixel.to_le_bytes().map(|byte| self.code.literals[usize::from(byte)]);
        // Three codes of at most 15 bits fit into one call.
        self.bits.put(r.then(g).then(b));
    }

    #[inline(always)]
    fn push_repeat(&mut self, length: usize) {
        self.bits.put(self.code.of_pixels[length]);
    }

    #[inline(always)]
    fn push_zeros(&mut self, pixels: usize) {
        if let Some(run) = self.code.zeros.get(pixels) {
            self.bits.put_long(*run);
            return;
        }
        split_zeros(3 * pixels, |part| match part {
            ZeroRunPart::Literal => self.push_literal(0),
            ZeroRunPart::Match(length) => self.bits.put(self.code.of_bytes[length]),
        });
    }

    #[inline(always)]
    fn push_known(&mut self, part: &TemplatePart) {
        self.bits.append(&part.bits);
    }
}

/// Encodes one row, which must equal the row above outside of the stretches. Stretches must be in
/// order and disjoint. `filtered` is a scratch buffer.
#[inline(always)]
pub(super) fn code_row(
    image: &RgbImage,
    y: u32,
    stretches: &[Stretch<'_>],
    sink: &mut impl RowSink,
    filtered: &mut Vec<u8>,
) -> AdlerSums {
    let mut sums = AdlerSums::of_filter(UP);
    sink.push_literal(UP);
    // Zero pixels before `at` that are not encoded yet.
    let (mut zeros, mut at) = (0, 0);
    for &Stretch { span: (from, to), known } in stretches {
        zeros += (from - at) as usize;
        at = to;
        if let Some(part) = known {
            if zeros > 0 {
                sink.push_zeros(std::mem::take(&mut zeros));
            }
            sink.push_known(part);
            sums += part.sums;
        } else {
            sums += filter(image, y, (from, to), filtered);
            zeros = code_pixels(filtered, zeros, sink);
        }
    }
    sink.push_zeros(zeros + (image.width() - at) as usize);
    sums
}

/// Fills `filtered` with a span of a row minus the row above, and one extra byte. Returns the sums
/// of the span.
#[inline(always)]
fn filter(image: &RgbImage, y: u32, span: Span, filtered: &mut Vec<u8>) -> AdlerSums {
    let (from, to) = span;
    let width = 3 * image.width() as usize;
    let (from, to) = (3 * from as usize, 3 * to as usize);
    let row = y as usize * width;
    let here = &image.as_raw()[row + from..row + to];
    filtered.clear();
    if y > 0 {
        let above = &image.as_raw()[row + from - width..row + to - width];
        filtered.extend(here.iter().zip(above).map(|(here, above)| here.wrapping_sub(*above)));
    } else {
        filtered.extend_from_slice(here);
    }
    let sums = AdlerSums::of(filtered, 1 + from);
    // `code_pixels` reads four bytes per pixel, so one extra byte is needed.
    filtered.push(0);
    sums
}

/// Encodes filtered pixels after `zeros` pending zero pixels. `bytes` ends with one extra byte.
/// Returns the number of zero pixels at the end that are not encoded yet. A single zero pixel is
/// encoded like any other; two or more are a run.
#[inline(always)]
fn code_pixels(bytes: &[u8], mut zeros: usize, sink: &mut impl RowSink) -> usize {
    let pixel = |i: usize| {
        let word = bytes.get(3 * i..3 * i + 4)?.first_chunk()?;
        Some(u32::from_le_bytes(*word) & 0xff_ffff)
    };
    let mut i = 0;
    loop {
        // Zero pixels.
        let mut next = loop {
            match pixel(i) {
                None => return zeros,
                Some(0) => zeros += 1,
                Some(other) => break other,
            }
            i += 1;
        };
        if zeros > 0 {
            sink.push_zeros(std::mem::take(&mut zeros));
        }
        // Other pixels; `next` is the one at `i`.
        let mut before = 0;
        loop {
            let after = pixel(i + 1);
            if next == 0 && after.unwrap_or(0) == 0 {
                break;
            }
            if next == before && after == Some(next) {
                let count = 2 + (i + 2..).take_while(|&j| pixel(j) == Some(before)).count();
                code_repeat(3 * count, sink);
                i += count;
            } else {
                sink.push_pixel(next);
                before = next;
                i += 1;
            }
            match pixel(i) {
                None => return zeros,
                Some(pixel) => next = pixel,
            }
        }
    }
}

fn code_repeat(mut left: usize, sink: &mut impl RowSink) {
    while left > 0 {
        let length = next_match(left);
        sink.push_repeat(length);
        left -= length;
    }
}

/// Range of pixels in a row: the first, and one past the last.
pub type Span = (u32, u32);

/// Picture, with the spans of each row that differ from the template, in any order. A span may
/// include equal pixels. The encoder reads the rows that differ, the rows below them, and the row
/// above each row that it reads.
pub type Changed<'a> = (&'a RgbImage, &'a [Vec<Span>]);

/// Largest prime below 2¹⁶.
const MODULUS: u64 = 65521;

/// Contribution of bytes to the two sums of Adler-32: Σ d and Σ j d, where j is the position of a
/// byte in its row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AdlerSums {
    plain: u64,
    by_place: u64,
}

impl AddAssign for AdlerSums {
    fn add_assign(&mut self, other: Self) {
        self.plain += other.plain;
        self.by_place += other.by_place;
    }
}

impl AdlerSums {
    /// Sums of a filter's number, at position 0.
    fn of_filter(number: u8) -> Self {
        Self { plain: number.into(), by_place: 0 }
    }

    /// Sums of bytes, the first of them at position `place`.
    #[inline(always)]
    pub(super) fn of(bytes: &[u8], place: usize) -> Self {
        let mut sums = Self::default();
        // The sums of a block fit into 32 bits.
        for (index, block) in bytes.chunks(2048).enumerate() {
            let (mut plain, mut by_place) = (0_u32, 0_u32);
            for (j, &byte) in (0_u32..).zip(block) {
                plain += u32::from(byte);
                by_place += j * u32::from(byte);
            }
            let first = (place + 2048 * index) as u64;
            sums.plain += u64::from(plain);
            sums.by_place += first * u64::from(plain) + u64::from(by_place);
        }
        sums
    }

    /// Adds the sums of a row. `left` is the number of bytes from its first byte to the end of the
    /// picture. A byte counts in the second sum once per byte from itself to the end.
    #[inline(always)]
    pub(super) fn add(&mut self, row: Self, left: u64) {
        self.plain += row.plain;
        // Reduced here, since the sum of a large picture exceeds 64 bits.
        self.by_place = (self.by_place + left * row.plain - row.by_place) % MODULUS;
    }

    /// Checksum of a picture of `total` bytes, after all rows were added.
    pub(super) fn adler(self, total: u64) -> u32 {
        let first = (1 + self.plain) % MODULUS;
        let second = (total + self.by_place) % MODULUS;
        (second << 16 | first) as u32
    }
}
