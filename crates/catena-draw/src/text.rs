//! Draws lines of text, whose letters look as imageproc draws them.

pub use super::font::Font;

use super::canvas::Canvas;
use super::theme::Ink;

/// Where a line of text is attached to its x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// x is its left end.
    Left,
    /// x is its middle.
    Center,
    /// x is its right end.
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
