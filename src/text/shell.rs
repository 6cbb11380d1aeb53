//! Words of a command that a person types again.

use super::printable::is_hidden;
use std::ffi::OsStr;

/// A word as a POSIX shell reads it: as it is, or in quotes where it has to be. What cannot be seen
/// is written as bytes.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref();
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%^".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(is_plain) => text.into(),
        // A quote ends the quoted text, stands for itself, and begins it anew.
        Some(text) if !text.contains(is_hidden) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => by_bytes(word.as_encoded_bytes()),
    }
}

/// A word that is no text, such as a folder with a name in an old encoding, or that holds what a
/// terminal would obey.
fn by_bytes(word: &[u8]) -> String {
    let byte = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'/' | b'=' => {
            char::from(*byte).to_string()
        }
        _ => format!(r"\{byte:03o}"),
    };
    // A shell takes line breaks from the end of what a command writes, so these stand behind it.
    let end = word.iter().rposition(|byte| *byte != b'\n').map_or(0, |last| last + 1);
    let breaks = word.len() - end;
    let after = if breaks > 0 { format!("'{}'", "\n".repeat(breaks)) } else { String::new() };
    format!("\"$(printf '{}')\"{after}", word[..end].iter().map(byte).collect::<String>())
}
