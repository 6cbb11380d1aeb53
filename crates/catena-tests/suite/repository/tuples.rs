//! House rule: two values of different types that travel together are a named struct.

use super::{SOURCES, walk};
use crate::repository;

/// Splits a text after an opening bracket at the commas up to the matching closing bracket. Returns
/// the parts, and the text after the closing bracket.
fn bracketed(text: &str) -> (Vec<&str>, &str) {
    let (mut parts, mut depth, mut start, mut before) = (Vec::new(), 0, 0, ' ');
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if ['-', '='].contains(&before) => {}
            ')' | ']' | '}' | '>' if depth == 0 => {
                parts.push(text[start..at].trim());
                parts.retain(|part| !part.is_empty());
                return (parts, &text[at + 1..]);
            }
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        before = letter;
    }
    (Vec::new(), "")
}

/// Type of a parameter; `None` for `self`.
fn kind(parameter: &str) -> Option<&str> {
    let mut depth = 0;
    let ends = parameter.char_indices().find(|(at, letter)| {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        let is_path = parameter[at + 1..].starts_with(':') || parameter[..*at].ends_with(':');
        *letter == ':' && depth == 0 && !is_path
    });
    ends.map(|(at, _)| &parameter[at + 1..])
}

/// A type without spaces, references, mutability and lifetimes.
fn bare(kind: &str) -> String {
    let mut pieces = kind.split('\'');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        text += piece.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    }
    let words = text.split(|c: char| c.is_whitespace() || c == '&');
    words.filter(|word| *word != "mut").collect()
}

/// Whether a parameter is a tuple of different types.
fn is_unlike(parameter: &str) -> bool {
    let kind = kind(parameter).map(bare).unwrap_or_default();
    let Some(inner) = kind.strip_prefix('(') else { return false };
    let (parts, _) = bracketed(inner);
    parts.iter().any(|part| *part != parts[0])
}

/// Functions in a text with such a parameter: line, name and parameter.
fn unlike(text: &str) -> Vec<(usize, &str, &str)> {
    let mut found = Vec::new();
    for (at, word) in text.match_indices("fn ") {
        let line = text[..at].matches('\n').count();
        let own = text[..at].rsplit('\n').next().unwrap_or_default();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        if own.contains("//") || own.ends_with(is_name) {
            continue;
        }
        let rest = &text[at + word.len()..];
        let (name, rest) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
        let rest = rest.strip_prefix('<').map_or(rest, |inside| bracketed(inside).1);
        let Some(inside) = rest.strip_prefix('(').filter(|_| !name.is_empty()) else { continue };
        let all = bracketed(inside).0.into_iter();
        found.extend(all.filter(|it| is_unlike(it)).map(|it| (line + 1, name, it)));
    }
    found
}

#[test]
fn no_parameter_is_a_tuple_of_unlike_types() {
    let text = "
fn a((x, y): (f64, f64), by: &mut (&'a [u8], &[u8]), then: impl Fn((u8, u16)) -> (u8, u16)) {}
fn b<T: Fn(u8) -> u16>(&self, (from, to): &'a mut (&T, Option<(u8, u16)>)) -> (u8, u16) {}
fn c(
    Pair { a, b }: crate::Pair,
    named: Alias, // fn d(a: (u8, u16))
    (e, f): (Vec<u8>, Vec<u16>),
    g: fn((u8, u16)),
    h: &(dyn Send + Sync),
)
";
    let found: Vec<(usize, &str)> = unlike(text).iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(found, [(3, "b"), (4, "c")]);

    let mut found = Vec::new();
    for root in SOURCES {
        walk(&repository(root), &mut |path, text| {
            for (line, name, parameter) in unlike(text) {
                found.push(format!("{}:{line}: {name}, {parameter}", path.display()));
            }
        });
    }
    assert!(
        found.is_empty(),
        "make these a struct with a name, or parameters of their own:\n{}",
        found.join("\n")
    );
}
