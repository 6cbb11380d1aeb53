//! Lines between two points.

use super::columns::LINES;
use super::line_types::LineType;
use super::points::{DeckPoint, check_number};
use super::rows::{DeckText, SectionKind};
use crate::deck::row::{Row, Word};
use crate::diagnostic::Fault;
use std::ops::Range;

/// Line between two points.
#[derive(Clone, Debug)]
pub(super) struct DeckLine {
    /// Number of the line in the deck.
    pub number: usize,
    /// Index of the line type.
    pub kind: usize,
    /// Indices of the points at ends A and B.
    pub ends: [usize; 2],
    /// Unstretched length.
    pub length: f64,
    pub segments: usize,
    /// Letters that select the outputs of the line.
    pub outputs: String,
    /// Byte range of the row in the deck.
    pub span: Range<usize>,
}

impl DeckLine {
    /// Returns the name of the line in scenes.
    pub fn name(&self) -> String {
        format!("line {}", self.number)
    }
}

/// Reads all lines.
pub(super) fn read(
    text: &DeckText<'_>,
    types: &[LineType],
    points: &[DeckPoint],
) -> Result<Vec<DeckLine>, Fault> {
    let Some((layout, rows)) = text.table(SectionKind::Lines, LINES)? else {
        return Ok(Vec::new());
    };
    let read = |(index, row)| line(row, layout.version, types, points, index + 1);
    let lines: Vec<DeckLine> = rows.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
    match (lines.is_empty(), text.section(SectionKind::Lines)) {
        (true, Some(section)) => {
            let help = "write a row for each line: its number, type, two points, length and number \
                        of segments";
            Err(section.title.fault("the deck has no lines", help))
        }
        _ => Ok(lines),
    }
}

fn line(
    row: &Row<'_>,
    version: u8,
    types: &[LineType],
    points: &[DeckPoint],
    next: usize,
) -> Result<DeckLine, Fault> {
    let words = &row.words;
    check_number(&words[0], "line", next)?;
    let kind = types.iter().position(|known| known.name == words[1].text).ok_or_else(|| {
        let names: Vec<&str> = types.iter().map(|known| known.name.as_str()).collect();
        Fault::unknown("line type", words[1].text, &names).at(words[1].span.clone())
    })?;
    let (a, b, length, segments) = match version {
        1 => (&words[4], &words[5], &words[2], &words[3]),
        _ => (&words[2], &words[3], &words[4], &words[5]),
    };
    let ends = [end(a, points)?, end(b, points)?];
    if points[ends[0]].place == points[ends[1]].place {
        let help = "place its two ends at different positions";
        return Err(Fault::with_help(
            row.span(),
            format!("line {next} starts and ends at the same position"),
            help,
        ));
    }
    Ok(DeckLine {
        number: next,
        kind,
        ends,
        length: length.positive("the unstretched length")?,
        segments: segments.count("the number of segments")?,
        outputs: words[6].text.trim_matches('-').into(),
        span: row.span(),
    })
}

/// Returns the index of the point that a word names: a number, or P, Point, C or Con followed by a
/// number.
fn end(word: &Word<'_>, points: &[DeckPoint]) -> Result<usize, Fault> {
    let lower = word.text.to_lowercase();
    let digits = lower.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &lower[..lower.len() - digits.len()];
    if ["r", "rod"].contains(&letters) {
        let help = "attach the line to a point: a rod of MoorDyn, which has six degrees of \
                    freedom, cannot be imported";
        return Err(word.fault(format!("`{}` is the end of a rod", word.text), help));
    }
    let is_point = ["", "p", "point", "c", "con"].contains(&letters);
    let number = digits.parse::<usize>().ok().filter(|_| is_point);
    let index = number.and_then(|number| number.checked_sub(1));
    index.filter(|index| *index < points.len()).ok_or_else(|| {
        let help = format!("points are numbered from 1 to {}", points.len());
        word.fault(format!("there is no point `{}`", word.text), help)
    })
}
