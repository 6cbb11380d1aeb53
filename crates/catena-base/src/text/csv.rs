//! Text in tables of comma-separated values.

use super::printable;
use std::fmt;

/// A number in a cell, with as many digits as it takes to read the same bits back.
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Debug prints the fewest such digits, with a power of ten where that is shorter.
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A cell of text: hidden characters as escapes, in quotes where RFC 4180 asks for them.
///
/// Spreadsheets run a cell that begins like a formula, so such a text gets an apostrophe in front.
/// Numbers are written without this.
pub fn cell(text: &str) -> String {
    let text = printable::line(text);
    let runs = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let text = if runs { format!("'{text}") } else { text.into_owned() };
    if text.contains([',', '"', ';']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
