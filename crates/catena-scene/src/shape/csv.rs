//! Rows of numbers as written by spreadsheets and other programs. Columns are separated by commas,
//! semicolons, tabs or spaces. A decimal comma is accepted if commas are not separators.

use super::wrong::Wrong;
use catena_base::text::lines;

/// Maximum number of columns per row.
const MOST_COLUMNS: usize = 64;

/// Separator of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Semicolon,
    Tab,
    Comma,
    Space,
}

/// Visits all rows of a text with their line numbers. Blank lines, comments after `#`, a header row
/// and empty cells at the end of a row are skipped.
pub(super) fn rows(
    text: &str,
    mut visit: impl FnMut(usize, &[f64]) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let separator = Separator::of(text);
    let (mut cells, mut numbers) = (Vec::new(), Vec::new());
    let mut is_first = true;
    for (line, row) in content(text) {
        separator.cells(row, &mut cells);
        if cells.len() > MOST_COLUMNS {
            return Err(Wrong::new(line, format!("more than {MOST_COLUMNS} columns")));
        }
        numbers.clear();
        numbers.extend(cells.iter().map_while(|cell| separator.number(cell)));
        if numbers.len() == cells.len() {
            if !cells.is_empty() {
                visit(line, &numbers)?;
            }
        } else if !is_first || cells.iter().any(|cell| separator.number(cell).is_some()) {
            return Err(separator.wrong(line, cells[numbers.len()]));
        }
        is_first &= cells.is_empty();
    }
    Ok(())
}

/// Returns the lines with content, without the hint `sep=;` of spreadsheets.
fn content(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = lines::numbered(text).map(|(line, row)| (line, row.trim_matches([' ', '\u{a0}'])));
    let is_hint = |row: &str| {
        let start = row.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("sep="));
        start && row.trim_end().chars().count() <= 5
    };
    lines.filter(move |(line, row)| {
        let row = row.trim();
        !(row.is_empty() || row.starts_with('#') || *line == 1 && is_hint(row))
    })
}

impl Separator {
    const ALL: [Self; 4] = [Self::Semicolon, Self::Tab, Self::Comma, Self::Space];

    /// Returns the first separator that splits a row into several numbers; the default is a comma.
    fn of(text: &str) -> Self {
        let mut cells = Vec::new();
        for (_, row) in content(text) {
            for separator in Self::ALL {
                separator.cells(row, &mut cells);
                let are_numbers = cells.iter().all(|cell| separator.number(cell).is_some());
                if cells.len() > 1 && are_numbers {
                    return separator;
                }
            }
        }
        Self::Comma
    }

    /// Splits a row into cells without quotation marks, and drops empty cells at the end.
    fn cells<'a>(self, row: &'a str, cells: &mut Vec<&'a str>) {
        cells.clear();
        let mark = match self {
            Self::Semicolon => ';',
            Self::Tab => '\t',
            Self::Comma => ',',
            Self::Space => {
                cells.extend(row.split_whitespace().take(MOST_COLUMNS + 1));
                return;
            }
        };
        let mut is_quoted = false;
        let parts = row.split(|c| {
            is_quoted ^= c == '"';
            c == mark && !is_quoted
        });
        cells.extend(parts.map(unquoted).take(MOST_COLUMNS + 1));
        while cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
    }

    /// Parses a cell as a number.
    fn number(self, cell: &str) -> Option<f64> {
        let is_decimal_comma = self != Self::Comma && !cell.contains('.');
        match cell.split_once(',').filter(|_| is_decimal_comma) {
            None => cell.parse().ok(),
            Some((whole, part)) => format!("{whole}.{part}").parse().ok(),
        }
    }

    /// Returns the error of a cell that is not a number.
    fn wrong(self, line: usize, cell: &str) -> Wrong {
        let wrong = Wrong::new(line, "expected numbers").found(cell);
        match self {
            Self::Comma => wrong,
            Self::Semicolon => wrong.help("columns are separated by semicolons in this file"),
            Self::Tab => wrong.help("columns are separated by tabs in this file"),
            Self::Space => wrong.help("columns are separated by spaces in this file"),
        }
    }
}

fn unquoted(cell: &str) -> &str {
    let cell = cell.trim();
    let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    inner.unwrap_or(cell).trim()
}
