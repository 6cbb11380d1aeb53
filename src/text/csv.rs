//! Text in tables of comma-separated values.

/// A cell of text, in quotes where RFC 4180 wants them.
///
/// Numbers are written without this: a spreadsheet may compute with them.
pub fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
