//! Text as outlines of glyphs, and the tables of font files.
//!
//! A picture that contains its text as outlines looks the same everywhere and needs no installed
//! typeface.

use super::path::number;
use ab_glyph::{Font as _, GlyphId, OutlineCurve, Point};
use catena_draw::faces::{FaceGlyph, Faces, is_ignorable};
use std::collections::BTreeMap;

/// Faces of the text in charts, and its representation in files.
pub struct Typeface {
    faces: Faces,
    words: Words,
    /// Family of the first face, if files can have a subset of its letters.
    family: Option<String>,
}

/// Representation of text in SVG and PDF files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Words {
    /// Outlines of glyphs, which look the same everywhere.
    #[default]
    Outlines,
    /// Text that can be searched, copied and edited, with the necessary subset of the first face.
    /// Characters of other faces stay outlines. If the first face has PostScript outlines, all
    /// characters stay outlines.
    Text,
}

/// Outline of a character: a face and a glyph in it, or the box for characters that no face has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GlyphKey {
    /// Index of the face, or [`NO_FACE`].
    pub face: usize,
    /// Id of the glyph in the face.
    pub glyph: u16,
}

/// Character positioned in a line of text. All lengths are in thousandths of the text size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedLetter {
    /// Character of the text.
    pub letter: char,
    /// Outline of the character, or the box for a missing one.
    pub key: GlyphKey,
    /// Distance from the start of the line.
    pub x: f64,
    /// Height above the baseline.
    pub rise: f64,
    /// Size relative to the other characters.
    pub scale: f64,
    /// Whether the outline depends on other characters, so that text would need their typeface.
    pub is_shaped: bool,
}

/// Face index of the box for characters that no face has.
pub(super) const NO_FACE: usize = usize::MAX;

/// Width of the box for characters that no face has.
const BOX_WIDTH: f64 = 700.0;

/// Relative size of superscripts and subscripts.
const SMALL: f64 = 0.7;

/// Dot above the preceding character.
const DOT: char = '˙';

impl Typeface {
    /// Creates a typeface from faces in order of preference.
    pub fn new(faces: Faces) -> Self {
        let family = family(faces.first_file());
        Self { faces, words: Words::Outlines, family }
    }

    /// Returns the faces with another representation of text.
    #[must_use]
    pub fn with_words(self, words: Words) -> Self {
        Self { words, ..self }
    }

    /// Faces in order of preference.
    pub fn faces(&self) -> &Faces {
        &self.faces
    }

    /// Representation of text in files.
    pub(super) fn words(&self) -> Words {
        self.words
    }

    /// Family of the first face, if files can have a subset of its letters.
    pub(super) fn family(&self) -> Option<&str> {
        self.family.as_deref()
    }

    /// Characters of a text that no face has, without duplicates and sorted.
    pub fn missing(&self, text: &str) -> Vec<char> {
        self.faces.missing(&text.chars().map(|letter| plain(letter).0).collect::<String>())
    }

    /// Width of a line of text in pixels; `size` is the em size.
    pub fn width(&self, text: &str, size: f64) -> f64 {
        self.line(text).1 * size / 1000.0
    }

