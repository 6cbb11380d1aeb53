//! Wraps text to a given width, for terminals and manual pages.

/// Line width of printed text, in characters.
pub const COLUMNS: usize = 80;

/// Wraps `head` and the words of `text` into lines of at most [`COLUMNS`] characters; a longer word
/// overflows its line. Lines after the first are indented by `indent` spaces. A `head` at least as
/// wide as `indent` gets a separate line.
pub fn wrapped(head: &str, text: &str, indent: usize) -> Vec<String> {
    wrapped_to(COLUMNS, head, text, indent)
}

/// Wraps like [`wrapped`], but into lines of at most `columns` characters.
pub fn wrapped_to(columns: usize, head: &str, text: &str, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = head.to_owned();
    let width = |line: &str| line.chars().count();
    if width(&line) >= indent && !line.trim().is_empty() {
        lines.push(line);
        line = String::new();
    }
    line += &" ".repeat(indent.saturating_sub(width(&line)));
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && width(&line) + 1 + width(word) > columns {
            lines.push(line);
            line = " ".repeat(indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    lines.push(line.trim_end().to_owned());
    lines
}
