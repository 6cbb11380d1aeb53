//! Bands of a picture: consecutive rows that one thread changes, while other threads change others.

use image::RgbImage;
use std::ops::Range;

/// Consecutive rows of a surface.
pub(super) struct Band<'a> {
    /// First row.
    pub(super) top: usize,
    /// Width of the picture in pixels.
    pub(super) width: usize,
    pub(super) pixels: &'a mut [u8],
    /// Changed spans of each row.
    pub(super) changes: &'a mut [Vec<Span>],
    /// Rows that have not been copied from the backdrop yet.
    pub(super) missing: &'a mut [bool],
    pub(super) backdrop: Option<&'a RgbImage>,
}

impl Band<'_> {
    /// Current pixels of a span of a row of the picture.
    pub(super) fn pixels(&mut self, y: u32, (from, to): Span) -> &mut [[u8; 3]] {
        self.fetch();
        let start = (y as usize - self.top) * self.width;
        let bytes = &mut self.pixels[3 * (start + from as usize)..3 * (start + to as usize)];
        bytes.as_chunks_mut::<3>().0
    }

    /// Writes pixels into a span of a row of the picture. Only pixels that differ count as changed.
    pub(super) fn put(&mut self, y: u32, (from, to): Span, pixels: &[[u8; 3]]) {
        let there = self.pixels(y, (from, to));
        let Some(differ) = difference(there, pixels) else { return };
        there[differ.clone()].copy_from_slice(&pixels[differ.clone()]);
        let spans = &mut self.changes[y as usize - self.top];
        add_span(spans, from + differ.start as u32, from + differ.end as u32);
    }

    /// Copies the rows that have not been copied yet.
    fn fetch(&mut self) {
        let Some(backdrop) = self.backdrop else { return };
        let bytes = 3 * self.width;
        for (row, missing) in self.missing.iter_mut().enumerate() {
            if std::mem::take(missing) {
                let there = (self.top + row) * bytes;
                self.pixels[row * bytes..(row + 1) * bytes]
                    .copy_from_slice(&backdrop.as_raw()[there..there + bytes]);
            }
        }
    }
}

/// Columns of a row: the first, and one past the last.
pub type Span = (u32, u32);

/// Maximum gap in pixels between spans that are merged. A few unchanged pixels cost less than a
/// span.
const NEAR: u32 = 8;

/// Adds a span to the changed spans of a row.
#[inline]
pub(super) fn add_span(spans: &mut Vec<Span>, from: u32, to: u32) {
    // A change is usually close to the previous change of its row.
    if let Some(last) = spans.last_mut()
        && from <= last.1 + NEAR
        && to + NEAR >= last.0
    {
        *last = (last.0.min(from), last.1.max(to));
        return;
    }
    spans.push((from, to));
}

/// Range from the first to the last pixel that differs. `None` if all pixels are equal.
#[inline]
pub(super) fn difference(a: &[[u8; 3]], b: &[[u8; 3]]) -> Option<Range<usize>> {
    let first = a.iter().zip(b).position(|(a, b)| a != b)?;
    let last = a.iter().zip(b).rposition(|(a, b)| a != b).unwrap_or(first);
    Some(first..last + 1)
}
