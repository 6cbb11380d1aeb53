//! A picture that can be changed and restored to its backdrop. The picture tracks the pixels that
//! differ from the backdrop.

use crate::band::{Band, Span, add_span, difference};
use image::{Rgb, RgbImage};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// A picture that starts as its backdrop and tracks changed pixels.
///
/// A row is copied from the backdrop when it or an adjacent row is first changed. This speeds up
/// the first picture of a thread, because most of its memory is never allocated.
pub(super) struct Surface {
    image: RgbImage,
    backdrop: Option<Arc<RgbImage>>,
    /// Rows that have not been copied yet, and their number.
    missing: (Vec<bool>, usize),
    changes: Changes,
}

impl Surface {
    /// Surface with this image and no backdrop.
    pub(super) fn new(image: RgbImage) -> Self {
        let changes = Changes::none(image.height());
        let missing = (vec![false; image.height() as usize], 0);
        Self { image, backdrop: None, missing, changes }
    }

    /// Surface with this backdrop.
    pub(super) fn on(backdrop: Arc<RgbImage>) -> Self {
        let (width, height) = backdrop.dimensions();
        let missing = (vec![true; height as usize], height as usize);
        let backdrop = Some(backdrop);
        Self { backdrop, missing, ..Self::new(RgbImage::new(width, height)) }
    }

    /// Width and height in pixels.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.image.width(), self.image.height()]
    }

    /// Pixels of a span that the caller is about to change, three bytes each.
    #[inline]
    pub(super) fn change(&mut self, y: u32, (from, to): Span) -> &mut [u8] {
        self.changes.add(y, from, to);
        if self.missing.1 > 0 {
            self.fetch(y.saturating_sub(1)..y + 2);
        }
        let start = y as usize * self.image.width() as usize;
        let raw: &mut [u8] = &mut self.image;
        &mut raw[3 * (start + from as usize)..3 * (start + to as usize)]
    }

    /// Current pixels of a span.
    pub(super) fn pixels(&mut self, y: u32, (from, to): Span) -> &[[u8; 3]] {
        if self.missing.1 > 0 {
            self.fetch(y.saturating_sub(1)..y + 2);
        }
        let start = y as usize * self.image.width() as usize;
        let raw = self.image.as_raw();
        raw[3 * (start + from as usize)..3 * (start + to as usize)].as_chunks::<3>().0
    }

    /// Writes pixels into a span. Only pixels that differ count as changed.
    pub(super) fn put(&mut self, y: u32, (from, to): Span, pixels: &[[u8; 3]]) {
        let Some(differ) = difference(self.pixels(y, (from, to)), pixels) else { return };
        let span = (from + differ.start as u32, from + differ.end as u32);
        self.change(y, span).copy_from_slice(pixels[differ].as_flattened());
    }

    /// Calls `draw` with the index of each band of `height` rows, and with the band, on all
    /// threads. The last band may have fewer rows.
    pub(super) fn draw_bands(
        &mut self,
        rows: Range<u32>,
        height: usize,
        draw: impl Fn(usize, &mut Band<'_>) + Sync,
    ) {
        let (width, backdrop) = (self.image.width() as usize, self.backdrop.as_deref());
        let Range { start, end } = rows.start as usize..rows.end as usize;
        let raw: &mut [u8] = &mut self.image;
        let pixels = raw[3 * width * start..3 * width * end].par_chunks_mut(3 * width * height);
        let changes = self.changes.rows[start..end].par_chunks_mut(height);
        let missing = self.missing.0[start..end].par_chunks_mut(height);
        let bands = pixels.zip(changes).zip(missing).enumerate();
        bands.for_each(|(index, ((pixels, changes), missing))| {
            let top = start + index * height;
            draw(index, &mut Band { top, width, pixels, changes, missing, backdrop });
        });
        if self.missing.1 == 0 {
            return;
        }
        self.missing.1 = self.missing.0.iter().filter(|missing| **missing).count();
        // A band that was drawn into has all of its rows, so its neighbours are needed.
        for edge in (start..end).step_by(height).chain([end]).filter(|edge| *edge > 0) {
            let near = &self.missing.0[edge - 1..self.missing.0.len().min(edge + 1)];
            if near.contains(&false) {
                self.fetch(edge as u32 - 1..edge as u32 + 1);
            }
        }
    }

    /// Copies the rows that have not been copied yet.
    fn fetch(&mut self, rows: Range<u32>) {
        let (Some(backdrop), (missing, left)) = (&self.backdrop, &mut self.missing) else { return };
        let bytes = 3 * self.image.width() as usize;
        let raw: &mut [u8] = &mut self.image;
        for y in rows.start as usize..missing.len().min(rows.end as usize) {
            if std::mem::take(&mut missing[y]) {
                *left -= 1;
                let row = y * bytes..(y + 1) * bytes;
                raw[row.clone()].copy_from_slice(&backdrop.as_raw()[row]);
            }
        }
    }

    /// Restores all changed pixels from the backdrop. Without a backdrop, only clears the list of
    /// changes.
    pub(super) fn restore(&mut self) {
        let width = self.image.width() as usize;
        let raw: &mut [u8] = &mut self.image;
        let backdrop = self.backdrop.as_deref();
        self.changes.drain(|y, (from, to)| {
            if let Some(backdrop) = backdrop {
                let bytes = 3 * (y * width + from as usize)..3 * (y * width + to as usize);
                raw[bytes.clone()].copy_from_slice(&backdrop.as_raw()[bytes]);
            }
        });
    }

    /// The whole picture, with all rows copied.
    pub(super) fn whole(&mut self) -> &RgbImage {
        if self.missing.1 > 0 {
            self.fetch(0..self.image.height());
        }
        &self.image
    }

    /// The picture, which is valid only in changed rows and their neighbours; other rows may be
    /// black.
    pub(super) fn near_changes(&self) -> &RgbImage {
        &self.image
    }

    pub(super) fn changes(&self) -> &Changes {
        &self.changes
    }

    pub(super) fn into_image(mut self) -> RgbImage {
        self.whole();
        self.image
    }
}