    /// Wraps a text into lines of at most `width`: between words, and within words that are too
    /// long for a line, at a hyphen if possible.
    pub fn wrap(&self, text: &str, size: f64, width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        // No-break spaces are parts of words.
        let is_break = |c: char| c.is_whitespace() && c != '\u{a0}' && c != '\u{202f}';
        for word in text.split(is_break).filter(|word| !word.is_empty()) {
            let longer = if line.is_empty() { word.into() } else { format!("{line} {word}") };
            if self.width(&longer, size) <= width {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for part in word.split_inclusive('-') {
                if !line.is_empty() && self.width(&format!("{line}{part}"), size) > width {
                    lines.push(std::mem::take(&mut line));
                }
                let mut start = 0;
                for end in self.faces.cuts(part) {
                    let (before, letter) = (line.len(), &part[start..end]);
                    line.push_str(letter);
                    if self.width(&line, size) > width && before > 0 {
                        line.truncate(before);
                        lines.push(std::mem::replace(&mut line, letter.into()));
                    }
                    start = end;
                }
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
        for line in lines.iter_mut().skip(1) {
            if let Some(mark) = self.faces.direction_mark(text, line) {
                line.insert(0, mark);
            }
        }
        lines
    }

    /// Longest prefix of a text that fits into a width, with an ellipsis.
    pub(super) fn shortened(&self, text: &str, size: f64, width: f64) -> String {
        let mut cuts = self.faces.cuts(text);
        let short = |end: Option<&usize>| &text[..end.copied().unwrap_or(0)];
        while self.width(&format!("{}…", short(cuts.last())), size) > width && cuts.pop().is_some()
        {
        }
        format!("{}…", short(cuts.last()).trim_end_matches([' ', ',']))
    }

    /// Positioned characters of a line, and its width.
    pub(super) fn line(&self, text: &str) -> (Vec<PlacedLetter>, f64) {
        if let Some(line) = self.shaped_line(text) {
            return line;
        }
        let mut letters = Vec::new();
        let (mut x, mut before) = (0.0, 0.0);
        for letter in text.chars().filter(|letter| !is_ignorable(*letter)) {
            let (letter, rise) = plain(letter);
            // The dot is placed above the preceding character.
            let x_here = if letter == DOT { before } else { x };
            let scale = if rise == 0.0 { 1.0 } else { SMALL };
            let (key, advance) = match self.faces.find(letter) {
                Some(FaceGlyph { face, glyph }) => {
                    (GlyphKey { face, glyph: glyph.0 }, self.advance(face, glyph))
                }
                None => (GlyphKey { face: NO_FACE, glyph: 0 }, BOX_WIDTH),
            };
            letters.push(PlacedLetter { letter, key, x: x_here, rise, scale, is_shaped: false });
            if letter != DOT {
                before = x;
                x += advance * scale;
            }
        }
        (letters, x)
    }

    /// Positioned glyphs of a line whose letters depend on each other, and its width.
    fn shaped_line(&self, text: &str) -> Option<(Vec<PlacedLetter>, f64)> {
        let plain: Vec<(char, f64)> = text.chars().map(plain).collect();
        let glyphs = self.faces.shape(&plain.iter().map(|plain| plain.0).collect::<String>())?;
        let mut letters = Vec::new();
        let (mut x, mut before) = (0.0, 0.0);
        for glyph in glyphs {
            let (letter, rise) = plain[glyph.letter];
            let scale = if rise == 0.0 { 1.0 } else { SMALL };
            let font = &self.faces.all()[glyph.face];
            let unit = 1000.0 / f64::from(font.units_per_em().unwrap_or(1000.0)) * scale;
            let is_box = glyph.glyph.0 == 0;
            let [right, up] = glyph.shift.map(|units| f64::from(units) * unit);
            // The dot is placed above the preceding character.
            let start = if letter == DOT { before } else { x };
            let key = if is_box {
                GlyphKey { face: NO_FACE, glyph: 0 }
            } else {
                GlyphKey { face: glyph.face, glyph: glyph.glyph.0 }
            };
            if is_box || font.outline(glyph.glyph).is_some() {
                let (x, rise) = (start + right, rise + up);
                letters.push(PlacedLetter { letter, key, x, rise, scale, is_shaped: true });
            }
            if letter != DOT {
                before = x;
                x += if is_box { BOX_WIDTH * scale } else { f64::from(glyph.advance) * unit };
            }
        }
        Some((letters, x))
    }

    /// Outline of a glyph as path data, with y downwards.
    pub(super) fn outline(&self, key: GlyphKey) -> String {
        let Some(font) = self.faces.all().get(key.face) else {
            // Hollow box with the height of a capital.
            return "M70 0V-730H630V0ZM130 -60H570V-670H130Z".into();
        };
        let scale = 1000.0 / f64::from(font.units_per_em().unwrap_or(1000.0));
        let place = |p: Point| {
            format!("{} {}", number(f64::from(p.x) * scale), number(-f64::from(p.y) * scale))
        };
        let mut path = String::new();
        let mut last = None;
        for curve in font.outline(GlyphId(key.glyph)).iter().flat_map(|outline| &outline.curves) {
            let (start, piece, end) = match curve {
                OutlineCurve::Line(a, b) => (*a, format!("L{}", place(*b)), *b),
                OutlineCurve::Quad(a, b, c) => (*a, format!("Q{} {}", place(*b), place(*c)), *c),
                OutlineCurve::Cubic(a, b, c, d) => {
                    (*a, format!("C{} {} {}", place(*b), place(*c), place(*d)), *d)
                }
            };
            if last != Some(start) {
                path += &format!("{}M{}", if last.is_some() { "Z" } else { "" }, place(start));
            }
            path += &piece;
            last = Some(end);
        }
        path + "Z"
    }

    fn advance(&self, face: usize, id: GlyphId) -> f64 {
        let font = &self.faces.all()[face];
        let units = f64::from(font.units_per_em().unwrap_or(1000.0));
        f64::from(font.h_advance_unscaled(id)) * 1000.0 / units
    }
}

/// Base character of a superscript or subscript, and its height above the baseline.
///
/// Typefaces draw superscript digits at various heights and widths, and few have subscripts.
fn plain(letter: char) -> (char, f64) {
    const RAISED: [char; 12] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁺', '⁻'];
    const LOWERED: [char; 12] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉', '₊', '₋'];
    const PLAIN: [char; 12] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '−'];
    let find = |letters: [char; 12]| letters.iter().position(|known| *known == letter);
    match (find(RAISED), find(LOWERED)) {
        (Some(index), _) => (PLAIN[index], 360.0),
        (_, Some(index)) => (PLAIN[index], -160.0),
        // Used for time derivatives: more faces have the spacing dot than the combining one.
        _ if letter == '\u{307}' => (DOT, 0.0),
        _ => (letter, 0.0),
    }
}

/// Family name of a font file whose outlines [`subset`] can reduce, from the Windows entry of its
/// name table. `None` for other files, and for names that are not ASCII.
pub(crate) fn family(file: &[u8]) -> Option<String> {
    const FAMILY: u16 = 1;
    const WINDOWS: u16 = 3;
    let tables = tables(file)?;
    tables.get(b"glyf")?;
    let names = tables.get(b"name")?;
    let number = |at: usize| Some(u16::from_be_bytes(*names.get(at..)?.first_chunk()?));
    let start = usize::from(number(4)?);
    let entry = |index: u16| {
        let at = 6 + 12 * usize::from(index);
        let is_wanted = number(at)? == WINDOWS && number(at + 6)? == FAMILY;
        let from = start + usize::from(number(at + 10)?);
        let units = names.get(from..from + usize::from(number(at + 8)?))?.as_chunks::<2>().0;
        let name = String::from_utf16(
            &units.iter().map(|unit| u16::from_be_bytes(*unit)).collect::<Vec<_>>(),
        );
        let is_plain = |c: char| c.is_ascii_alphanumeric() || " -_.".contains(c);
        name.ok().filter(|name| is_wanted && !name.is_empty() && name.chars().all(is_plain))
    };
    (0..number(2)?).find_map(entry)
}

/// Tables of a font file by their tags.
pub(crate) type FontTables = BTreeMap<[u8; 4], Vec<u8>>;

/// Reads the tables of a font file.
pub(crate) fn tables(file: &[u8]) -> Option<FontTables> {
    let number = |at: usize| Some(u32::from_be_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let count = u16::from_be_bytes(file.get(4..6)?.try_into().ok()?);
    let table = |index: usize| {
        let at = 12 + 16 * index;
        let tag: [u8; 4] = file.get(at..at + 4)?.try_into().ok()?;
        let [start, length] = [number(at + 8)? as usize, number(at + 12)? as usize];
        Some((tag, file.get(start..start.checked_add(length)?)?.to_vec()))
    };
    (0..usize::from(count)).map(table).collect()
}
