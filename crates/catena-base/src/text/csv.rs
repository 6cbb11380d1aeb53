//! Cells of tables in comma-separated values.

use super::printable;
use std::fmt;

/// Number in a cell, with enough digits to read the same bits back.
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `Debug` prints the fewest such digits, and an exponent where that is shorter.
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Formats a text as a cell. Hidden characters become escapes, and the cell is quoted where RFC
/// 4180 requires it.
///
/// Spreadsheets evaluate a cell that begins like a formula, so such a text gets a leading
/// apostrophe. A text with apostrophes before the formula gets one more, so that two texts never
/// become one cell. Numbers are written by [`Number`], without an apostrophe.
pub fn cell(text: &str) -> String {
    let text = printable::line(text);
    let runs =
        text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let text = if runs { format!("'{text}") } else { text.into_owned() };
    if text.contains([',', '"', ';']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::cell;

    /// Cells of a row by RFC 4180, as other programs read them.
    fn read(row: &str) -> Vec<String> {
        let (mut cells, mut is_quoted) = (vec![String::new()], false);
        let mut letters = row.chars().peekable();
        while let Some(letter) = letters.next() {
            let last = cells.len() - 1;
            match letter {
                '"' if is_quoted && letters.peek() == Some(&'"') => {
                    letters.next();
                    cells[last].push('"');
                }
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(String::new()),
                letter => cells[last].push(letter),
            }
        }
        cells
    }

    #[test]
    fn names_come_back_as_one_cell_each_and_stay_apart() {
        let rows = [
            ("plain", "plain"),
            ("'tis quoted", "'tis quoted"),
            ("\"", "\""),
            ("\"a\", b; c", "\"a\", b; c"),
            ("a\nb\rc", "a\\nb\\rc"),
            (" lead", " lead"),
            ("", ""),
            ("=1+2", "'=1+2"),
            ("'=1+2", "''=1+2"),
            ("''-1, \"x\"", "'''-1, \"x\""),
            ("-", "'-"),
        ];
        let row = rows.map(|(text, _)| cell(text)).join(",");
        assert!(!row.contains(['\n', '\r']), "{row}");
        assert_eq!(read(&row), rows.map(|(_, expected)| expected));
    }
}
