//! Quotes and splits words of shell commands that messages suggest.

use super::printable::is_hidden;
use std::ffi::OsStr;

/// Quotes a word for a POSIX shell, unless it is safe without quotes. Hidden characters become
/// octal escapes of their bytes.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref();
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%^".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(is_plain) => text.into(),
        // Each quote ends the quoted text, adds itself escaped, and opens the quotes again.
        Some(text) if !text.contains(is_hidden) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => by_bytes(word.as_encoded_bytes()),
    }
}

/// Splits a command made of [`quoted`] words into those words, quotes included.
pub fn words(command: &str) -> impl Iterator<Item = &str> {
    let mut rest = command;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(' ');
        let word = first_word(rest);
        rest = &rest[word.len()..];
        (!word.is_empty()).then_some(word)
    })
}

fn first_word(command: &str) -> &str {
    let (mut quote, mut is_escaped) = (None, false);
    let is_end = |c: char| {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (None, ' ') => return true,
            (None | Some('"'), '\\') => is_escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        false
    };
    command.find(is_end).map_or(command, |end| &command[..end])
}

/// Quotes a word that is not UTF-8 or contains hidden characters, byte by byte through `printf`.
fn by_bytes(word: &[u8]) -> String {
    let byte = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'/' | b'=' => {
            char::from(*byte).to_string()
        }
        _ => format!(r"\{byte:03o}"),
    };
    // A shell strips trailing line breaks from a command's output, so these follow it in quotes.
    let end = word.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 1);
    let breaks = word.len() - end;
    let after = if breaks > 0 { format!("'{}'", "\n".repeat(breaks)) } else { String::new() };
    format!("\"$(printf '{}')\"{after}", word[..end].iter().map(byte).collect::<String>())
}
