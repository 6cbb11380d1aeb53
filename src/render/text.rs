//! Text in the Hack typeface, which is part of the program.
//!
//! Letters look as imageproc draws them. Outlines are turned into coverage once a letter and place within a pixel, and kept:
//! the numbers under a panel change with every frame, and the letters they are made of do not.

use super::canvas::Canvas;
use super::changes::Changes;
use super::theme::Ink;
use ab_glyph::{Font as _, FontRef, GlyphId, PxScale, ScaleFont, point};
use image::RgbImage;
use imageproc::drawing::text_size;
use std::collections::HashMap;

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
        let (image, glyphs, changes) = canvas.text_parts();
        glyphs.line(&self.0, size as f32, text, |glyph| {
            glyph.draw(image, changes, (left, y), ink);
        });
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

/// Letters that have been drawn before.
#[derive(Default)]
pub(super) struct Glyphs {
    /// By letter, size and distance from the start of the line, which says how its outline lies in the pixels.
    kept: HashMap<(char, u32, u32), Placed>,
}

/// A letter at its place in a line.
struct Placed {
    id: GlyphId,
    /// Empty letters, such as spaces, have no picture.
    picture: Option<Picture>,
}

/// How much of each pixel a letter covers.
pub(super) struct Picture {
    /// Its upper left corner, from the start of the line.
    at: (i32, i32),
    width: usize,
    coverage: Vec<f32>,
    /// The first covered column of each row, and the one past the last.
    covered: Vec<(usize, usize)>,
}

/// More letters than any frame has; a long run must not fill the memory.
const MOST_KEPT: usize = 4096;

impl Glyphs {
    /// Hands the letters of a line to `take`. Each begins where those before it and their kerning end.
    fn line(
        &mut self,
        font: &FontRef<'static>,
        size: f32,
        text: &str,
        mut take: impl FnMut(&Picture),
    ) {
        let scaled = font.as_scaled(size);
        if self.kept.len() > MOST_KEPT {
            self.kept.clear();
        }
        let mut x = 0.0_f32;
        let mut before = None;
        for letter in text.chars() {
            let key = (letter, size.to_bits(), x.to_bits());
            let placed = self.kept.entry(key).or_insert_with(|| Placed::new(font, size, letter, x));
            x += scaled.h_advance(placed.id);
            if let Some(picture) = &placed.picture {
                if let Some(before) = before {
                    x += scaled.kern(placed.id, before);
                }
                before = Some(placed.id);
                take(picture);
            }
        }
    }
}

impl Placed {
    fn new(font: &FontRef<'static>, size: f32, letter: char, x: f32) -> Self {
        let id = font.glyph_id(letter);
        let scale = PxScale::from(size);
        let place = point(x, font.as_scaled(scale).ascent());
        let outlined = font.outline_glyph(id.with_scale_and_position(scale, place));
        let picture = outlined.map(|outlined| {
            let bounds = outlined.px_bounds();
            let width = bounds.width() as usize;
            let mut coverage = vec![0.0; width * bounds.height() as usize];
            outlined.draw(|x, y, value| {
                coverage[y as usize * width + x as usize] = value.clamp(0.0, 1.0);
            });
            let at = (bounds.min.x.round() as i32, bounds.min.y.round() as i32);
            let covered = |row: &[f32]| {
                let first = row.iter().position(|share| *share > 0.0);
                let last = row.iter().rposition(|share| *share > 0.0);
                (first.unwrap_or(0), last.map_or(0, |last| last + 1))
            };
            let covered = coverage.chunks_exact(width.max(1)).map(covered).collect();
            Picture { at, width, coverage, covered }
        });
        Self { id, picture }
    }
}

impl Picture {
    fn draw(&self, image: &mut RgbImage, changes: &mut Changes, start: (i32, i32), ink: Ink) {
        if self.width == 0 {
            return;
        }
        let (width, height) = (image.width() as i32, image.height() as i32);
        let left = start.0 + self.at.0;
        let raw: &mut [u8] = image;
        let ink = ink.0.map(f32::from);
        let rows = self.coverage.chunks_exact(self.width).zip(&self.covered);
        for (y, (row, &(first, last))) in (start.1 + self.at.1..).zip(rows) {
            let from = (left + first as i32).max(0);
            let to = (left + last as i32).min(width);
            if from >= to || !(0..height).contains(&y) {
                continue;
            }
            changes.add(y as u32, from as u32, to as u32);
            let shares = &row[(from - left) as usize..(to - left) as usize];
            let bytes = 3 * (y * width + from) as usize..3 * (y * width + to) as usize;
            for (pixel, &share) in raw[bytes].chunks_exact_mut(3).zip(shares) {
                for (below, above) in pixel.iter_mut().zip(ink) {
                    // Cut off rather than rounded, as imageproc does.
                    *below = (f32::from(*below) * (1.0 - share) + above * share) as u8;
                }
            }
        }
    }
}
