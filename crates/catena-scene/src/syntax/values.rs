//! Values that stand in several pieces, or without a name.

use super::{
    SyntaxReader,
    words::{is_open_ended, without_unit},
};
use crate::diagnostic::Fault;
use std::ops::Range;

impl SyntaxReader<'_> {
    /// The fault of a second word or number where a comma belongs, if both are meant as one value:
    /// `3 m`, `1 000`, `my scene`, `it"`.
    pub(super) fn split_value(&self) -> Option<Fault> {
        let open = self.open.last()?;
        let before = self.before.as_ref()?;
        let start = open.value?;
        let first = self.text[start..].trim_start();
        let start = self.text.len() - first.len();
        let rest = &self.text[before.place.end..];
        let line = rest.split('\n').next().unwrap_or_default();
        let end = line.find([',', ')', ']', '}', ':', '(', '[']).unwrap_or(line.len());
        let second = line[..end].trim();
        // A name follows, so only the comma is missing. A text in quotes may be whole.
        let is_name = self.sign_behind(before.place.end + end) == Some(':');
        if open.bracket != '(' || is_name || second.is_empty() || before.place.start != start {
            return None;
        }
        let span = start..before.place.end + line[..end].trim_end().len();
        let whole = &self.text[span.clone()];
        if !before.is_word {
            let is_number = first.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            return is_number
                .then(|| number_in_pieces(whole, second))
                .flatten()
                .map(|it| it.at(span));
        }
        if second.starts_with('"') && !is_open_ended(second) {
            return None;
        }
        let fault = match whole.ends_with('"') {
            true => Fault::new("this text has no opening quote"),
            false => Fault::new("text stands in quotes"),
        };
        let text = whole.trim_end_matches('"').trim_end();
        Some(fault.help(format!("write \"{text}\"")).at(span))
    }
}

/// The fault of a number with a unit behind a space, or with spaces between its digits.
fn number_in_pieces(whole: &str, second: &str) -> Option<Fault> {
    let number = whole[..whole.len() - second.len()].trim();
    let is_unit = second.starts_with(char::is_alphabetic) && !second.contains(['"', ' ']);
    let are_digits = second.chars().all(|c| c.is_ascii_digit() || c == ' ');
    let fault = Fault::new(format!("`{whole}` is no number"));
    match () {
        () if is_unit => Some(fault.help(without_unit(number, second))),
        () if are_digits => {
            let (plain, marked) = (whole.replace(' ', ""), whole.replace(' ', "_"));
            Some(fault.help(format!("write {plain} or {marked}")))
        }
        () => None,
    }
}

/// Refuses a name that is no word.
pub(super) fn check_name(
    text: &str,
    name: &Range<usize>,
    colon: &Range<usize>,
) -> Result<(), Fault> {
    let word = &text[name.clone()];
    let fault = Fault::new(format!("`{word}` is no name of a field")).at(name.clone());
    if let Some((outer, inner)) = word.split_once('.') {
        let rest = text[colon.end..].trim_start();
        let end = rest.find([',', ')', '\n', '(', '[']).unwrap_or(rest.len());
        let value = if end == 0 { "…" } else { rest[..end].trim_end() };
        let inner = inner.replace('.', ": (");
        let closing = ")".repeat(1 + inner.matches('(').count());
        return Err(fault.help(format!("write `{outer}: ({inner}: {value}{closing}`")));
    }
    if word.contains(['-', '+']) {
        return Err(fault.help(format!("write `{}: …`", word.replace(['-', '+'], "_"))));
    }
    Ok(())
}

/// The fault of an entry without a name among others that have one.
pub(super) fn nameless(text: &str, place: Range<usize>) -> Fault {
    let word = &text[place.clone()];
    // A comma in a number begins an entry of digits alone.
    let before = text[..place.start].strip_suffix(',');
    let is_digits = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    if let Some(before) = before.filter(|_| is_digits(word)) {
        let start = before.rfind(|c: char| !c.is_ascii_digit() && !"+-._".contains(c));
        let start =
            start.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let whole = &before[start..];
        if whole.ends_with(|c: char| c.is_ascii_digit()) {
            let fault = Fault::new(format!("`{whole},{word}` is no number"));
            let point = format!("{}.{word}", whole.replace('.', ""));
            let help = format!("decimals are written with a point: {point}");
            return fault.help(help).at(start..place.end);
        }
    }
    if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let fault = Fault::new(format!("`{word}` has no value"));
        return fault.help(format!("write `{word}: …`, or leave `{word}` out")).at(place);
    }
    Fault::new("this value has no name").help("a field is written `name: value`").at(place)
}
