//! Negative numbers as values of options. clap takes a word such as `-5` for an unknown option.

use std::ffi::{OsStr, OsString};

/// Joins each long option with a negative number that follows it, as in `--frames=-5`. The option's
/// own message then states the allowed values.
pub(super) fn joined(words: &[OsString]) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::with_capacity(words.len());
    let mut is_over = false;
    for word in words {
        is_over |= word == "--";
        let option = all.last_mut().filter(|last| !is_over && takes_value(last));
        match option.filter(|_| is_negative(word)) {
            Some(option) => {
                option.push("=");
                option.push(word);
            }
            None => all.push(word.clone()),
        }
    }
    all
}

/// Whether a word is a long option without a value.
fn takes_value(word: &OsStr) -> bool {
    let text = word.to_str().and_then(|text| text.strip_prefix("--"));
    text.is_some_and(|name| !name.is_empty() && !name.contains('='))
}

/// Whether a word begins like a negative number.
fn is_negative(word: &OsStr) -> bool {
    let number = word.to_str().and_then(|text| text.strip_prefix('-'));
    number.is_some_and(|text| {
        text.starts_with(|c: char| c.is_ascii_digit() || c == '.') || text == "inf"
    })
}
