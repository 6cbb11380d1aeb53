//! Translucent bodies: a body is drawn opaque, and the pixels that it changes are then mixed with
//! their previous colours.
//!
//! Opacity therefore applies once per pixel, however often the body covers it: a rope is not darker
//! where it crosses itself. Antialiased edges keep their coverage.

use super::canvas::Canvas;
use super::rect::Rect;
use crate::theme::mixed;

/// Pixels of a rectangle of a picture, row by row.
pub struct Pixels {
    rect: Rect,
    rows: Vec<Vec<[u8; 3]>>,
}

impl Pixels {
    /// Copies the pixels of a rectangle.
    pub fn of(canvas: &mut Canvas, rect: Rect) -> Self {
        let rect = rect.intersect(canvas.all());
        let copied = |y: i32| {
            let mut row = Vec::new();
            canvas.copy_row([rect.x, y], rect.w.max(0), &mut row);
            row
        };
        Self { rect, rows: (rect.y..rect.y + rect.h.max(0)).map(copied).collect() }
    }

    /// Writes the pixels back.
    pub fn put(&self, canvas: &mut Canvas) {
        for (y, row) in (self.rect.y..).zip(&self.rows) {
            canvas.put_row([self.rect.x, y], row);
        }
    }

    /// Mixes in the pixels of `drawn` that differ from `base`, with an opacity.
    pub fn mix_changes(&mut self, base: &Self, drawn: &Self, alpha: u8) {
        let rows = self.rows.iter_mut().zip(base.rows.iter().zip(&drawn.rows));
        for (row, (base, drawn)) in rows.filter(|(_, (base, drawn))| base != drawn) {
            let pixels = row.iter_mut().zip(base.iter().zip(drawn));
            for (pixel, (_, drawn)) in pixels.filter(|(_, (base, drawn))| base != drawn) {
                *pixel = mixed(*pixel, *drawn, alpha);
            }
        }
    }
}

/// Draws with an opacity inside a rectangle. An opacity of 255 draws directly.
pub fn translucent(canvas: &mut Canvas, clip: Rect, alpha: u8, draw: impl FnOnce(&mut Canvas)) {
    if alpha == u8::MAX {
        return draw(canvas);
    }
    let before = Pixels::of(canvas, clip);
    draw(canvas);
    let drawn = Pixels::of(canvas, clip);
    let mut all = Pixels { rect: before.rect, rows: before.rows.clone() };
    all.mix_changes(&before, &drawn, alpha);
    all.put(canvas);
}
