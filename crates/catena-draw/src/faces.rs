//! Typefaces: the built-in Inter and Hack, and optional font files before or after them.

use ab_glyph::{Font as _, FontArc, GlyphId};
use std::{
    borrow::Cow,
    iter,
    sync::{Arc, OnceLock},
};

/// File of the built-in typeface: a part of Inter whose figures all have one width, so that numbers
/// stand still in films.
pub const BUILT_IN: &[u8] = include_bytes!("../fonts/Inter-Regular.ttf");

/// File of the typeface for letters that [`BUILT_IN`] lacks, a part of Hack.
pub const RESERVE: &[u8] = include_bytes!("../fonts/Hack-Reserve.ttf");

/// Typefaces in lookup order.
#[derive(Clone)]
pub struct Faces {
    all: Vec<FontArc>,
    /// File of the first face.
    first: Cow<'static, [u8]>,
    /// Cache of the glyphs of ASCII letters. A lookup is slow because it reads outlines.
    found: Arc<[OnceLock<Option<FaceGlyph>>]>,
}

/// Index of a face, and its glyph.
type FaceGlyph = (usize, GlyphId);

/// Error for an unreadable built-in typeface, which only a broken build can cause.
#[derive(Debug, thiserror::Error)]
#[error("the built-in typeface cannot be read")]
pub struct BrokenFont;

/// Error for an unusable font file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FontFileError {
    /// The file is no font, or is damaged.
    #[error("this is not a TrueType or OpenType font file")]
    Unreadable,
    /// The font has only bitmaps, or no letters.
    #[error("this font file contains no glyph outlines")]
    NoOutlines,
}

impl Faces {
    fn new(all: Vec<FontArc>, first: Cow<'static, [u8]>) -> Self {
        Self { all, first, found: iter::repeat_with(OnceLock::new).take(128).collect() }
    }

    /// Returns the built-in faces alone.
    ///
    /// # Errors
    /// None in a sound build.
    pub fn built_in() -> Result<Self, BrokenFont> {
        let face = |file| FontArc::try_from_slice(file).map_err(|_| BrokenFont);
        Ok(Self::new(vec![face(BUILT_IN)?, face(RESERVE)?], Cow::Borrowed(BUILT_IN)))
    }

    /// Adds a face for letters that the previous ones lack.
    ///
    /// # Errors
    /// The bytes are not a font file, or the font has no outline of any letter.
    pub fn with_fallback(mut self, font_file: Vec<u8>) -> Result<Self, FontFileError> {
        self.all.push(Self::read(font_file)?);
        Ok(Self::new(self.all, self.first))
    }

    /// Adds a face that is preferred to the others.
    ///
    /// # Errors
    /// The bytes are not a font file, or the font has no outline of any letter.
    pub fn with_first(mut self, font_file: Vec<u8>) -> Result<Self, FontFileError> {
        self.all.insert(0, Self::read(font_file.clone())?);
        Ok(Self::new(self.all, Cow::Owned(font_file)))
    }

    fn read(font_file: Vec<u8>) -> Result<FontArc, FontFileError> {
        let face = FontArc::try_from_vec(font_file).map_err(|_| FontFileError::Unreadable)?;
        if face.units_per_em().is_none_or(|units| units <= 0.0) {
            return Err(FontFileError::Unreadable);
        }
        let is_drawn = |id: usize| face.outline(GlyphId(id as u16)).is_some();
        // Glyph 0 is the box for missing letters.
        if !(1..face.glyph_count().min(usize::from(u16::MAX))).any(is_drawn) {
            return Err(FontFileError::NoOutlines);
        }
        Ok(face)
    }

    /// File of the first face.
    pub fn first_file(&self) -> &[u8] {
        &self.first
    }

    /// All faces.
    pub fn all(&self) -> &[FontArc] {
        &self.all
    }

    /// Index of the first face with an outline of a letter, and its glyph. A face may list a letter
    /// without an outline.
    pub fn find(&self, letter: char) -> Option<(usize, GlyphId)> {
        match self.found.get(letter as usize) {
            Some(found) => *found.get_or_init(|| self.search(letter)),
            None => self.search(letter),
        }
    }

    fn search(&self, letter: char) -> Option<FaceGlyph> {
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        self.all.iter().enumerate().find_map(|(index, face)| {
            let id = face.glyph_id(letter);
            let is_drawn = id.0 != 0 && (letter == ' ' || face.outline(id).is_some());
            is_drawn.then_some((index, id))
        })
    }

    /// Characters that no face can draw, without duplicates and sorted.
    pub fn missing(&self, text: impl Iterator<Item = char>) -> Vec<char> {
        let mut missing: Vec<char> =
            text.filter(|letter| !is_ignorable(*letter) && self.find(*letter).is_none()).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }
}

/// Whether a character is invisible: a joiner, direction mark, variation selector or byte order
/// mark.
pub fn is_ignorable(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}
