//! Characters that look like others: minus signs, quotes, commas and spaces of word processors.

use crate::fault::Fault;
use std::ops::Range;

/// Lookalikes of RON characters, with the RON character and its description.
const LOOKALIKES: [(&str, &str, &str); 12] = [
    ("−–—‐‑‒﹣－", "-", "a minus sign"),
    ("：︰﹕∶", ":", "a colon"),
    ("，、﹐", ",", "a comma"),
    ("．。", ".", "a point"),
    ("（", "(", "a parenthesis"),
    ("）", ")", "a parenthesis"),
    ("［【", "[", "a bracket"),
    ("］】", "]", "a bracket"),
    ("＝", ":", "a colon"),
    ("×·", "*", "allowed: scenes do not support arithmetic"),
    ("＂", "\"", "a straight quote"),
    ("；", ",", "a comma"),
];

/// Quotes that word processors insert at the start and the end of a text.
const QUOTES: [char; 9] = ['“', '”', '„', '‟', '‘', '’', '‚', '«', '»'];

/// Rejects a word with a character that names and numbers cannot contain.
pub(super) fn check(text: &str, place: &Range<usize>) -> Result<(), Fault> {
    let word = &text[place.clone()];
    let strange = |(_, c): &(usize, char)| !c.is_ascii() && !c.is_alphanumeric();
    let Some((at, letter)) = word.char_indices().find(strange) else { return Ok(()) };
    let at = place.start + at;
    let span = at..at + letter.len_utf8();
    if QUOTES.contains(&letter) {
        return Err(curly(text, at));
    }
    let code = format!("U+{:04X}", u32::from(letter));
    if letter.is_whitespace() {
        let message = format!("this is not an ordinary space ({code})");
        return Err(Fault::with_help(span, message, "replace it with an ordinary space"));
    }
    let found = LOOKALIKES.iter().find(|(letters, ..)| letters.contains(letter));
    let Some((_, right, what)) = found else {
        let is_seen =
            !letter.is_control() && !matches!(u32::from(letter), 0x200b..=0x206f | 0xfeff);
        let message = match is_seen {
            true => format!("`{letter}` is not allowed in a name or number"),
            false => format!("there is an invisible character here ({code})"),
        };
        return Err(Fault::with_help(span, message, "remove it"));
    };
    let help = match *right {
        "-" => format!("write {}", word.replace(letter, "-")),
        "*" => "write the result of the multiplication as one number".to_owned(),
        right => format!("write `{right}`"),
    };
    Err(Fault::with_help(span, format!("`{letter}` ({code}) is not {what}"), help))
}

/// Returns the fault of a string in curly quotes, which may contain several words.
fn curly(text: &str, start: usize) -> Fault {
    let line = text[start..].split('\n').next().unwrap_or_default();
    let mut quotes = line.char_indices().filter(|(_, c)| QUOTES.contains(c) || *c == '"');
    let first = quotes.next().map_or(0, |(at, c)| at + c.len_utf8());
    let (inside, end) = match quotes.next() {
        Some((at, c)) => (&line[first..at], at + c.len_utf8()),
        None => ("…", line.find([',', ')', ']']).unwrap_or(line.len())),
    };
    let help = format!("write \"{inside}\"");
    Fault::with_help(start..start + end, "text needs straight quotes", help)
}
