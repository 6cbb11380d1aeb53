//! Writes text into SVG: as outlines of glyphs, or as text with the font subset that it needs.

use super::{
    path::{factor, number},
    svg::{PageInk, SvgWriter, TextLine, letter_id},
    typeface::{PlacedLetter, Words},
};
use crate::figure::chart::typeface::{FontTables, tables};
use catena_base::text::markup::{base64, color, escape};
use catena_draw::{text::Align, theme::Ink};
use std::collections::BTreeSet;
use std::f64::consts::FRAC_1_SQRT_2;
use std::fmt::Write as _;
use subsetter::GlyphRemapper;

/// Width of the halo around text over lines, in pixels.
const RIM: f64 = 3.0;

impl SvgWriter<'_> {
    /// Writes a line of text in a colour of the page; y is its baseline.
    pub fn write_text(&mut self, at: (f64, f64), role: PageInk, line: TextLine<'_>) {
        let (class, ink) = self.role(role);
        let paint = format!("class=\"{class}\" fill=\"{}\"", color(ink.0));
        self.write_painted_text(at, &paint, line);
    }

    /// Writes a line of text in the colour of a mark; y is its baseline.
    pub fn write_colored_text(&mut self, at: (f64, f64), ink: Ink, line: TextLine<'_>) {
        self.write_painted_text(at, &format!("fill=\"{}\"", color(ink.0)), line);
    }

    fn write_painted_text(&mut self, at: (f64, f64), paint: &str, line: TextLine<'_>) {
        let (letters, width) = self.typeface.line(line.text);
        let start = match line.align {
            Align::Left => 0.0,
            Align::Center => -width / 2.0,
            Align::Right => -width,
        };
        let has_text = self.typeface.words() == Words::Text && self.typeface.family().is_some();
        let is_text = |letter: &PlacedLetter| has_text && letter.key.face == 0 && !letter.is_shaped;
        let outlines: Vec<PlacedLetter> =
            letters.iter().filter(|letter| !is_text(letter)).cloned().collect();
        self.write_outlines(at, paint, line, &outlines, start);
        // Letters of other faces split the text into runs.
        let of_run = |letter: &PlacedLetter| (is_text(letter), letter.rise, letter.scale);
        let runs: Vec<&[PlacedLetter]> = letters
            .chunk_by(|a, b| of_run(a) == of_run(b))
            .filter(|run| run.first().is_some_and(is_text))
            .collect();
        self.write_text_runs(at, paint, line, &runs, start);
    }

    /// Writes characters as outlines; `start` is the start of the line in thousandths of its size.
    fn write_outlines(
        &mut self,
        at: (f64, f64),
        paint: &str,
        line: TextLine<'_>,
        letters: &[PlacedLetter],
        start: f64,
    ) {
        let scale = line.size / 1000.0;
        let turn = turn(line.eighths, scale, at);
        let mut uses = String::new();
        let is_seen = |letter: &&PlacedLetter| letter.is_shaped || !letter.letter.is_whitespace();
        for letter in letters.iter().filter(is_seen) {
            self.letters.insert(letter.key);
            let href = format!("xlink:href=\"#{}-{}\"", self.name, letter_id(letter.key));
            let (x, y) = (number(letter.x + start), number(-letter.rise));
            if letter.scale == 1.0 && letter.rise == 0.0 {
                let _ = writeln!(uses, "<use {href} x=\"{x}\"/>");
            } else {
                let scale = number(letter.scale);
                let _ =
                    writeln!(uses, "<use {href} transform=\"translate({x} {y}) scale({scale})\"/>");
            }
        }
        if uses.is_empty() {
            return;
        }
        let label = escape(line.text);
        if line.has_halo {
            let page = color(self.theme.page.0);
            // The halo has the same width for every text size.
            let width = number(RIM / scale);
            let _ = writeln!(
                self.body,
                "<g class=\"ch-page ch-halo\" fill=\"{page}\" stroke=\"{page}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\" transform=\"{turn}\" aria-hidden=\"true\">\n{uses}</g>"
            );
        }
        let _ = writeln!(
            self.body,
            "<g {paint} transform=\"{turn}\" aria-label=\"{label}\">\n{uses}</g>"
        );
    }

    /// Writes characters as text, in runs of equal height and size.
    fn write_text_runs(
        &mut self,
        at: (f64, f64),
        paint: &str,
        line: TextLine<'_>,
        text: &[&[PlacedLetter]],
        start: f64,
    ) {
        if text.iter().copied().flatten().all(|letter| letter.letter.is_whitespace()) {
            return;
        }
        let Some(family) = self.typeface.family().map(escape) else { return };
        let scale = line.size / 1000.0;
        let mut runs = String::new();
        for run in text {
            let text: String = run.iter().map(|letter| letter.letter).collect();
            self.written.extend(run.iter().map(|letter| (letter.letter, letter.key.glyph)));
            let first = &run[0];
            let _ = write!(
                runs,
                "<tspan x=\"{}\" y=\"{}\" font-size=\"{}\">{}</tspan>",
                number((first.x + start) * scale),
                number(-first.rise * scale),
                number(line.size * first.scale),
                escape(&text)
            );
        }
        let rim = if line.has_halo {
            let page = color(self.theme.page.0);
            format!(
                " stroke=\"{page}\" stroke-width=\"{}\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                number(RIM)
            )
        } else {
            String::new()
        };
        let _ = writeln!(
            self.body,
            "<text {paint}{rim} font-family=\"{}-letters, '{family}', sans-serif\" font-size=\"{}\" \
             xml:space=\"preserve\" transform=\"{}\">{runs}</text>",
            self.name,
            number(line.size),
            turn(line.eighths, 1.0, at)
        );
    }

    /// Font face with the subset of the typeface that the text needs; empty if all text is
    /// outlines.
    pub(super) fn font_face(&self) -> String {
        let file = self.typeface.faces().first_file();
        let needed = if self.written.is_empty() { None } else { subset(file, &self.written) };
        needed.map_or(String::new(), |file| {
            format!(
                "<style>@font-face{{font-family:\"{}-letters\";src:url(\"data:font/ttf;base64,{}\")}}</style>\n",
                self.name,
                base64(&file)
            )
        })
    }
}

