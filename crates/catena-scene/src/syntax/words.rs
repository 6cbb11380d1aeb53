//! Faults of single words, numbers, texts and brackets.

use crate::diagnostic::Fault;
use crate::token::comment_length;
use catena_base::text::number::digits;
use std::ops::Range;

pub(super) fn never_closed(text: &str, at: usize) -> Fault {
    let bracket = &text[at..=at];
    Fault::new(format!("this `{bracket}` is never closed")).at(at..at + 1)
}

pub(super) fn no_closing_quote(text: &str, start: usize) -> Fault {
    let length = text[start..].find('\n').unwrap_or(text.len() - start);
    let line = text[start..start + length].trim_end();
    let fault = Fault::new("this text has no closing quote on its line");
    fault
        .help("add a `\"` at its end; a line break in a text is written \\n")
        .at(start..start + line.len())
}

pub(super) fn closing(bracket: char) -> &'static str {
    match bracket {
        '(' => ")",
        '[' => "]",
        _ => "}",
    }
}

/// Whether a text in quotes ends because the file does.
pub(super) fn is_open_ended(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('"') else { return !text.ends_with(['"', '#']) };
    let Some(before) = inside.strip_suffix('"') else { return true };
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

/// Refuses a comment that does not end.
pub(super) fn comment(text: &str, place: Range<usize>) -> Result<(), Fault> {
    let piece = &text[place.clone()];
    let is_whole = |piece: &str| {
        // With a further end behind it an open comment becomes longer.
        let longer = format!("{piece}*/");
        comment_length(&longer) == comment_length(piece)
    };
    if !piece.starts_with("/*") || is_whole(piece) {
        return Ok(());
    }
    let fault = Fault::new("this comment is never closed").at(place.start..place.start + 2);
    Err(fault.help("it ends with `*/`"))
}

/// A word as messages have it, not longer than reads well.
pub(super) fn excerpt(word: &str) -> &str {
    &word[..word.floor_char_boundary(40)]
}

/// Refuses a word that begins like a number and is not one.
pub(super) fn number(word: &str) -> Result<(), Fault> {
    let plain = word.replace('_', "");
    let unsigned = plain.trim_start_matches(['+', '-']);
    let is_based = ["0x", "0b", "0o"].iter().any(|base| unsigned.starts_with(base));
    if is_based || unsigned == "inf" || unsigned == "NaN" || plain.parse::<f64>().is_ok() {
        return Ok(());
    }
    // The longest beginning that is a number, and the rest.
    let mut splits = word.char_indices().map(|(at, _)| word.split_at(at));
    let known = |(number, _): &(&str, &str)| number.parse::<f64>().is_ok();
    let fault = Fault::new(format!("`{word}` is no number"));
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
        return Err(fault.help(format!("two numbers stand in parentheses: ({width}, {height})")));
    }
    Err(match splits.rfind(known) {
        Some((number, unit)) if unit.chars().all(|c| c.is_alphabetic() || c == '²' || c == '³') => {
            fault.help(without_unit(number, unit))
        }
        Some((left, right)) if right.starts_with(['+', '-']) => {
            let sum = left.parse::<f64>().ok().zip(right.parse::<f64>().ok());
            fault.help(no_arithmetic(sum.map(|(left, right)| left + right)))
        }
        _ => fault.help("numbers are written like 12, 0.5 or 1e-3"),
    })
}

/// Prefixed units that people write, and what they are in the unit without a prefix.
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

/// What helps where a number has a unit behind it. Scenes have units of their own, so one with a
/// prefix is said in the unit that it is a part of.
pub(super) fn without_unit(number: &str, unit: &str) -> String {
    let plain = number.replace('_', "").parse::<f64>().ok();
    let prefixed = PREFIXED.iter().find(|(name, ..)| *name == unit).zip(plain);
    match prefixed {
        Some(((_, factor, base), value)) => {
            format!("numbers are written without units: {} in {base}", digits(value * factor, 12))
        }
        None => format!("numbers are written without units: {number}"),
    }
}

pub(super) fn no_arithmetic(result: Option<f64>) -> String {
    let result = result.map_or(String::new(), |value| format!(": write {}", digits(value, 8)));
    format!("scenes do no arithmetic{result}")
}
