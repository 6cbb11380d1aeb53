//! Fonts: widths of texts, lines that fit, and positions of glyphs.

use crate::faces::{BrokenFont, FaceGlyph, Faces, ShapedGlyph, is_ignorable};
use ab_glyph::{Font as _, FontArc, GlyphId, PxScale, PxScaleFont, ScaleFont};

/// Typefaces of a picture.
#[derive(Clone)]
pub struct Font {
    faces: Faces,
    /// Scale of each face that makes its em equal to the em of the first face.
    scales: Vec<f32>,
}

impl Font {
    /// Returns the built-in typeface.
    ///
    /// # Errors
    /// None in a sound build.
    pub fn built_in() -> Result<Self, BrokenFont> {
        Faces::built_in().map(Self::new)
    }

    /// Font with these faces.
    pub fn new(faces: Faces) -> Self {
        let em = |face: &FontArc| face.units_per_em().unwrap_or(1000.0) / face.height_unscaled();
        let first = em(&faces.all()[0]);
        let of = |(index, face): (usize, &FontArc)| {
            if index == 0 { 1.0 } else { first / em(face) }
        };
        let scales = faces.all().iter().enumerate().map(of).collect();
        Self { faces, scales }
    }

    /// Characters of a text that no face can draw, without duplicates and sorted.
    pub fn missing(&self, text: &str) -> Vec<char> {
        self.faces.missing(text)
    }

    /// Width of a line of text in pixels. `size` is the line height.
    pub fn width(&self, text: &str, size: f64) -> i32 {
        let mut cursor = Cursor::default();
        if let Some(glyphs) = self.shape(text) {
            for glyph in glyphs {
                cursor.advance_shaped(self, size as f32, glyph);
            }
            return 1 + cursor.x.ceil() as i32;
        }
        for letter in text.chars().filter(|letter| !is_ignorable(*letter)) {
            let glyph = self.glyph(letter);
            cursor.advance(self, size as f32, glyph, !letter.is_whitespace());
        }
        // Same measure as imageproc: one pixel more than the letters, and 0 for no text.
        if text.is_empty() { 0 } else { 1 + cursor.x.ceil() as i32 }
    }

    /// The text if it fits into `width` pixels; otherwise its longest prefix that fits, with an
    /// ellipsis.
    pub fn fit(&self, text: &str, size: f64, width: i32) -> String {
        if self.width(text, size) <= width {
            return text.into();
        }
        let cuts = self.faces.cuts(text);
        let cut = |count: usize| {
            let end = count.checked_sub(1).map_or(0, |last| cuts[last]);
            text[..end].trim_end().to_owned() + "…"
        };
        // Bisection, because texts may be long.
        let (mut fits, mut too_long) = (0, cuts.len());
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

    /// Breaks the text between words into at most `maximum` lines. The last line ends in an
    /// ellipsis if the text is too long. If the direction of a line differs from the direction of
    /// the whole text, the line begins with a mark of the text's direction.
    pub fn wrap(&self, text: &str, size: f64, width: i32, maximum: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut rest = text;
        while lines.len() + 1 < maximum && self.width(rest, size) > width {
            let breaks = rest.match_indices(' ').map(|(at, _)| at);
            let fits = |at: &usize| self.width(&rest[..*at], size) <= width;
            let Some(at) = breaks.take_while(fits).last().filter(|at| *at > 0) else { break };
            lines.push(rest[..at].trim_end().to_owned());
            rest = rest[at..].trim_start();
        }
        lines.push(self.fit(rest, size, width));
        for line in lines.iter_mut().skip(1) {
            if let Some(mark) = self.faces.direction_mark(text, line) {
                line.insert(0, mark);
            }
        }
        lines
    }

    /// Glyph of a letter, or the first face's box if no face has the letter.
    pub(crate) fn glyph(&self, letter: char) -> FaceGlyph {
        self.faces.find(letter).unwrap_or(FaceGlyph { face: 0, glyph: GlyphId(0) })
    }

    /// Glyphs of a line from left to right, if letters depend on each other.
    pub(crate) fn shape(&self, text: &str) -> Option<Vec<ShapedGlyph>> {
        self.faces.shape(text)
    }

    /// A face at a size.
    pub(crate) fn scaled(&self, face: usize, size: f32) -> PxScaleFont<&FontArc> {
        self.faces.all()[face].as_scaled(PxScale::from(size * self.scales[face]))
    }
}

/// Position of the next letter in a line, including kerning.
#[derive(Default)]
pub(crate) struct Cursor {
    pub(crate) x: f32,
    /// Last letter that was drawn.
    before: Option<FaceGlyph>,
}

impl Cursor {
    /// Moves past a letter like imageproc: kerning applies to the next letter, and blanks have no
    /// kerning.
    pub(crate) fn advance(&mut self, font: &Font, size: f32, glyph: FaceGlyph, is_drawn: bool) {
        let scaled = font.scaled(glyph.face, size);
        self.x += scaled.h_advance(glyph.glyph);
        if is_drawn {
            if let Some(before) = self.before.filter(|before| before.face == glyph.face) {
                self.x += scaled.kern(glyph.glyph, before.glyph);
            }
            self.before = Some(glyph);
        }
    }

    /// Moves past a shaped glyph by its own advance.
    pub(crate) fn advance_shaped(&mut self, font: &Font, size: f32, glyph: ShapedGlyph) {
        self.x += glyph.advance as f32 * font.scaled(glyph.face, size).h_scale_factor();
    }
}
