//! Signs that scenes do not use, with a guess at the intention of each.

use super::{Expected, SyntaxReader, values::no_arithmetic};
use crate::fault::Fault;
use crate::number::digits;
use std::ops::Range;

impl SyntaxReader<'_> {
    /// Checks a sign. Returns `false` if RON describes the error better.
    pub(super) fn other(&self, place: Range<usize>) -> Result<bool, Fault> {
        let rest = &self.text[place.start..];
        // The token of a character in single quotes starts with the sign.
        let place = place.start..place.start + rest.chars().next().map_or(0, char::len_utf8);
        let sign = &self.text[place.clone()];
        match sign {
            "#" if rest.starts_with("#![") => Ok(false),
            "#" => Err(self.hash(place)),
            "'" | "`" => Err(self.quotes(sign, place)),
            "=" => Err(self.equals(place)),
            ";" => {
                let message = "entries are separated by commas, not `;`";
                Err(Fault::with_help(place, message, "write `,`"))
            }
            "%" | "/" | "*" | "^" => self.arithmetic(sign, place),
            "<" | ">" if self.open().is_some_and(|level| level.opens('{')) => {
                let name = if sign == "<" { "Below" } else { "Above" };
                let number = rest[1..].trim_start_matches('=').trim_start();
                let end = number.find([',', '}', ' ']).unwrap_or(number.len());
                let help = format!("write {name}({})", &number[..end]);
                Err(Fault::with_help(
                    place,
                    format!("comparisons are written as words, not with `{sign}`"),
                    help,
                ))
            }
            "$" => {
                let help = "write the value; --set PATH=VALUE changes it";
                Err(Fault::with_help(place, "scenes have no variables", help))
            }
            sign if sign.chars().all(|c| c.is_ascii_graphic()) => {
                let help = "allowed values: numbers, words, \"texts\", […] and (…)";
                Err(Fault::with_help(place, format!("`{sign}` has no meaning here"), help))
            }
            sign => {
                let code = sign.chars().next().map_or(0, u32::from);
                let message = format!("there is an invisible character here (U+{code:04X})");
                Err(Fault::with_help(place, message, "remove it"))
            }
        }
    }

    /// Returns the fault of a `#`: a colour without quotes, or a comment.
    fn hash(&self, place: Range<usize>) -> Fault {
        let rest = &self.text[place.end..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let digits = &rest[..length];
        let is_value = self.next() == Some(Expected::Value);
        let is_hex = digits.chars().all(|c| c.is_ascii_hexdigit());
        if is_value && is_hex && matches!(length, 3 | 4 | 6 | 8) {
            let (help, span) = (format!("write \"#{digits}\""), place.start..place.end + length);
            return Fault::with_help(span, "a colour needs quotes", help);
        }
        let message = "a comment begins with `//`, not with `#`";
        Fault::with_help(place, message, "write `// …`, or `/* … */`")
    }

    /// Returns the fault of quotes other than double ones.
    fn quotes(&self, sign: &str, place: Range<usize>) -> Fault {
        let rest = &self.text[place.end..];
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let number = self.before().filter(|before| {
            before.end == place.start && is_digit(self.text[before.clone()].chars().next_back())
        });
        if let Some(number) = number.filter(|_| is_digit(rest.chars().next())) {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '\'').unwrap_or(rest.len());
            let span = number.start..place.end + end;
            let whole = self.text[span.clone()].replace('\'', "_");
            let help = format!("write {} or {whole}", whole.replace('_', ""));
            return self.no_number(span, help);
        }
        let line = rest.split('\n').next().unwrap_or_default();
        let (inside, end) = match line.find(sign) {
            Some(end) => (&line[..end], place.end + end + 1),
            None => ("…", place.end),
        };
        let kind = if sign == "'" { "single quotes" } else { "backticks" };
        let message = format!("text needs double quotes, not {kind}");
        Fault::with_help(place.start..end, message, format!("write \"{inside}\""))
    }

    fn no_number(&self, span: Range<usize>, help: String) -> Fault {
        Fault::with_help(span.clone(), format!("`{}` is not a number", &self.text[span]), help)
    }

    /// Returns the fault of `=`, alone or with other signs.
    fn equals(&self, place: Range<usize>) -> Fault {
        let signs = ['=', ':', '>', '<'];
        let start = self.text[..place.start].trim_end_matches(signs).len();
        let rest = &self.text[place.start..];
        let end = place.start + rest.len() - rest.trim_start_matches(signs).len();
        let found = &self.text[start..end];
        let message = format!("name and value are separated by a colon, not `{found}`");
        let help = format!("write `{}: …`", self.word_before().unwrap_or("name"));
        Fault::with_help(start..end, message, help)
    }

    /// Returns the fault of arithmetic after a number.
    fn arithmetic(&self, sign: &str, place: Range<usize>) -> Result<bool, Fault> {
        let Some(before) = self.before() else { return Ok(false) };
        let start = before.start;
        let Some(left) = constant(&self.text[before]) else { return Ok(false) };
        let rest = &self.text[place.end..];
        if sign == "%" {
            let help =
                format!("write the percentage as a decimal number: {}", digits(left / 100.0, 6));
            return Err(self.no_number(start..place.end, help));
        }
        let end = end_of_value(rest);
        let right = rest[..end].trim();
        let whole = start..place.end + rest[..end].trim_end().len();
        let (is_power, right) = match (sign, right.strip_prefix('*')) {
            ("*", Some(right)) => (true, right),
            (sign, _) => (sign == "^", right),
        };
        let value = constant(right).map(|right| match sign {
            _ if is_power => libm::pow(left, right),
            "/" => left / right,
            _ => left * right,
        });
        let result = value.filter(|value| value.is_finite());
        Err(self.no_number(whole, no_arithmetic(result)))
    }
}

/// Value of a number or a named constant in arithmetic.
pub fn constant(word: &str) -> Option<f64> {
    match word.to_ascii_lowercase().as_str() {
        "pi" | "π" => Some(std::f64::consts::PI),
        "tau" | "τ" => Some(std::f64::consts::TAU),
        _ => word.replace('_', "").parse().ok(),
    }
}

/// Returns the end of a value: a comma, a line break, or a bracket that the value does not open.
fn end_of_value(text: &str) -> usize {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ',' | ')' | ']' | '}' | '\n' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}
