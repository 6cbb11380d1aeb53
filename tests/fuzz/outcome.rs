//! Outcomes of cases: two cases with the same outcomes test the same thing.

use std::collections::BTreeSet;

/// Kinds of results and messages that a case reached.
pub type Outcomes = BTreeSet<String>;

/// A set of one outcome.
pub fn only(outcome: impl Into<String>) -> Outcomes {
    BTreeSet::from([outcome.into()])
}

/// Message without the values of one file: quoted text becomes `_`, and each number becomes `0`.
pub fn kind(message: &str) -> String {
    let mut kind = String::new();
    let mut rest = message.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '`' | '"' => {
                rest.by_ref().take_while(|other| *other != letter).for_each(drop);
                kind.push('_');
            }
            '0'..='9' => {
                let is_number = |next: &char| next.is_ascii_digit() || matches!(next, '.' | 'e');
                while rest.next_if(is_number).is_some() {}
                kind.push('0');
            }
            letter => kind.push(letter),
        }
    }
    kind
}

/// Names of catena's methods, forces, shapes and fields that occur in a text.
pub fn names<'a>(text: &str, known: &'a [String]) -> impl Iterator<Item = &'a str> {
    let words: BTreeSet<&str> =
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    known.iter().map(|name| name.trim_end_matches([':', ' '])).filter(move |it| words.contains(it))
}
