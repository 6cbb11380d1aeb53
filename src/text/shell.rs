//! Words of a command that a person types again.

use std::ffi::OsStr;

/// A word as a POSIX shell reads it: as it is, or in quotes where it has to be.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref();
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%^".contains(c);
    let Some(text) = word.to_str() else { return by_bytes(word.as_encoded_bytes()) };
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into()
    } else {
        // A quote ends the quoted text, stands for itself, and begins it anew.
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A word that is no text, such as a folder with a name in an old encoding.
fn by_bytes(word: &[u8]) -> String {
    let byte = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'/' | b'=' => {
            char::from(*byte).to_string()
        }
        _ => format!(r"\{byte:03o}"),
    };
    format!("\"$(printf '{}')\"", word.iter().map(byte).collect::<String>())
}
