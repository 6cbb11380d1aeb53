//! Typefaces: the built-in Inter and Hack, and optional font files before or after them.

use ab_glyph::{Font as _, FontArc, GlyphId};
use std::{
    borrow::Cow,
    iter,
    sync::{Arc, OnceLock},
};

/// File of the built-in typeface: a subset of Inter with digits of equal width, so that numbers do
/// not shift in films.
pub const BUILT_IN: &[u8] = include_bytes!("../fonts/Inter-Regular.ttf");

/// File of the typeface for letters that [`BUILT_IN`] lacks: a subset of Hack.
pub const RESERVE: &[u8] = include_bytes!("../fonts/Hack-Reserve.ttf");

/// Typefaces in lookup order.
#[derive(Clone)]
pub struct Faces {
    all: Vec<FontArc>,
    /// Files of the faces.
    files: Vec<Arc<Cow<'static, [u8]>>>,
    /// Cache of the glyphs of ASCII letters. A lookup is slow because it reads outlines.
    found: Arc<[OnceLock<Option<FaceGlyph>>]>,
}

/// A glyph of one of several faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaceGlyph {
    /// Index of the face.
    pub face: usize,
    /// Glyph of the face; 0 is its box for missing letters.
    pub glyph: GlyphId,
}

/// Glyph of a shaped line, whose letters join, stack, change places or run from right to left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapedGlyph {
    /// Index of the face.
    pub face: usize,
    /// Glyph of the face; 0 is its box for missing letters.
    pub glyph: GlyphId,
    /// Index of the first character in the text that the glyph represents.
    pub letter: usize,
    /// Distance to the next glyph, in units of the face.
    pub advance: i32,
    /// Shift of the outline to the right and upwards, in units of the face.
    pub shift: [i32; 2],
}

impl ShapedGlyph {
    /// The glyph without its position in the line.
    pub fn in_face(&self) -> FaceGlyph {
        FaceGlyph { face: self.face, glyph: self.glyph }
    }
}

/// Error for an unreadable built-in typeface, which only a broken build can cause.
#[derive(Debug, thiserror::Error)]
#[error("the built-in typeface cannot be read")]
pub struct BrokenFont;

/// Error for an unusable font file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FontFileError {
    /// The file is not a font, or is damaged.
    #[error("this is not a TrueType or OpenType font file")]
    Unreadable,
    /// The font has only bitmaps, or no letters.
    #[error("this font file contains no glyph outlines")]
    NoOutlines,
}

impl Faces {
    fn new(all: Vec<FontArc>, files: Vec<Arc<Cow<'static, [u8]>>>) -> Self {
        Self { all, files, found: iter::repeat_with(OnceLock::new).take(128).collect() }
    }

    /// Returns the built-in faces alone.
    ///
    /// # Errors
    /// None in a sound build.
    pub fn built_in() -> Result<Self, BrokenFont> {
        let face = |file| FontArc::try_from_slice(file).map_err(|_| BrokenFont);
        let files = [BUILT_IN, RESERVE].map(|file| Arc::new(Cow::Borrowed(file)));
        Ok(Self::new(vec![face(BUILT_IN)?, face(RESERVE)?], files.into()))
    }

    /// Adds a face for letters that the previous ones lack.
    ///
    /// # Errors
    /// The bytes are not a font file, or the font has no outline of any letter.
    pub fn with_fallback(mut self, font_file: Vec<u8>) -> Result<Self, FontFileError> {
        self.all.push(Self::read(font_file.clone())?);
        self.files.push(Arc::new(Cow::Owned(font_file)));
        Ok(Self::new(self.all, self.files))
    }

    /// Adds a face that takes precedence over all others.
    ///
    /// # Errors
    /// The bytes are not a font file, or the font has no outline of any letter.
    pub fn with_first(mut self, font_file: Vec<u8>) -> Result<Self, FontFileError> {
        self.all.insert(0, Self::read(font_file.clone())?);
        self.files.insert(0, Arc::new(Cow::Owned(font_file)));
        Ok(Self::new(self.all, self.files))
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
        &self.files[0]
    }

    /// Files of all faces.
    #[cfg(feature = "shaping")]
    pub(super) fn files(&self) -> impl Iterator<Item = &[u8]> {
        self.files.iter().map(|file| &***file)
    }

    /// All faces.
    pub fn all(&self) -> &[FontArc] {
        &self.all
    }

    /// Glyph of a letter in the first face with an outline of it. A face may list a letter without
    /// an outline.
    pub fn find(&self, letter: char) -> Option<FaceGlyph> {
        match self.found.get(letter as usize) {
            Some(found) => *found.get_or_init(|| self.search(letter)),
            None => self.search(letter),
        }
    }

    fn search(&self, letter: char) -> Option<FaceGlyph> {
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        self.all.iter().enumerate().find_map(|(index, face)| {
            let glyph = face.glyph_id(letter);
            let is_drawn = glyph.0 != 0 && (letter == ' ' || face.outline(glyph).is_some());
            is_drawn.then_some(FaceGlyph { face: index, glyph })
        })
    }

