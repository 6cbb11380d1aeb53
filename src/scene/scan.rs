//! One look over the text of a scene before it is read, in a time that grows with its length alone.
//!
//! Reading goes level by level and looks at the inner text once for each. What is nested too deeply, or is one list, word or text of a
//! million parts, is refused here. What is not sound is left to the reader: it says better what is wrong.

use super::diagnostic::Fault;
use super::limits::{LIFT, Limits, too_many};

/// How many brackets may be open at once. A curve in a body of a panel has twelve.
const DEPTH: usize = 16;

/// Refuses a text with too much in it.
pub(super) fn scan(text: &str, limits: &Limits) -> Result<(), Fault> {
    // Of each open bracket: how many entries it has, and whether the next value begins one.
    let mut open = vec![(0_u64, true)];
    let mut tokens = 0_u64;
    let mut at = 0;
    while at < text.len() {
        let piece = Piece::at(text, at);
        let end = at + piece.length;
        if !matches!(piece.kind, Kind::Filler | Kind::Colon | Kind::Other) {
            tokens += 1;
            if tokens > limits.tokens {
                let what = "words, numbers, texts and brackets, of which there are still more,";
                return Err(too_many(tokens, what, limits.tokens).at(at..end));
            }
        }
        let begins_entry = matches!(piece.kind, Kind::Word | Kind::Text | Kind::Open);
        if let Some((entries, is_new @ true)) = open.last_mut().filter(|_| begins_entry) {
            (*entries, *is_new) = (*entries + 1, false);
            if *entries > limits.list {
                let what = "entries of one list, and there are still more,";
                return Err(too_many(*entries, what, limits.list).at(at..end));
            }
        }
        match piece.kind {
            Kind::Word => long(piece.length, "bytes of one word or number", limits.word, at)?,
            Kind::Text => long(piece.length, "bytes of one text", limits.text, at)?,
            Kind::Open if open.len() > DEPTH => {
                let fault = Fault::new("brackets are nested too deeply").at(at..end);
                return Err(fault.help("a scene needs a dozen levels at most"));
            }
            Kind::Open => open.push((0, true)),
            // What is closed once too often the reader will tell.
            Kind::Close if open.len() > 1 => {
                open.pop();
            }
            Kind::Comma => {
                if let Some((_, is_new)) = open.last_mut() {
                    *is_new = true;
                }
            }
            Kind::Close | Kind::Colon | Kind::Filler | Kind::Other => {}
        }
        at = end;
    }
    Ok(())
}

fn long(length: usize, what: &str, most: u64, at: usize) -> Result<(), Fault> {
    if length as u64 <= most {
        return Ok(());
    }
    let fault = too_many(length as u64, what, most);
    Err(fault.help(format!("shorten it; {LIFT}")).at(at..at + length))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Text,
    Open,
    Close,
    Comma,
    Colon,
    /// Spaces and comments.
    Filler,
    /// A sign that scenes do not use.
    Other,
}

/// A part of the text. It ends at a character's boundary.
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) length: usize,
}

impl Piece {
    /// The part that begins at a byte before the end of the text.
    pub(super) fn at(text: &str, at: usize) -> Self {
        let rest = &text.as_bytes()[at..];
        let piece = |kind, length| Self { kind, length };
        let find = |from: usize, stop: &dyn Fn(u8) -> bool| {
            rest[from..].iter().position(|byte| stop(*byte)).map_or(rest.len(), |i| from + i)
        };
        match rest[0] {
            b'(' | b'[' | b'{' => piece(Kind::Open, 1),
            b')' | b']' | b'}' => piece(Kind::Close, 1),
            b',' => piece(Kind::Comma, 1),
            b':' => piece(Kind::Colon, 1),
            b'"' => piece(Kind::Text, quoted(rest)),
            b'/' => match comment_length(&text[at..]) {
                Some(length) => piece(Kind::Filler, length),
                None => piece(Kind::Other, 1),
            },
            byte if byte.is_ascii_whitespace() => {
                piece(Kind::Filler, find(1, &|byte| !byte.is_ascii_whitespace()))
            }
            byte if is_word(byte) => {
                let length = find(1, &|byte| !is_word(byte));
                match raw(rest, length) {
                    Some(length) => piece(Kind::Text, length),
                    None => piece(Kind::Word, length),
                }
            }
            _ => piece(Kind::Other, 1),
        }
    }
}

/// Bytes of names and numbers, and all that is not ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-') || byte >= 0x80
}

/// Length of a text in quotes, or of all that follows where it has no end.
fn quoted(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Length of a text such as r#"…"#, if the word in front is an r.
fn raw(rest: &[u8], word: usize) -> Option<usize> {
    if !matches!(&rest[..word], b"r" | b"br") {
        return None;
    }
    let hashes = rest[word..].iter().take_while(|byte| **byte == b'#').count();
    let start = word + hashes;
    if rest.get(start) != Some(&b'"') {
        return None;
    }
    let mut at = start + 1;
    while at < rest.len() {
        // The hashes behind each quotation mark are looked at once: they are passed by as well.
        let Some(found) = rest[at..].iter().position(|byte| *byte == b'"') else { break };
        let behind = at + found + 1;
        let closing = rest[behind..].iter().take(hashes).take_while(|byte| **byte == b'#').count();
        at = behind + closing;
        if closing == hashes {
            return Some(at);
        }
    }
    Some(rest.len())
}

/// Length of the comment that the text begins with.
pub(super) fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| nested_comment(text.as_bytes()))
}

/// Length of a comment in which others may stand.
fn nested_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at + 1 < rest.len() {
        match &rest[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth == 1 => return at + 2,
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    rest.len()
}
