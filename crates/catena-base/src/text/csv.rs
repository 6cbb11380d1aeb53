//! Cells of tables in comma-separated values.

use super::printable;
use std::fmt;

/// Number in a cell, with enough digits that parsing the cell gives a bit-identical number.
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `Debug` prints the minimum number of digits, and an exponent if that is shorter.
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
