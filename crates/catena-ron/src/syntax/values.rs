//! Faults of single words, numbers, strings, brackets and comments, and of values in several pieces
//! or without a name.

use super::{SyntaxReader, is_like_number};
use crate::fault::Fault;
use crate::number::digits;
use crate::token::{bare, comment as comment_length};
use std::ops::Range;

impl SyntaxReader<'_> {
    /// Returns the fault of a second word or number without a comma before it, if both are meant as
    /// one value: `3 m`, `1 000`, `my scene`, `it"`.
    pub(super) fn split_value(&self) -> Option<Fault> {
        let level = self.open()?;
        let before = self.before()?;
        let first = self.text[level.colon?..].trim_start();
        let start = self.text.len() - first.len();
        let rest = &self.text[before.end..];
        let line = rest.split('\n').next().unwrap_or_default();
        let end = line.find([',', ')', ']', '}', ':', '(', '[']).unwrap_or(line.len());
        let second = line[..end].trim();
        // If a name follows, only the comma is missing. A text in quotes may be complete.
        let is_name = bare(&rest[end..]).starts_with(':');
        if !level.opens('(') || is_name || second.is_empty() || before.start != start {
            return None;
        }
        let span = start..before.end + line[..end].trim_end().len();
        let whole = &self.text[span.clone()];
        if self.word_before().is_none() {
            let pieces = is_like_number(first).then(|| number_in_pieces(whole, second));
            return pieces.flatten().map(|fault| fault.at(span));
        }
        if second.starts_with('"') && !is_open_ended(second) {
            return None;
        }
        let message = match whole.ends_with('"') {
            true => "this text has no opening quote",
            false => "text needs quotes",
        };
        let text = whole.trim_end_matches('"').trim_end();
        Some(Fault::with_help(span, message, format!("write \"{text}\"")))
    }
}

/// Returns the fault of a number with a unit after a space, or with spaces between its digits.
fn number_in_pieces(whole: &str, second: &str) -> Option<Fault> {
    let number = whole[..whole.len() - second.len()].trim();
    let is_unit = second.starts_with(char::is_alphabetic) && !second.contains(['"', ' ']);
    let are_digits = second.chars().all(|c| c.is_ascii_digit() || c == ' ');
    let fault = Fault::new(format!("`{whole}` is not a number"));
    match () {
        () if is_unit => Some(fault.help(without_unit(number, second))),
        () if are_digits => {
            let (plain, marked) = (whole.replace(' ', ""), whole.replace(' ', "_"));
            Some(fault.help(format!("write {plain} or {marked}")))
        }
        () => None,
    }
}

/// Rejects a name that is not a word.
pub(super) fn check_name(
    text: &str,
    name: &Range<usize>,
    colon: &Range<usize>,
) -> Result<(), Fault> {
    let word = &text[name.clone()];
    let fault = Fault::new(format!("`{word}` is not a field name")).at(name.clone());
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

/// Returns the fault of an unnamed entry among named ones.
pub(super) fn nameless(text: &str, place: Range<usize>) -> Fault {
    let word = &text[place.clone()];
    // A comma inside a number splits it; the second entry then starts with a digit.
    let before = text[..place.start].strip_suffix(',');
    let is_digits = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    if let Some(before) = before.filter(|_| is_digits(word)) {
        let start = before.rfind(|c: char| !c.is_ascii_digit() && !"+-._".contains(c));
        let start =
            start.map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let whole = &before[start..];
        if whole.ends_with(|c: char| c.is_ascii_digit()) {
            let point = format!("{}.{word}", whole.replace('.', ""));
            let help = format!("decimals are written with a point: {point}");
            return Fault::with_help(
                start..place.end,
                format!("`{whole},{word}` is not a number"),
                help,
            );
        }
    }
    if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let help = format!("write `{word}: …`, or remove `{word}`");
        return Fault::with_help(place.clone(), format!("`{word}` has no value"), help);
    }
    Fault::with_help(place, "this value has no name", "write a field as `name: value`")
}

pub(super) fn never_closed(text: &str, at: usize) -> Fault {
    let bracket = &text[at..=at];
    Fault::new(format!("this `{bracket}` is never closed")).at(at..at + 1)
}

pub(super) fn no_closing_quote(text: &str, start: usize) -> Fault {
    let length = text[start..].find('\n').unwrap_or(text.len() - start);
    let line = text[start..start + length].trim_end();
    let help = "add a `\"` at its end; a line break in a text is written \\n";
    Fault::with_help(start..start + line.len(), "this text has no closing quote on its line", help)
}

