//! Makes foreign text safe for terminals: labels in scenes and file names can contain terminal
//! commands.
//!
//! Hidden characters become escapes such as `\n` or `\u{1b}`, the notation that scenes use for
//! them.

use std::{borrow::Cow, fmt::Write, path::Path};

/// Whether a character could mislead a reader. Such a character controls a terminal, breaks a line,
/// reverses the text direction, or has no width.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Escapes the hidden characters of a text, line breaks included.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden, |letter, out| out.extend(letter.escape_default()))
}

/// Escapes the hidden characters of a text, but keeps its line feeds.
pub fn text(text: &str) -> Cow<'_, str> {
    let is_hidden = |letter| letter != '\n' && is_hidden(letter);
    escaped(text, is_hidden, |letter, out| out.extend(letter.escape_default()))
}

/// Formats a path on one line, with its hidden characters escaped.
pub fn path(path: &Path) -> String {
    line(&path.to_string_lossy()).into_owned()
}

/// Escapes the hidden characters of a JSON document without changing its meaning. Line feeds stay:
/// JSON allows them only between values.
pub fn json(json: &str) -> Cow<'_, str> {
    let is_hidden = |letter| letter != '\n' && is_hidden(letter);
    escaped(json, is_hidden, |letter, out| {
        let mut halves = [0; 2];
        for half in letter.encode_utf16(&mut halves) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{half:04x}");
        }
    })
}

fn escaped(
    text: &str,
    is_hidden: impl Fn(char) -> bool,
    escape: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_hidden(letter) { escape(letter, &mut out) } else { out.push(letter) }
    }
    Cow::Owned(out)
}
