//! Tokens of RON text: words, strings in quotes, brackets, and the space between them.

use std::ops::Range;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a number.
    Word,
    /// A string in quotes.
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
    /// A character that scenes do not use, or a character in single quotes.
    Other,
}

/// Returns all tokens of a text, starting at byte `from`, with their spans. Spans end at character
/// boundaries.
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

/// Returns the tokens without spaces and comments.
pub fn words(text: &str, from: usize) -> impl Iterator<Item = (TokenKind, Range<usize>)> + '_ {
    tokens(text, from).filter(|(kind, _)| *kind != TokenKind::Trivia)
}

/// Removes spaces and comments at the start of a text.
pub(crate) fn bare(text: &str) -> &str {
    words(text, 0).next().map_or("", |(_, place)| &text[place.start..])
}

/// Removes comments and line breaks from RON text.
pub fn one_line(text: &str) -> String {
    let pieces = tokens(text, 0).map(|(kind, place)| match (kind, &text[place]) {
        (TokenKind::Trivia, _) => " ",
        (_, piece) => piece,
    });
    let line = pieces.collect::<String>();
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    words.replace("( ", "(").replace(" )", ")").replace("[ ", "[").replace(" ]", "]")
}

/// Kind and length of the token at the start of a non-empty text.
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
        _ if text.starts_with(is_space) => {
            (TokenKind::Trivia, text.find(|c| !is_space(c)).unwrap_or(text.len()))
        }
        byte if is_word(byte) => {
            let word = run(is_word);
            let length = text[..word].find(is_space).unwrap_or(word);
            raw(rest, length).map_or((TokenKind::Word, length), |raw| (TokenKind::Text, raw))
        }
        _ => (TokenKind::Other, 1),
    }
}

/// Whether RON skips a character between tokens.
fn is_space(c: char) -> bool {
    c.is_ascii_whitespace()
        || matches!(c, '\u{b}' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
}

/// Whether a byte belongs to a name or a number. All bytes outside ASCII do.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+' | b'-') || byte >= 0x80
}

/// Length of a string in quotes, or of the rest of the text if the string has no end.
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

/// Length of a character in single quotes. A bracket or a comma in quotes has no syntactic meaning.
fn character(text: &str) -> Option<usize> {
    let inside = text[1..].chars().next().filter(char::is_ascii_punctuation)?;
    (inside != '\\' && text[2..].starts_with('\'')).then_some(3)
}

/// Length of a raw string such as r#"…"#, if the preceding word is an r.
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
    // Hashes after a quotation mark are skipped, so that each is read once.
    while let Some(found) = rest[at..].iter().position(|byte| *byte == b'"') {
        let after = at + found + 1;
        let closing = rest[after..].iter().take(hashes).take_while(|byte| **byte == b'#').count();
        at = after + closing;
        if closing == hashes {
            return Some(at);
        }
    }
    Some(rest.len())
}

/// Length of the comment at the start of a text. An unclosed block comment ends with the text.
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