pub(super) fn closing(bracket: char) -> &'static str {
    match bracket {
        '(' => ")",
        '[' => "]",
        _ => "}",
    }
}

/// Whether a string in quotes ends only because the file ends.
pub(super) fn is_open_ended(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('"') else { return !text.ends_with(['"', '#']) };
    let Some(before) = inside.strip_suffix('"') else { return true };
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

/// Rejects a comment without an end.
pub(super) fn comment(text: &str, place: Range<usize>) -> Result<(), Fault> {
    let piece = &text[place.clone()];
    let is_whole = |piece: &str| {
        // An open comment becomes longer if another end is appended.
        let longer = format!("{piece}*/");
        comment_length(&longer) == comment_length(piece)
    };
    if !piece.starts_with("/*") || is_whole(piece) {
        return Ok(());
    }
    let span = place.start..place.start + 2;
    Err(Fault::with_help(span, "this comment is never closed", "add `*/` at its end"))
}

/// Rejects a word that starts like a number but is not a number.
pub(super) fn number(word: &str) -> Result<(), Fault> {
    let plain = word.replace('_', "");
    let unsigned = plain.trim_start_matches(['+', '-']);
    let is_based = ["0x", "0b", "0o"].iter().any(|base| unsigned.starts_with(base));
    if is_based || unsigned == "inf" || unsigned == "NaN" || plain.parse::<f64>().is_ok() {
        return Ok(());
    }
    // The longest prefix that is a number, and the rest.
    let mut splits = word.char_indices().map(|(at, _)| word.split_at(at));
    let known = |(number, _): &(&str, &str)| number.parse::<f64>().is_ok();
    let fault = Fault::new(format!("`{word}` is not a number"));
    if word.starts_with("--") {
        let fault = Fault::new("a comment begins with `//`, not with `--`");
        return Err(fault.help("write `// …`, or `/* … */`"));
    }
    if let Some(number) = word.trim_end_matches(['+', '-']).strip_suffix(['e', 'E'])
        && number.parse::<f64>().is_ok()
    {
        return Err(fault.help(format!("the exponent is missing, as in {number}e3")));
    }
    if let Some((width, height)) = word.split_once(['x', 'X'])
        && [width, height].iter().all(|side| side.parse::<u32>().is_ok())
    {
        return Err(
            fault.help(format!("write the two numbers in parentheses: ({width}, {height})"))
        );
    }
    Err(match splits.rfind(known) {
        Some((number, unit)) if unit.chars().all(|c| c.is_alphabetic() || c == '²' || c == '³') => {
            fault.help(without_unit(number, unit))
        }
        Some((left, right)) if right.starts_with(['+', '-']) => {
            let sum = left.parse::<f64>().ok().zip(right.parse::<f64>().ok());
            fault.help(no_arithmetic(sum.map(|(left, right)| left + right)))
        }
        _ => fault.help("write a number such as 12, 0.5 or 1e-3"),
    })
}

/// Common prefixed units, with their factor and the unit without the prefix.
const PREFIXED: [(&str, f64, &str); 8] = [
    ("ms", 1e-3, "seconds"),
    ("us", 1e-6, "seconds"),
    ("µs", 1e-6, "seconds"),
    ("mm", 1e-3, "metres"),
    ("cm", 1e-2, "metres"),
    ("km", 1e3, "metres"),
    ("kN", 1e3, "newtons"),
    ("mN", 1e-3, "newtons"),
];

/// Returns advice for a number with a unit. Scenes have fixed units, so the advice converts a unit
/// with a prefix to the unit without.
pub(super) fn without_unit(number: &str, unit: &str) -> String {
    let plain = number.replace('_', "").parse::<f64>().ok();
    let prefixed = PREFIXED.iter().find(|(name, ..)| *name == unit).zip(plain);
    match prefixed {
        Some(((_, factor, base), value)) => {
            format!("write numbers without units: {} in {base}", digits(value * factor, 12))
        }
        None => format!("write numbers without units: {number}"),
    }
}

pub(super) fn no_arithmetic(result: Option<f64>) -> String {
    let result = result.map_or(String::new(), |value| format!(": write {}", digits(value, 8)));
    format!("scenes do not support arithmetic{result}")
}
