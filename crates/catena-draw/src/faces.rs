//! Typefaces: Hack, which is part of the program, and a font file of the user's for letters that
//! Hack lacks.

use ab_glyph::{Font as _, FontArc, GlyphId};
use std::{
    iter,
    sync::{Arc, OnceLock},
};

/// The file of the built-in typeface.
pub const BUILT_IN: &[u8] = epaint_default_fonts::HACK_REGULAR;

/// The name of the built-in typeface.
pub const BUILT_IN_NAME: &str = "Hack";

/// Typefaces, in the order in which a letter is looked up.
#[derive(Clone)]
pub struct Faces {
    all: Vec<FontArc>,
    /// Glyphs of ASCII letters that were looked up, which is slow: it reads their outlines.
    found: Arc<[OnceLock<Option<Found>>]>,
}

/// A face and its glyph.
type Found = (usize, GlyphId);

/// The error for a built-in typeface that cannot be read, which only a broken build can cause.
#[derive(Debug, thiserror::Error)]
#[error("the built-in typeface cannot be read")]
pub struct BrokenFont;

/// The error for a font file that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FontFileError {
    /// Not a font file, or a damaged one.
    #[error("this is not a TrueType or OpenType font file")]
    Unreadable,
    /// A font of pictures only, or one without letters.
    #[error("this font file has no outlines of letters")]
    NoOutlines,
}

impl Faces {
    fn new(all: Vec<FontArc>) -> Self {
        Self { all, found: iter::repeat_with(OnceLock::new).take(128).collect() }
    }

    /// The built-in face alone.
    ///
    /// # Errors
    /// Never in a sound build.
    pub fn built_in() -> Result<Self, BrokenFont> {
        let face = FontArc::try_from_slice(BUILT_IN);
        face.map(|face| Self::new(vec![face])).map_err(|_| BrokenFont)
    }

    /// Adds a face for letters that the ones before lack.
    ///
    /// # Errors
    /// The bytes are not a font file, or the font has no outline of any letter.
    pub fn with_fallback(mut self, font_file: Vec<u8>) -> Result<Self, FontFileError> {
        let face = FontArc::try_from_vec(font_file).map_err(|_| FontFileError::Unreadable)?;
        if face.units_per_em().is_none_or(|units| units <= 0.0) {
            return Err(FontFileError::Unreadable);
        }
        let is_drawn = |id: usize| face.outline(GlyphId(id as u16)).is_some();
        // Glyph 0 is the box for missing letters.
        if !(1..face.glyph_count().min(usize::from(u16::MAX))).any(is_drawn) {
            return Err(FontFileError::NoOutlines);
        }
        self.all.push(face);
        Ok(Self::new(self.all))
    }

    /// All faces.
    pub fn all(&self) -> &[FontArc] {
        &self.all
    }

    /// The first face with an outline of a letter, and its glyph. A face may list a letter without
    /// an outline.
    pub fn find(&self, letter: char) -> Option<(usize, GlyphId)> {
        match self.found.get(letter as usize) {
            Some(found) => *found.get_or_init(|| self.search(letter)),
            None => self.search(letter),
        }
    }

    fn search(&self, letter: char) -> Option<Found> {
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        self.all.iter().enumerate().find_map(|(index, face)| {
            let id = face.glyph_id(letter);
            let is_drawn = id.0 != 0 && (letter == ' ' || face.outline(id).is_some());
            is_drawn.then_some((index, id))
        })
    }

    /// The characters that no face can draw, each once, in order.
    pub fn missing(&self, text: impl Iterator<Item = char>) -> Vec<char> {
        let mut missing: Vec<char> =
            text.filter(|letter| !is_ignorable(*letter) && self.find(*letter).is_none()).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }
}

/// Whether a mark has no picture of its own: joiners, direction marks, variation selectors, the
/// byte order mark.
pub fn is_ignorable(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}
