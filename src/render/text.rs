//! Text in the Hack typeface, which is part of the program.

use super::theme::Ink;
use ab_glyph::FontRef;
use image::RgbImage;
use imageproc::drawing::{draw_text_mut, text_size};

/// A typeface.
pub struct Font(FontRef<'static>);

/// The typeface that came with the program cannot be read, which only a broken build can cause.
#[derive(Debug, thiserror::Error)]
#[error("the built-in typeface cannot be read")]
pub struct BrokenFont;

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
    /// The built-in typeface.
    ///
    /// # Errors
    /// Never in a sound build.
    pub fn built_in() -> Result<Self, BrokenFont> {
        let bytes = epaint_default_fonts::HACK_REGULAR;
        FontRef::try_from_slice(bytes).map(Self).map_err(|_| BrokenFont)
    }

    /// Width of a line in pixels; `size` is the height of a line.
    pub fn width(&self, text: &str, size: f64) -> i32 {
        text_size(size as f32, &self.0, text).0 as i32
    }

    /// Draws one line. `y` is the top of the line.
    pub fn draw(
        &self,
        image: &mut RgbImage,
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
        draw_text_mut(image, ink, left, y, size as f32, &self.0, text);
    }

    /// The text, or as much of its beginning as fits into `width` pixels, ending in an ellipsis.
    pub fn fit(&self, text: &str, size: f64, width: i32) -> String {
        if self.width(text, size) <= width {
            return text.into();
        }
        let chars: Vec<char> = text.chars().collect();
        let cut =
            |count: usize| chars[..count].iter().collect::<String>().trim_end().to_owned() + "…";
        // The longest beginning that fits, by bisection: texts may be long.
        let (mut fits, mut too_long) = (0, chars.len());
        while too_long - fits > 1 {
            let middle = usize::midpoint(fits, too_long);
            if self.width(&cut(middle), size) <= width {
                fits = middle;
            } else {
                too_long = middle;
            }
        }
        if fits == 0 { String::new() } else { cut(fits) }
    }
}