/// Transform to the position of a line that is rotated anticlockwise by eighths of a full turn.
fn turn(eighths: u8, scale: f64, at: (f64, f64)) -> String {
    // Constants, since sines differ between machines.
    let (along, up) = match eighths {
        0 => (scale, 0.0),
        1 => (scale * FRAC_1_SQRT_2, scale * FRAC_1_SQRT_2),
        _ => (0.0, scale),
    };
    format!(
        "matrix({} {} {} {} {} {})",
        factor(along),
        factor(-up),
        factor(up),
        factor(along),
        number(at.0),
        number(at.1)
    )
}

/// Creates a font file with these characters, each given with its glyph. Returns `None` if the
/// input is not a TrueType font.
pub(super) fn subset(file: &[u8], letters: &BTreeSet<(char, u16)>) -> Option<Vec<u8>> {
    let mut glyphs = GlyphRemapper::new();
    letters.iter().for_each(|(_, glyph)| {
        glyphs.remap(*glyph);
    });
    let whole = tables(file)?;
    let mut kept = tables(&subsetter::subset(file, 0, &glyphs).ok()?)?;
    for tag in [b"OS/2", b"name"] {
        kept.insert(*tag, whole.get(tag)?.clone());
    }
    // Version 3 contains no glyph names.
    let mut post = whole.get(b"post")?.get(..32)?.to_vec();
    post[..4].copy_from_slice(&[0, 3, 0, 0]);
    kept.insert(*b"post", post);
    let mapped = letters.iter().map(|(letter, glyph)| Some((*letter, glyphs.get(*glyph)?)));
    kept.insert(*b"cmap", glyph_table(&mapped.collect::<Option<Vec<_>>>()?));
    Some(font_file(kept))
}

/// Table that maps each character to its glyph: segmented coverage, one group per character.
fn glyph_table(glyphs: &[(char, u16)]) -> Vec<u8> {
    let length = 16 + 12 * glyphs.len() as u32;
    // Version 0 with one table, for Unicode on every platform (3, 10), at offset 12.
    let mut table = vec![0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0];
    for number in [length, 0, glyphs.len() as u32] {
        table.extend(number.to_be_bytes());
    }
    for (letter, glyph) in glyphs {
        for number in [u32::from(*letter), u32::from(*letter), u32::from(*glyph)] {
            table.extend(number.to_be_bytes());
        }
    }
    table
}

/// Assembles a font file from tables, with their checksums.
fn font_file(mut tables: FontTables) -> Vec<u8> {
    if let Some(sum) = tables.get_mut(b"head").and_then(|head| head.get_mut(8..12)) {
        sum.fill(0);
    }
    let count = tables.len() as u16;
    let power = count.max(1).ilog2() as u16;
    let range = 16 << power;
    let mut file = vec![0, 1, 0, 0];
    for number in [count, range, power, 16 * count - range] {
        file.extend(number.to_be_bytes());
    }
    let mut body = Vec::new();
    let start = 12 + 16 * tables.len();
    let mut head = None;
    for (tag, table) in &tables {
        let at = start + body.len();
        head = if tag == b"head" { Some(at) } else { head };
        file.extend(tag);
        for number in [sum(table), at as u32, table.len() as u32] {
            file.extend(number.to_be_bytes());
        }
        body.extend(table);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    file.extend(body);
    let rest = 0xB1B0_AFBA_u32.wrapping_sub(sum(&file));
    if let Some(sum) = head.and_then(|at| file.get_mut(at + 8..at + 12)) {
        sum.copy_from_slice(&rest.to_be_bytes());
    }
    file
}

/// Sum of all 32-bit words of a table.
fn sum(table: &[u8]) -> u32 {
    let word = |bytes: &[u8]| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_be_bytes(word)
    };
    table.chunks(4).map(word).fold(0, u32::wrapping_add)
}
