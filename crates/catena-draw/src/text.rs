//! Drawing of lines of text, with the same letters as imageproc.

pub use super::font::Font;

use super::canvas::Canvas;
use super::theme::Ink;

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
    /// Draws one line. `y` is the top of the line and `size` its height, in pixels.
    pub fn draw(
        &self,
        canvas: &mut Canvas,
        (x, y): (i32, i32),
        align: Align,
        size: f64,
        ink: Ink,
        text: &str,
    ) {
        let left = match align {
            Align::Left => x,
            Align::Center => x - self.width(text, size) / 2,
            Align::Right => x - self.width(text, size),
        };
        let (surface, glyphs) = canvas.text_parts();
        glyphs.line(self, size as f32, text, |glyph| glyph.draw(surface, (left, y), ink.0));
    }
}
