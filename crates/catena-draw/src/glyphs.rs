//! Cache of glyphs as pixel coverage. The numbers under a panel change in each frame, but their
//! digits repeat.

use super::faces::{FaceGlyph, ShapedGlyph, is_ignorable};
use super::surface::Surface;
use crate::font::{Cursor, Font};
use ab_glyph::{Font as _, ScaleFont, point};
use std::collections::HashMap;

/// Cache of drawn glyphs.
#[derive(Default)]
pub(super) struct GlyphCache {
    /// Glyphs of lines without shaping. Key: letter, size, and distance from the start of the line,
    /// whose fraction of a pixel shifts the outline.
    kept: HashMap<(char, u32, u32), PlacedGlyph>,
    /// Glyphs of shaped lines. Key: face, glyph, size, and position in the line.
    shaped: HashMap<(usize, u16, u32, [u32; 2]), PlacedGlyph>,
}

/// A letter at its position in a line.
struct PlacedGlyph {
    glyph: FaceGlyph,
    /// `None` for letters without an outline, such as spaces.
    image: Option<GlyphImage>,
}

/// Coverage of each pixel by a letter.
pub(super) struct GlyphImage {
    /// Upper left corner in pixels, relative to the start of the line.
    at: (i32, i32),
    width: usize,
    /// Coverage of each pixel from 0 to 1, row by row.
    coverage: Vec<f32>,
    /// First covered column of each row, and one past the last.
    covered: Vec<(usize, usize)>,
    /// The letter as last drawn on a plain background, which is the most common case.
    flat: FlatGlyph,
}

/// A letter of one colour on a background of one colour.
#[derive(Default)]
struct FlatGlyph {
    background: [u8; 3],
    ink: [u8; 3],
    /// Three bytes per pixel; empty until it is drawn.
    pixels: Vec<u8>,
}

/// Maximum number of cached glyphs. The number exceeds the needs of any frame and limits the memory
/// of a long run.
const MAX_KEPT: usize = 4096;

impl GlyphCache {
    /// Passes the letters of a line to `visit`.
    pub(super) fn line(
        &mut self,
        font: &Font,
        size: f32,
        text: &str,
        mut visit: impl FnMut(&mut GlyphImage),
    ) {
        if self.kept.len() > MAX_KEPT {
            self.kept.clear();
        }
        if let Some(glyphs) = font.shape(text) {
            return self.shaped_line(font, size, &glyphs, visit);
        }
        let mut cursor = Cursor::default();
        for letter in text.chars().filter(|letter| !is_ignorable(*letter)) {
            let key = (letter, size.to_bits(), cursor.x.to_bits());
            let new = || PlacedGlyph::new(font, size, letter, cursor.x);
            let placed = self.kept.entry(key).or_insert_with(new);
            cursor.advance(font, size, placed.glyph, placed.image.is_some());
            placed.image.iter_mut().for_each(&mut visit);
        }
    }

    /// Passes the glyphs of a shaped line to `visit`.
    fn shaped_line(
        &mut self,
        font: &Font,
        size: f32,
        glyphs: &[ShapedGlyph],
        mut visit: impl FnMut(&mut GlyphImage),
    ) {
        if self.shaped.len() > MAX_KEPT {
            self.shaped.clear();
        }
        let mut cursor = Cursor::default();
        for glyph in glyphs {
            let scaled = font.scaled(glyph.face, size);
            let right = glyph.shift[0] as f32 * scaled.h_scale_factor();
            let up = glyph.shift[1] as f32 * scaled.v_scale_factor();
            let place = [cursor.x + right, up];
            let key = (glyph.face, glyph.glyph.0, size.to_bits(), place.map(f32::to_bits));
            let new = || PlacedGlyph::of(glyph.in_face(), font, size, place);
            let placed = self.shaped.entry(key).or_insert_with(new);
            placed.image.iter_mut().for_each(&mut visit);
            cursor.advance_shaped(font, size, *glyph);
        }
    }
}

impl PlacedGlyph {
    fn new(font: &Font, size: f32, letter: char, x: f32) -> Self {
        Self::of(font.glyph(letter), font, size, [x, 0.0])
    }

    /// A glyph at its distances from the start of the line and above the baseline, in pixels.
    fn of(glyph: FaceGlyph, font: &Font, size: f32, [x, rise]: [f32; 2]) -> Self {
        // All faces share the baseline of the first.
        let place = point(x, font.scaled(0, size).ascent() - rise);
        let scaled = font.scaled(glyph.face, size);
        let outlined =
            scaled.font.outline_glyph(glyph.glyph.with_scale_and_position(scaled.scale, place));
        let image = outlined.map(|outlined| {
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
            GlyphImage { at, width, coverage, covered, flat: FlatGlyph::default() }
        });
        Self { glyph, image }
    }
}

impl GlyphImage {
    /// Draws the letter in a line that starts at `start`, in pixels.
    pub(super) fn draw(&mut self, surface: &mut Surface, start: (i32, i32), ink: [u8; 3]) {
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
            let background = [pixels[0], pixels[1], pixels[2]];
            if pixels[3..] == pixels[..pixels.len() - 3] {
                let bytes = 3 * columns.start..3 * columns.end;
                pixels.copy_from_slice(&self.on(background, ink)[bytes]);
            } else {
                blend(pixels, &self.coverage[columns], ink);
            }
        }
    }

    /// All pixels of the letter on a background of one colour.
    fn on(&mut self, background: [u8; 3], ink: [u8; 3]) -> &[u8] {
        let flat = &mut self.flat;
        if flat.pixels.is_empty() || (flat.background, flat.ink) != (background, ink) {
            let mut pixels = background.repeat(self.coverage.len());
            blend(&mut pixels, &self.coverage, ink);
            *flat = FlatGlyph { background, ink, pixels };
        }
        &flat.pixels
    }
}

/// Blends a colour into pixels, with a weight from 0 to 1 for each.
fn blend(pixels: &mut [u8], shares: &[f32], ink: [u8; 3]) {
    let ink = ink.map(f32::from);
    for (pixel, &share) in pixels.chunks_exact_mut(3).zip(shares) {
        for (background, above) in pixel.iter_mut().zip(ink) {
            // Truncated rather than rounded, like imageproc.
            *background = (f32::from(*background) * (1.0 - share) + above * share) as u8;
        }
    }
}
