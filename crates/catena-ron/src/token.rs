//! Tokens of RON text: words, texts in quotes, brackets, and the space between them.

use std::ops::Range;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a number.
    Word,
    /// A text in quotes.
    Text,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// A comma.
    Comma,
    /// A colon.
    Colon,
    /// Spaces, or one comment.
    Trivia,
    /// A character that scenes do not use, or one in single quotes.
    Other,
}

/// All tokens of a text from a byte on, with their places, which end at character boundaries.
pub fn tokens(text: &str, from: usize) -> impl Iterator<Item = (TokenKind, Range<usize>)> + '_ {
    let mut at = from;
    std::iter::from_fn(move || {
        (at < text.len()).then(|| {
            let (kind, length) = token(&text[at..]);
            let place = at..at + length;
            at = place.end;
            (kind, place)
        })
    })
}

/// The tokens without spaces and comments.
pub fn words(text: &str, from: usize) -> impl Iterator<Item = (TokenKind, Range<usize>)> + '_ {
    tokens(text, from).filter(|(kind, _)| *kind != TokenKind::Trivia)
}

/// A text from its first token on that is neither space nor comment.
pub(crate) fn bare(text: &str) -> &str {
    words(text, 0).next().map_or("", |(_, place)| &text[place.start..])
}

/// RON text without comments and line breaks.
pub fn one_line(text: &str) -> String {
    let pieces = tokens(text, 0).map(|(kind, place)| match (kind, &text[place]) {
        (TokenKind::Trivia, _) => " ",
        (_, piece) => piece,
    });
    let line = pieces.collect::<String>();
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace("( ", "(").replace(" )", ")").replace("[ ", "[").replace(" ]", "]")
}

/// Kind and length of the token at the beginning of a text that is not empty.
fn token(text: &str) -> (TokenKind, usize) {
    let rest = text.as_bytes();
    let run = |belongs: fn(u8) -> bool| {
        rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len())
    };
    match rest[0] {
        b'(' | b'[' | b'{' => (TokenKind::Open, 1),
        b')' | b']' | b'}' => (TokenKind::Close, 1),
        b',' => (TokenKind::Comma, 1),
        b':' => (TokenKind::Colon, 1),
        b'"' => (TokenKind::Text, quoted(rest)),
        b'/' => comment(text).map_or((TokenKind::Other, 1), |length| (TokenKind::Trivia, length)),
        b'\'' => (TokenKind::Other, character(text).unwrap_or(1)),
        byte if byte.is_ascii_whitespace() => {
            (TokenKind::Trivia, run(|byte| byte.is_ascii_whitespace()))
        }
        byte if is_word(byte) => {
            let length = run(is_word);
            raw(rest, length).map_or((TokenKind::Word, length), |raw| (TokenKind::Text, raw))
        }
        _ => (TokenKind::Other, 1),
    }
}

/// Whether a byte belongs to a name or a number; all bytes beyond ASCII do.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-') || byte >= 0x80
}

/// Length of a text in quotes, or of all that follows if it has no end.
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

/// Length of a bracket, comma or the like in single quotes, which are no brackets and commas then.
fn character(text: &str) -> Option<usize> {
    let inside = text[1..].chars().next().filter(char::is_ascii_punctuation)?;
    (inside != '\\' && text[2..].starts_with('\'')).then_some(3)
}

/// Length of a raw text such as r#"…"#, if the word in front of it is an r.
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
    // Hashes behind a quotation mark are passed by, so that each is read once.
    while let Some(found) = rest[at..].iter().position(|byte| *byte == b'"') {
        let behind = at + found + 1;
        let closing = rest[behind..].iter().take(hashes).take_while(|byte| **byte == b'#').count();
        at = behind + closing;
        if closing == hashes {
            return Some(at);
        }
    }
    Some(rest.len())
}

/// Length of the comment at the beginning of a text. One that may contain others ends with the text
/// if it is never closed.
pub(crate) fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let rest = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at + 1 < rest.len() && text.starts_with("/*") {
        match &rest[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth == 1 => return Some(at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    text.starts_with("/*").then_some(rest.len())
}
