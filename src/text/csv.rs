//! Text in tables of comma-separated values.

use super::printable;

/// A cell of text: what cannot be seen as escapes, and in quotes where RFC 4180 wants them.
///
/// Spreadsheets run what begins like a formula, so such a text gets an apostrophe in front. Numbers
/// are written without this.
pub fn cell(text: &str) -> String {
    let text = printable::line(text);
    let runs = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let text = if runs { format!("'{text}") } else { text.into_owned() };
    if text.contains([',', '"', ';']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
