//! Text from elsewhere, made safe for terminals: labels in scenes and names of files can hold
//! commands to one.
//!
//! Hidden characters become escapes such as `\n` or `\u{1b}`, which is also how a scene would write
//! them.

use std::{borrow::Cow, fmt::Write, path::Path};

/// Whether a character controls a terminal, breaks a line, reverses the direction of text, or has
/// no width, so that two texts could look the same.
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

/// A text on one line: line breaks become escapes too.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden, |letter, out| out.extend(letter.escape_default()))
}

/// A text of several lines: line breaks stay.
pub fn text(text: &str) -> Cow<'_, str> {
    let is_hidden = |letter| letter != '\n' && is_hidden(letter);
    escaped(text, is_hidden, |letter, out| out.extend(letter.escape_default()))
}

/// A path on one line.
pub fn path(path: &Path) -> String {
    line(&path.to_string_lossy()).into_owned()
}

/// JSON with the same meaning. Only line breaks between values stay, since JSON writes those within
/// a text as escapes.
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
