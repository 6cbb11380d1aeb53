//! Drawing of lines of text. Letters look the same as in imageproc.

use super::canvas::Canvas;
use super::theme::Ink;
pub use crate::font::Font;

/// Horizontal alignment of a line of text relative to its x coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// x is the left end.
    Left,
    /// x is the middle.
    Center,
    /// x is the right end.
    Right,
}

impl Font {
    /// Draws one line of text. `at` is the x to which `align` refers and the top of the line;
    /// `size` is the height of the line. All are in pixels.
    pub fn draw(
        &self,
        canvas: &mut Canvas,
        at: (i32, i32),
        align: Align,
        size: f64,
        ink: Ink,
        text: &str,
    ) {
        let (x, y) = at;
        let left = match align {
            Align::Left => x,
            Align::Center => x - self.width(text, size) / 2,
            Align::Right => x - self.width(text, size),
        };
        let (surface, glyphs) = canvas.text_parts();
        glyphs.line(self, size as f32, text, |glyph| glyph.draw(surface, (left, y), ink.0));
    }
}
