//! Text in pictures.
//!
//! Letters look as imageproc draws them. Outlines are turned into coverage once a letter and place within a pixel, and kept:
//! the numbers under a panel change with every frame, and the letters they are made of do not.

use super::canvas::Canvas;
use super::faces::{BrokenFont, Faces, is_ignorable};
use super::surface::Surface;
use super::theme::Ink;
use ab_glyph::{Font as _, FontArc, GlyphId, PxScale, ScaleFont, point};
use std::collections::HashMap;

/// The typefaces of a picture.
#[derive(Clone)]
pub struct Font {
    faces: Faces,
    /// What a size is multiplied by so that an em of each face is as large as one of the first.
    scales: Vec<f32>,
}

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
        Faces::built_in().map(Self::new)
    }

    /// Pictures written in these faces.
    pub fn new(faces: Faces) -> Self {
        let em = |face: &FontArc| face.units_per_em().unwrap_or(1000.0) / face.height_unscaled();
        let first = em(&faces.all()[0]);
        let of = |(index, face): (usize, &FontArc)| {
            if index == 0 { 1.0 } else { first / em(face) }
        };
        let scales = faces.all().iter().enumerate().map(of).collect();
        Self { faces, scales }
    }

    /// The characters of a text that no face can draw, each once, in order.
    pub fn missing(&self, text: &str) -> Vec<char> {
        self.faces.missing(text.chars())
    }

    /// Width of a line in pixels; `size` is the height of a line.
    pub fn width(&self, text: &str, size: f64) -> i32 {
        let mut pen = Pen::default();
        for letter in text.chars().filter(|letter| !is_ignorable(*letter)) {
            let glyph = self.glyph(letter);
            pen.advance(self, size as f32, glyph, !letter.is_whitespace());
        }
        // As imageproc measures: a pixel more than it takes, and nothing for nothing.
        if text.is_empty() { 0 } else { 1 + pen.x.ceil() as i32 }
    }

    /// The face and the glyph of a letter. The first face draws a box where none has it.
    fn glyph(&self, letter: char) -> (usize, GlyphId) {
        self.faces.find(letter).unwrap_or((0, GlyphId(0)))
    }

    /// A face at a size.
    fn scaled(&self, face: usize, size: f32) -> ab_glyph::PxScaleFont<&FontArc> {
        self.faces.all()[face].as_scaled(PxScale::from(size * self.scales[face]))
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
        let (surface, glyphs) = canvas.text_parts();
        glyphs.line(self, size as f32, text, |glyph| glyph.draw(surface, (left, y), ink));
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

/// Where the next letter begins: after those before it and their kerning.
#[derive(Default)]
struct Pen {
    x: f32,
    before: Option<(usize, GlyphId)>,
}

impl Pen {
    /// Moves on by a letter, as imageproc does: kerning counts from the letter after, and blanks have none.
    fn advance(&mut self, font: &Font, size: f32, glyph: (usize, GlyphId), is_drawn: bool) {
        let scaled = font.scaled(glyph.0, size);
        self.x += scaled.h_advance(glyph.1);
        if is_drawn {
            if let Some((_, before)) = self.before.filter(|before| before.0 == glyph.0) {
                self.x += scaled.kern(glyph.1, before);
            }
            self.before = Some(glyph);
        }
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
    glyph: (usize, GlyphId),
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
    /// The letter as it was last drawn on one colour, which is what most letters lie on.
    flat: Flat,
}

/// A letter of one colour on another.
#[derive(Default)]
struct Flat {
    below: [u8; 3],
    ink: [u8; 3],
    /// Empty before it is drawn.
    pixels: Vec<u8>,
}

/// More letters than any frame has; a long run must not fill the memory.
const MOST_KEPT: usize = 4096;

impl Glyphs {
    /// Hands the letters of a line to `take`.
    fn line(&mut self, font: &Font, size: f32, text: &str, mut take: impl FnMut(&mut Picture)) {
        if self.kept.len() > MOST_KEPT {
            self.kept.clear();
        }
        let mut pen = Pen::default();
        for letter in text.chars().filter(|letter| !is_ignorable(*letter)) {
            let key = (letter, size.to_bits(), pen.x.to_bits());
            let new = || Placed::new(font, size, letter, pen.x);
            let placed = self.kept.entry(key).or_insert_with(new);
            pen.advance(font, size, placed.glyph, placed.picture.is_some());
            placed.picture.iter_mut().for_each(&mut take);
        }
    }
}

impl Placed {
    fn new(font: &Font, size: f32, letter: char, x: f32) -> Self {
        let glyph = font.glyph(letter);
        // All faces stand on the line of the first.
        let place = point(x, font.scaled(0, size).ascent());
        let scaled = font.scaled(glyph.0, size);
        let outlined =
            scaled.font.outline_glyph(glyph.1.with_scale_and_position(scaled.scale, place));
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
            Picture { at, width, coverage, covered, flat: Flat::default() }
        });
        Self { glyph, picture }
    }
}

impl Picture {
    fn draw(&mut self, surface: &mut Surface, start: (i32, i32), ink: Ink) {
        if self.width == 0 {
            return;
        }
        let [width, height] = surface.size().map(|side| side as i32);
        let left = start.0 + self.at.0;
        for row in 0..self.covered.len() {
            let (first, last) = self.covered[row];
            let y = start.1 + self.at.1 + row as i32;
            let from = (left + first as i32).max(0);
            let to = (left + last as i32).min(width);
            if from >= to || !(0..height).contains(&y) {
                continue;
            }
            let pixels = surface.change(y as u32, (from as u32, to as u32));
            let start = row * self.width;
            let columns = start + (from - left) as usize..start + (to - left) as usize;
            let below = [pixels[0], pixels[1], pixels[2]];
            if pixels[3..] == pixels[..pixels.len() - 3] {
                let bytes = 3 * columns.start..3 * columns.end;
                pixels.copy_from_slice(&self.on(below, ink.0)[bytes]);
            } else {
                blend(pixels, &self.coverage[columns], ink.0);
            }
        }
    }

    /// All of the letter on one colour.
    fn on(&mut self, below: [u8; 3], ink: [u8; 3]) -> &[u8] {
        let flat = &mut self.flat;
        if flat.pixels.is_empty() || (flat.below, flat.ink) != (below, ink) {
            let mut pixels = below.repeat(self.coverage.len());
            blend(&mut pixels, &self.coverage, ink);
            *flat = Flat { below, ink, pixels };
        }
        &flat.pixels
    }
}

/// Mixes an ink into pixels, so much of it in each.
fn blend(pixels: &mut [u8], shares: &[f32], ink: [u8; 3]) {
    let ink = ink.map(f32::from);
    for (pixel, &share) in pixels.chunks_exact_mut(3).zip(shares) {
        for (below, above) in pixel.iter_mut().zip(ink) {
            // Cut off rather than rounded, as imageproc does.
            *below = (f32::from(*below) * (1.0 - share) + above * share) as u8;
        }
    }
}
