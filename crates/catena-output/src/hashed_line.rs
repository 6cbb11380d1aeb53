//! Lines that contain their own hash, so that a reader detects changed bytes.

use super::hash::sha256;

/// Encodes a line that begins with its hash. The hash includes the key, so no other key decodes the
/// line.
pub fn encode(key: &str, text: &str) -> String {
    format!("{} {text}\n", hash(key, text))
}

/// Decodes the text of a line without its terminator. Returns `None` if the line is damaged or has
/// another key.
pub fn decode<'a>(key: &str, line: &'a [u8]) -> Option<&'a str> {
    let (found, text) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (found == hash(key, text)).then_some(text)
}

fn hash(key: &str, text: &str) -> String {
    sha256(format!("{key}\n{text}").as_bytes())
}
