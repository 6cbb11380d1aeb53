//! Lines that carry their own hash, so that one whose bytes have changed is known when it is read
//! again.

use super::hash::sha256;

/// A line with its hash before it. What is sealed with one key does not hold with another.
pub fn encode(key: &str, text: &str) -> String {
    format!("{} {text}\n", hash(key, text))
}

/// What a line says, given without its end; `None` where it is not as it was written.
pub fn decode<'a>(key: &str, line: &'a [u8]) -> Option<&'a str> {
    let (found, text) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    (found == hash(key, text)).then_some(text)
}

fn hash(key: &str, text: &str) -> String {
    sha256(format!("{key}\n{text}").as_bytes())
}
