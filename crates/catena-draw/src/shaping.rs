//! Shaping of lines of text: scripts that run from right to left, letters that join or change
//! places, and marks on letters. Positions are whole units of a typeface, so they are the same on
//! every machine.

use super::faces::{Faces, ShapedGlyph, is_ignorable};
use ab_glyph::{Font as _, GlyphId};
use rustybuzz::{BufferFlags, Direction, Face, UnicodeBuffer, ttf_parser::Tag};
use std::ops::Range;
use unicode_bidi::{LTR_LEVEL, ParagraphBidiInfo, RTL_LEVEL};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_script::{Script, UnicodeScript as _};

/// A line of text and the faces that may draw it.
struct Shaper<'a> {
    faces: &'a Faces,
    opened: Vec<Face<'a>>,
    /// Characters of the line, with spaces for all kinds of blanks.
    letters: Vec<char>,
}

/// A letter with the marks on it.
struct Cluster {
    /// Index range of the letter and its marks.
    letters: Range<usize>,
    face: usize,
    /// Script of the letter. Digits and signs take the script of a neighbour.
    script: Script,
}

/// Glyphs of a line from left to right, or `None` if a face cannot be opened.
pub(super) fn shape(faces: &Faces, text: &str) -> Option<Vec<ShapedGlyph>> {
    let opened = faces.files().map(|file| Face::from_slice(file, 0)).collect::<Option<_>>()?;
    let blank = |letter: char| letter.is_whitespace() || letter.is_control();
    let letters = text.chars().map(|letter| if blank(letter) { ' ' } else { letter }).collect();
    Some(Shaper { faces, opened, letters }.line())
}

/// Whether the first letter with a direction runs from right to left, so that the line begins at
/// the right.
pub fn is_right_to_left(text: &str) -> bool {
    matches!(unicode_bidi::get_base_direction(text), unicode_bidi::Direction::Rtl)
}

