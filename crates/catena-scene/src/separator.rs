//! Separators of columns in files of numbers.

use super::shape::data_file::DataError;
use catena_base::text::lines;

/// Separator of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    Semicolon,
    Tab,
    Comma,
    Space,
}

/// Returns the lines with content, without the hint `sep=;` of spreadsheets.
pub(super) fn content(text: &str) -> impl Iterator<Item = (usize, &str)> {
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

/// Drops empty cells at the end of a row.
pub(super) fn without_empty_end(cells: &mut Vec<&str>) {
    while cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
}

impl Separator {
    pub(super) const ALL: [Self; 4] = [Self::Semicolon, Self::Tab, Self::Comma, Self::Space];

    /// Returns the first separator that splits a row into several values.
    pub(super) fn of<'a>(
        rows: impl Iterator<Item = &'a str>,
        maximum: usize,
        is_value: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let mut cells = Vec::new();
        for row in rows {
            for separator in Self::ALL {
                separator.cells(row, maximum, &mut cells);
                without_empty_end(&mut cells);
                if cells.len() > 1 && cells.iter().all(|cell| is_value(cell)) {
                    return Some(separator);
                }
            }
        }
        None
    }

    /// Returns the character between two columns; `None` for any number of spaces.
    pub(super) fn mark(self) -> Option<char> {
        match self {
            Self::Semicolon => Some(';'),
            Self::Tab => Some('\t'),
            Self::Comma => Some(','),
            Self::Space => None,
        }
    }

    /// Returns the name of the separator, in the plural.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Semicolon => "semicolons",
            Self::Tab => "tabs",
            Self::Comma => "commas",
            Self::Space => "spaces",
        }
    }

    /// Splits a row into cells without quotation marks. Cells beyond `maximum` + 1 are dropped.
    pub(super) fn cells<'a>(self, row: &'a str, maximum: usize, cells: &mut Vec<&'a str>) {
        cells.clear();
        let Some(mark) = self.mark() else {
            cells.extend(row.split_whitespace().map(unquoted).take(maximum + 1));
            return;
        };
        let mut is_quoted = false;
        let parts = row.split(|c| {
            is_quoted ^= c == '"';
            c == mark && !is_quoted
        });
        cells.extend(parts.map(unquoted).take(maximum + 1));
    }

    /// Parses a cell as a number, with a decimal point or comma. If commas separate columns, a cell
    /// with a decimal comma has quotation marks.
    pub(super) fn number(cell: &str) -> Option<f64> {
        match cell.split_once(',').filter(|_| !cell.contains('.')) {
            None => cell.parse().ok().or_else(|| of_fortran(cell)),
            Some((whole, part)) => format!("{whole}.{part}").parse().ok(),
        }
    }

    /// Returns the error of a cell that is not a number.
    pub(super) fn wrong(self, line: usize, cell: &str) -> DataError {
        let wrong = DataError::new(line, "expected numbers").found(cell);
        match self {
            Self::Comma => wrong,
            _ => wrong.help(format!("columns are separated by {} in this file", self.name())),
        }
    }
}

/// Parses a double-precision number of Fortran, such as 1.5D-3.
fn of_fortran(cell: &str) -> Option<f64> {
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let has_mark = digits > 1 && cell.contains(['D', 'd']);
    has_mark.then(|| cell.replace(['D', 'd'], "e").parse().ok()).flatten()
}

fn unquoted(cell: &str) -> &str {
    let cell = cell.trim();
    let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    inner.unwrap_or(cell).trim()
}