    /// Glyphs of a line from left to right. `None` if the line needs no shaping, as with Latin
    /// letters: each letter has its own glyph, in the order of the text. Always `None` if the
    /// feature `shaping` is disabled.
    pub fn shape(&self, text: &str) -> Option<Vec<ShapedGlyph>> {
        if !text.chars().any(needs_shaping) {
            return None;
        }
        #[cfg(feature = "shaping")]
        return super::shaping::shape(self, text);
        #[cfg(not(feature = "shaping"))]
        None
    }

    /// Byte offsets at which a line may be cut: not between a letter and its marks, nor within a
    /// ligature. The last one is the length of the text.
    pub fn cuts(&self, text: &str) -> Vec<usize> {
        let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let mut is_start = vec![true; text.chars().count() + 1];
        if let Some(glyphs) = self.shape(text) {
            is_start[1..].fill(false);
            glyphs.iter().for_each(|glyph| is_start[glyph.letter] = true);
            if let Some(end) = is_start.last_mut() {
                *end = true;
            }
        }
        ends.zip(&is_start[1..]).filter_map(|(at, is_start)| is_start.then_some(at)).collect()
    }

    /// Direction mark to insert before a part of a text, so that it keeps the direction of the
    /// whole text. `None` if its own letters already have that direction.
    #[cfg(feature = "shaping")]
    pub fn direction_mark(&self, whole: &str, part: &str) -> Option<char> {
        let needs_mark = whole.chars().any(needs_shaping);
        let [whole, part] = [whole, part].map(super::shaping::is_right_to_left);
        (needs_mark && whole != part).then_some(if whole { '\u{200f}' } else { '\u{200e}' })
    }

    /// No mark: without shaping, all text is drawn from left to right.
    #[cfg(not(feature = "shaping"))]
    pub fn direction_mark(&self, _whole: &str, _part: &str) -> Option<char> {
        None
    }

    /// Characters that no face can draw, without duplicates and sorted.
    pub fn missing(&self, text: &str) -> Vec<char> {
        let is_missing = |letter: &char| !is_ignorable(*letter) && self.find(*letter).is_none();
        let mut missing: Vec<char> = match self.shape(text) {
            Some(glyphs) => self.boxes(text, &glyphs),
            None => text.chars().filter(is_missing).collect(),
        };
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// Characters of a shaped line that are drawn as boxes.
    fn boxes(&self, text: &str, glyphs: &[ShapedGlyph]) -> Vec<char> {
        let letters: Vec<char> = text.chars().collect();
        let mut starts: Vec<usize> = glyphs.iter().map(|glyph| glyph.letter).collect();
        starts.push(letters.len());
        starts.sort_unstable();
        let mut boxes = Vec::new();
        for glyph in glyphs.iter().filter(|glyph| glyph.glyph.0 == 0) {
            let end = starts[starts.partition_point(|start| *start <= glyph.letter)];
            let face = &self.all[glyph.face];
            let lacks = |letter: &&char| !is_ignorable(**letter) && face.glyph_id(**letter).0 == 0;
            boxes.extend(letters[glyph.letter..end].iter().filter(lacks));
        }
        boxes
    }
}

/// Whether a character is invisible: a joiner, direction mark, variation selector or byte order
/// mark.
pub fn is_ignorable(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'
        | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Unicode blocks with combining marks, letters from right to left, and letters that join, stack or
/// change places.
const SHAPED: [[char; 2]; 28] = [
    // Combining marks of European scripts.
    ['\u{300}', '\u{36f}'],
    ['\u{483}', '\u{489}'],
    // Hebrew, Arabic and other scripts from right to left; Indic scripts, Thai, Lao, Tibetan and
    // Myanmar.
    ['\u{590}', '\u{109f}'],
    // Hangul jamo.
    ['\u{1100}', '\u{11ff}'],
    ['\u{135d}', '\u{135f}'],
    // Scripts of the Philippines, Khmer, Mongolian.
    ['\u{1700}', '\u{18af}'],
    ['\u{1900}', '\u{1cff}'],
    ['\u{1dc0}', '\u{1dff}'],
    // Direction marks.
    ['\u{200f}', '\u{200f}'],
    ['\u{202a}', '\u{202e}'],
    ['\u{2066}', '\u{2069}'],
    ['\u{20d0}', '\u{20ff}'],
    ['\u{2cef}', '\u{2cf1}'],
    ['\u{2d7f}', '\u{2d7f}'],
    ['\u{2de0}', '\u{2dff}'],
    ['\u{302a}', '\u{302f}'],
    ['\u{3099}', '\u{309a}'],
    ['\u{a66f}', '\u{a67d}'],
    ['\u{a69e}', '\u{a69f}'],
    ['\u{a6f0}', '\u{a6f1}'],
    ['\u{a800}', '\u{abff}'],
    ['\u{d7b0}', '\u{d7ff}'],
    // Forms of Hebrew and Arabic letters.
    ['\u{fb1d}', '\u{fdff}'],
    ['\u{fe20}', '\u{fe2f}'],
    ['\u{fe70}', '\u{fefc}'],
    // Historic and minority scripts, and Arabic mathematical letters.
    ['\u{10800}', '\u{11fff}'],
    ['\u{16ac0}', '\u{16fff}'],
    ['\u{1e000}', '\u{1efff}'],
];

/// Whether the glyph of a letter, or its position, depends on other letters.
fn needs_shaping(letter: char) -> bool {
    letter >= SHAPED[0][0] && SHAPED.iter().any(|[first, last]| (*first..=*last).contains(&letter))
}
