//! Writes text into SVG: as outlines of glyphs, or as text.

use super::number::{factor, number};
use super::subset::subset;
use super::svg::{PageInk, SvgWriter, TextLine, letter_id};
use super::typeface::{PlacedLetter, Words};
use catena_base::text::markup::{base64, color, escape};
use catena_draw::faces::{BUILT_IN, BUILT_IN_NAME};
use catena_draw::text::Align;
use catena_draw::theme::Ink;
use std::f64::consts::FRAC_1_SQRT_2;
use std::fmt::Write as _;

/// Width of the halo around text over lines, in pixels.
const RIM: f64 = 3.0;

impl SvgWriter<'_> {
    /// Writes a line of text in a colour of the page; y is its baseline.
    pub fn text(&mut self, (x, y): (f64, f64), role: PageInk, line: TextLine<'_>) {
        let (class, ink) = self.role(role);
        let paint = format!("class=\"{class}\" fill=\"{}\"", color(ink.0));
        self.text_in((x, y), &paint, line);
    }

    /// Writes a line of text in the colour of a mark; y is its baseline.
    pub fn text_of(&mut self, (x, y): (f64, f64), ink: Ink, line: TextLine<'_>) {
        self.text_in((x, y), &format!("fill=\"{}\"", color(ink.0)), line);
    }

    fn text_in(&mut self, at: (f64, f64), paint: &str, line: TextLine<'_>) {
        let (letters, width) = self.typeface.line(line.text);
        let start = match line.align {
            Align::Left => 0.0,
            Align::Center => -width / 2.0,
            Align::Right => -width,
        };
        let is_text =
            |letter: &PlacedLetter| self.typeface.words() == Words::Text && letter.key.0 == 0;
        let (text, outlines): (Vec<PlacedLetter>, Vec<PlacedLetter>) =
            letters.into_iter().partition(is_text);
        self.outlines(at, paint, line, (&outlines, start));
        self.text_runs(at, paint, line, (&text, start));
    }

    /// Writes characters as outlines; `start` is the start of the line in thousandths of its size.
    fn outlines(
        &mut self,
        at: (f64, f64),
        paint: &str,
        line: TextLine<'_>,
        (letters, start): (&[PlacedLetter], f64),
    ) {
        let scale = line.size / 1000.0;
        let turn = turn(line.eighths, scale, at);
        let mut uses = String::new();
        for letter in letters.iter().filter(|letter| !letter.letter.is_whitespace()) {
            self.letters.insert(letter.key);
            let href = format!("xlink:href=\"#{}-{}\"", self.name, letter_id(letter.key));
            let (x, y) = (number(letter.x + start), number(-letter.rise));
            if letter.scale == 1.0 {
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
    fn text_runs(
        &mut self,
        at: (f64, f64),
        paint: &str,
        line: TextLine<'_>,
        (letters, start): (&[PlacedLetter], f64),
    ) {
        if letters.iter().all(|letter| letter.letter.is_whitespace()) {
            return;
        }
        let scale = line.size / 1000.0;
        let mut runs = String::new();
        for run in letters.chunk_by(|a, b| (a.rise, a.scale) == (b.rise, b.scale)) {
            let text: String = run.iter().map(|letter| letter.letter).collect();
            self.written.extend(run.iter().map(|letter| (letter.letter, letter.key.1)));
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
            "<text {paint}{rim} font-family=\"{}-{BUILT_IN_NAME}, {BUILT_IN_NAME}, monospace\" font-size=\"{}\" \
             xml:space=\"preserve\" transform=\"{}\">{runs}</text>",
            self.name,
            number(line.size),
            turn(line.eighths, 1.0, at)
        );
    }

    /// Font face with the subset of the typeface that the text needs; empty if all text is
    /// outlines.
    pub(super) fn font_face(&self) -> String {
        let needed = if self.written.is_empty() { None } else { subset(BUILT_IN, &self.written) };
        needed.map_or(String::new(), |file| {
            format!(
                "<style>@font-face{{font-family:\"{}-{BUILT_IN_NAME}\";src:url(\"data:font/ttf;base64,{}\")}}</style>\n",
                self.name,
                base64(&file)
            )
        })
    }
}

/// Transform to the position of a line that is rotated anticlockwise by eighths of a full turn.
fn turn(eighths: u8, scale: f64, (x, y): (f64, f64)) -> String {
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
        number(x),
        number(y)
    )
}
