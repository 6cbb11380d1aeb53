//! Advice on values in the notation of other formats, such as `True`, `null`, numbers in quotes and
//! vectors in brackets.

use super::diagnostic::Fault;
use super::slashes;
use catena_ron::{TokenKind, constant, digits, tokens};
use std::ops::Range;

/// Adds the correct notation of the value at fault to the help.
pub(super) fn advise(fault: Fault, text: &str) -> Fault {
    let Some(span) = &fault.span else { return fault };
    let start = span.start.min(text.len());
    let found = of_file(&fault, value_at(text, start));
    let found = found
        .or_else(|| in_some(&fault.message, text, start))
        .or_else(|| of_character(text, start));
    let found = found.or_else(|| advice(&fault.message, value_at(text, start)));
    let found = found.or_else(|| gravity(&fault, value_at(text, start)));
    let Some(advice) = found else { return fault };
    let is_character = text[start..].starts_with('\'') && fault.message == EXPECTED_TEXT;
    let fault = match is_character {
        true => Fault { message: SINGLE_QUOTES.into(), ..fault },
        false => fault,
    };
    let help = match &fault.help {
        Some(known) if !["allowed here", "write "].iter().any(|it| known.starts_with(it)) => {
            format!("{advice}; {known}")
        }
        _ => advice,
    };
    fault.help(help)
}

/// Message about a value that has to be text in double quotes.
const EXPECTED_TEXT: &str = "expected text in quotes";
/// Message about text in single quotes, which replaces [`EXPECTED_TEXT`].
const SINGLE_QUOTES: &str = "text needs double quotes, not single quotes";

/// Returns advice on a `reference` that is written as a bare file name.
fn of_file(fault: &Fault, value: &str) -> Option<String> {
    let path = fault.field.as_deref()?;
    let endings = ["base.reference", "with.reference"];
    let is_it = path == "reference" || endings.iter().any(|end| path.ends_with(end));
    let is_it = is_it && value.starts_with('"');
    is_it.then(|| Some(format!("write (file: {})", short(value)?)))?
}

/// Returns advice on a value inside `Some( )`.
fn in_some(message: &str, text: &str, start: usize) -> Option<String> {
    let before = text[..start].trim_end();
    let inner = if before.ends_with("Some(") {
        value_at(text, start)
    } else if message.starts_with("expected closing") {
        let open = before.rfind("Some(")? + "Some".len();
        value_at(text, open)
    } else {
        return None;
    };
    Some(match short(inner) {
        Some(inner) => format!("write {inner}, without Some( )"),
        None => "write the value without Some( )".into(),
    })
}

/// Returns advice on a character in single quotes, which is a separate type in RON.
fn of_character(text: &str, start: usize) -> Option<String> {
    let inside = text[start..].strip_prefix('\'')?;
    let skipped = if inside.starts_with('\\') { 2 } else { 1 };
    let end = skipped + inside.get(skipped..)?.find('\'')?;
    let inside = short(&inside[..end])?;
    let plain = if inside == "\"" { "\\\"" } else { inside };
    Some(format!("write \"{plain}\""))
}

fn advice(message: &str, value: &str) -> Option<String> {
    let inside = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let word = inside.unwrap_or(value);
    let lower = word.to_ascii_lowercase();
    if message.starts_with("a backslash begins") {
        return slashes::advice_as_written(inside?);
    }
    let is_nothing = ["null", "nil", "undefined", "~"].contains(&lower.as_str());
    if is_nothing || value == "None" {
        return Some(format!("`{word}` is not supported: omit the field to use its default"));
    }
    if let Some(inner) = value.strip_prefix("Some(").and_then(|rest| rest.strip_suffix(')')) {
        return Some(format!("write {inner}, without Some( )"));
    }
    if message.starts_with("expected true or false") {
        let known = [("true", ["true", "yes", "on", "1"]), ("false", ["false", "no", "off", "0"])];
        let meant = known.iter().find(|(_, words)| words.contains(&lower.as_str()));
        return meant.map(|(meant, _)| format!("write {meant}"));
    }
    let wants_number = ["expected a number", "expected a whole number"];
    if wants_number.iter().any(|start| message.starts_with(start)) {
        return number(value, inside);
    }
    if message.starts_with("expected a list") {
        return match value.starts_with('(') {
            true if value.contains(':') => Some("write [ ] around it: [(…)]".into()),
            true => Some("write [ ] instead of ( )".into()),
            false => Some(format!("write [{}]", short(value)?)),
        };
    }
    if message.ends_with("expected parentheses: (…)") {
        if value.starts_with('[') {
            let inner = value.trim_start_matches('[').trim_end_matches(']');
            return Some(format!("write ( ) instead of [ ]: ({})", short(inner)?));
        }
        let (width, height) = inside?.split_once(['x', 'X'])?;
        let is_number = |side: &str| side.trim().parse::<u32>().is_ok();
        let are_numbers = is_number(width) && is_number(height);
        return are_numbers.then(|| format!("write ({width}, {height})"));
    }
    (message == "expected a word without quotes").then(|| Some(format!("write {}", inside?)))?
}

/// Returns advice on gravity that is written as one number.
fn gravity(fault: &Fault, value: &str) -> Option<String> {
    let path = fault.field.as_deref()?;
    let is_it = path.rsplit('.').next() == Some("gravity");
    let strength: f64 = value.parse().ok().filter(|_| is_it)?;
    let strength = strength.abs();
    Some(format!("gravity is a vector: (0, -{strength}) points down"))
}

/// Returns advice on the notation of a number.
fn number(value: &str, inside: Option<&str>) -> Option<String> {
    if let Some(inside) = inside {
        inside.trim().parse::<f64>().ok()?;
        return Some(format!("write {}, without quotes", inside.trim()));
    }
    let found = constant(value)?;
    let is_word = value.starts_with(char::is_alphabetic) && found.is_finite() && found > 3.0;
    // A whole number may have been written with an exponent or a point.
    let is_whole = found.fract() == 0.0 && found.abs() < 1e15 && value.contains(['.', 'e', 'E']);
    match () {
        () if is_word => Some(format!("write {}", digits(found, 7))),
        () if is_whole => Some(format!("write {found:.0}")),
        () => None,
    }
}

/// Returns the value if it is short enough for a message.
fn short(value: &str) -> Option<&str> {
    (value.len() <= 40 && !value.contains('\n')).then_some(value)
}

/// Returns the whole value at a byte offset: a word, a string, or the text between brackets.
fn value_at(text: &str, start: usize) -> &str {
    let mut depth = 0_usize;
    let is_last = |(kind, place): &(TokenKind, Range<usize>)| {
        match kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && !(*kind == TokenKind::Word && text[place.end..].starts_with('('))
    };
    let end = tokens(text, start).find(is_last).map_or(text.len(), |(_, place)| place.end);
    text.get(start..end).unwrap_or_default()
}