/// Allows imageproc to draw rectangles.
impl imageproc::drawing::Canvas for Surface {
    type Pixel = Rgb<u8>;

    fn dimensions(&self) -> (u32, u32) {
        self.image.dimensions()
    }

    fn get_pixel(&self, x: u32, y: u32) -> Rgb<u8> {
        let is_missing = self.missing.0.get(y as usize).is_some_and(|missing| *missing);
        let backdrop = self.backdrop.as_deref().filter(|_| is_missing);
        *backdrop.unwrap_or(&self.image).get_pixel(x, y)
    }

    fn draw_pixel(&mut self, x: u32, y: u32, color: Rgb<u8>) {
        self.change(y, (x, x + 1)).copy_from_slice(&color.0);
    }
}

/// Changed spans of every row.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    rows: Vec<Vec<Span>>,
}

impl Changes {
    /// No changes, in a picture with this number of rows.
    pub fn none(rows: u32) -> Self {
        Self { rows: vec![Vec::new(); rows as usize] }
    }

    /// Adds the pixels from `from` up to but excluding `to`.
    #[inline]
    pub fn add(&mut self, y: u32, from: u32, to: u32) {
        add_span(&mut self.rows[y as usize], from, to);
    }

    /// Spans of each row, in any order; they may overlap.
    pub fn rows(&self) -> &[Vec<Span>] {
        &self.rows
    }

    /// Passes every span to `visit` and removes it.
    pub fn drain(&mut self, mut visit: impl FnMut(usize, Span)) {
        for (y, spans) in self.rows.iter_mut().enumerate() {
            spans.drain(..).for_each(|span| visit(y, span));
        }
    }
}
