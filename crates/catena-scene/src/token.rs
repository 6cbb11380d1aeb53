//! Tokens of RON text: words, strings, brackets, and the space between them.

use std::ops::Range;

/// Type of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Name or number.
    Word,
    /// Quoted string.
    Text,
    /// Opening bracket.
    Open,
    /// Closing bracket.
    Close,
    /// Comma.
    Comma,
    /// Colon.
    Colon,
    /// Spaces and comments.
    Trivia,
    /// Character that scenes do not use.
    Other,
}

/// Token with its length in bytes; it ends at a character boundary.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Type of the token.
    pub kind: TokenKind,
    /// Length in bytes, at least 1.
    pub length: usize,
}

/// Returns all tokens of a text from a byte offset on, with their spans.
pub fn tokens(text: &str, from: usize) -> impl Iterator<Item = (TokenKind, Range<usize>)> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        (at < text.len()).then(|| {
            let token = Token::at(text, at);
            let place = at..at + token.length;
            at = place.end;
            (token.kind, place)
        })
    })
}

impl Token {
    /// Returns the token at a byte offset, which must be before the end of the text.
    pub fn at(text: &str, at: usize) -> Self {
        let rest = &text.as_bytes()[at..];
        let token = |kind, length| Self { kind, length };
        let find = |from: usize, stop: &dyn Fn(u8) -> bool| {
            rest[from..].iter().position(|byte| stop(*byte)).map_or(rest.len(), |i| from + i)
        };
        match rest[0] {
            b'(' | b'[' | b'{' => token(TokenKind::Open, 1),
            b')' | b']' | b'}' => token(TokenKind::Close, 1),
            b',' => token(TokenKind::Comma, 1),
            b':' => token(TokenKind::Colon, 1),
            b'"' => token(TokenKind::Text, quoted(rest)),
            b'/' => match comment_length(&text[at..]) {
                Some(length) => token(TokenKind::Trivia, length),
                None => token(TokenKind::Other, 1),
            },
            byte if byte.is_ascii_whitespace() => {
                token(TokenKind::Trivia, find(1, &|byte| !byte.is_ascii_whitespace()))
            }
            byte if is_word(byte) => {
                let length = find(1, &|byte| !is_word(byte));
                match raw(rest, length) {
                    Some(length) => token(TokenKind::Text, length),
                    None => token(TokenKind::Word, length),
                }
            }
            _ => token(TokenKind::Other, 1),
        }
    }
}

/// Whether a byte belongs to a name or a number; all non-ASCII bytes do.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-') || byte >= 0x80
}

/// Returns the length of a quoted string, or of the rest if it is not closed.
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

/// Returns the length of a raw string such as r#"…"#, if the word before it is its prefix.
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
        // The search continues after the hashes of a quotation mark, so that each byte is read
        // once.
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

/// Returns the length of the comment at the start of a text, if there is one.
pub(super) fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| nested_comment(text.as_bytes()))
}

/// Returns the length of a block comment, which may contain others.
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