impl Shaper<'_> {
    fn line(&self) -> Vec<ShapedGlyph> {
        let text: String = self.letters.iter().collect();
        let level = if is_right_to_left(&text) { RTL_LEVEL } else { LTR_LEVEL };
        let mut bidi = ParagraphBidiInfo::new(&text, Some(level));
        for (sign, digit) in signs(&text) {
            let level = bidi.levels[digit];
            bidi.levels[sign].fill(level);
        }
        // Indices of characters by bytes.
        let mut index = vec![self.letters.len(); text.len() + 1];
        for (number, (byte, _)) in text.char_indices().enumerate() {
            index[byte] = number;
        }
        let clusters = self.clusters();
        let (levels, runs) = bidi.visual_runs(0..text.len());
        let mut glyphs = Vec::new();
        for run in runs {
            let direction = if levels[run.start].is_rtl() {
                Direction::RightToLeft
            } else {
                Direction::LeftToRight
            };
            self.run(&clusters, index[run.start]..index[run.end], direction, &mut glyphs);
        }
        glyphs
    }

    /// Adds the glyphs of characters of one direction, from left to right.
    fn run(
        &self,
        clusters: &[Cluster],
        letters: Range<usize>,
        direction: Direction,
        glyphs: &mut Vec<ShapedGlyph>,
    ) {
        let within = |cluster: &&Cluster| letters.contains(&cluster.letters.start);
        let clusters: Vec<&Cluster> = clusters.iter().filter(within).collect();
        let mut parts: Vec<&[&Cluster]> =
            clusters.chunk_by(|a, b| (a.face, a.script) == (b.face, b.script)).collect();
        if direction == Direction::RightToLeft {
            parts.reverse();
        }
        for part in parts {
            let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
            // The direction may change within a cluster, between a letter and its marks.
            let range = first.letters.start..last.letters.end.min(letters.end);
            glyphs.extend(self.part(range, first, direction));
        }
    }

    /// Glyphs of characters of one face, script and direction, from left to right.
    fn part(
        &self,
        letters: Range<usize>,
        first: &Cluster,
        direction: Direction,
    ) -> impl Iterator<Item = ShapedGlyph> {
        let mut buffer = self.buffer(letters);
        buffer.set_direction(direction);
        let tag = Tag::from_bytes_lossy(first.script.short_name().as_bytes());
        if let Some(script) = rustybuzz::Script::from_iso15924_tag(tag) {
            buffer.set_script(script);
        }
        let shaped = rustybuzz::shape(&self.opened[first.face], &[], buffer);
        let glyph = |(info, at): (&rustybuzz::GlyphInfo, &rustybuzz::GlyphPosition)| ShapedGlyph {
            face: first.face,
            glyph: GlyphId(info.glyph_id as u16),
            letter: info.cluster as usize,
            advance: at.x_advance,
            shift: [at.x_offset, at.y_offset],
        };
        let glyphs: Vec<ShapedGlyph> =
            shaped.glyph_infos().iter().zip(shaped.glyph_positions()).map(glyph).collect();
        glyphs.into_iter()
    }

    /// Characters to shape, with their neighbours as context, which affects joining.
    fn buffer(&self, letters: Range<usize>) -> UnicodeBuffer {
        let mut buffer = UnicodeBuffer::new();
        let text = |range: Range<usize>| self.letters[range].iter().collect::<String>();
        buffer.set_pre_context(&text(0..letters.start));
        buffer.set_post_context(&text(letters.end..self.letters.len()));
        let mut flags = BufferFlags::default();
        flags.set(BufferFlags::BEGINNING_OF_TEXT, letters.start == 0);
        flags.set(BufferFlags::END_OF_TEXT, letters.end == self.letters.len());
        buffer.set_flags(flags);
        letters.for_each(|index| buffer.add(self.letters[index], index as u32));
        buffer
    }

    /// Divides the line into letters with their marks.
    fn clusters(&self) -> Vec<Cluster> {
        let has_script = |script: &Script| {
            !matches!(script, Script::Common | Script::Inherited | Script::Unknown)
        };
        let known = |letter: &char| Some(letter.script()).filter(has_script);
        let mut script = self.letters.iter().find_map(known).unwrap_or(Script::Common);
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut start = 0;
        for index in 1..=self.letters.len() {
            if self.letters.get(index).is_some_and(|letter| is_attached(*letter)) {
                continue;
            }
            let letters = start..index;
            script = known(&self.letters[start]).unwrap_or(script);
            clusters.push(Cluster { face: self.face(letters.clone()), letters, script });
            start = index;
        }
        clusters
    }

    /// First face that draws the whole cluster. Otherwise the first face that draws the letter
    /// without its marks, or the first face, which draws a box.
    fn face(&self, letters: Range<usize>) -> usize {
        let first = self.letters[letters.start];
        let of_letter = || self.faces.find(first).map_or(0, |found| found.face);
        if letters.len() == 1 {
            return of_letter();
        }
        let is_blank = |letter: &char| *letter == ' ' || is_ignorable(*letter);
        let all_blank = self.letters[letters.clone()].iter().all(is_blank);
        let draws = |index: &usize| {
            let mut buffer = self.buffer(letters.clone());
            buffer.guess_segment_properties();
            let shaped = rustybuzz::shape(&self.opened[*index], &[], buffer);
            let mut glyphs = shaped.glyph_infos().iter().map(|info| info.glyph_id);
            let face = &self.faces.all()[*index];
            let is_drawn = |id: u32| face.outline(GlyphId(id as u16)).is_some();
            glyphs.clone().all(|id| id != 0) && (all_blank || glyphs.any(is_drawn))
        };
        (0..self.opened.len()).find(draws).unwrap_or_else(of_letter)
    }
}

/// Byte ranges of the signs of numbers, each with the offset of the first digit after it. The
/// Unicode bidirectional algorithm treats them as punctuation, which puts the sign of a number
/// within text from right to left at the number's right end. Mathematics has it at the left end,
/// before digits from 0 to 9, as Hebrew and Arabic number formats of the CLDR do.
fn signs(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    let is_sign = |letter: char| matches!(letter, '-' | '+' | '\u{b1}' | '\u{2212}');
    text.char_indices().filter(move |(_, letter)| is_sign(*letter)).filter_map(|(at, letter)| {
        let end = at + letter.len_utf8();
        let before = text[..at].chars().next_back();
        let is_alone = before.is_none_or(|before| !before.is_alphanumeric() && before != ')');
        let dot = usize::from(text[end..].starts_with('.'));
        let is_number = text[end + dot..].starts_with(|next: char| next.is_ascii_digit());
        (is_alone && is_number).then_some((at..end + dot, end + dot))
    })
}

/// Whether a character belongs to the preceding letter.
fn is_attached(letter: char) -> bool {
    is_ignorable(letter) || letter.general_category_group() == GeneralCategoryGroup::Mark
}
