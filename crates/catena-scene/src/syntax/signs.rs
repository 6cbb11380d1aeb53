//! Signs that scenes do not use: what was meant by each.

use super::{Expected, SyntaxReader, words::no_arithmetic};
use crate::diagnostic::Fault;
use catena_base::text::number::digits;
use std::ops::Range;

impl SyntaxReader<'_> {
    /// Takes a sign; returns false where RON describes it better.
    pub(super) fn other(&mut self, place: Range<usize>) -> Result<bool, Fault> {
        let rest = &self.text[place.start..];
        let sign = &self.text[place.clone()];
        match sign {
            "#" if rest.starts_with("#![") => Ok(false),
            "#" => Err(self.hash(place)),
            "'" | "`" => Err(self.quotes(sign, place)),
            "=" => Err(self.equals(place)),
            ";" => {
                let fault = Fault::new("a comma stands between entries, not `;`");
                Err(fault.help("write `,`").at(place))
            }
            "%" | "/" | "*" | "^" => self.arithmetic(sign, place),
            "<" | ">" if self.open.last().is_some_and(|open| open.bracket == '{') => {
                let name = if sign == "<" { "Below" } else { "Above" };
                let fault = Fault::new(format!("`{sign}` is written as a word"));
                let number = rest[1..].trim_start_matches('=').trim_start();
                let end = number.find([',', '}', ' ']).unwrap_or(number.len());
                Err(fault.help(format!("write {name}({})", &number[..end])).at(place))
            }
            "$" => {
                let fault = Fault::new("scenes have no variables");
                Err(fault.help("write the value; --set PATH=VALUE changes it").at(place))
            }
            sign if sign.chars().all(|c| c.is_ascii_graphic()) => {
                let fault = Fault::new(format!("`{sign}` means nothing here"));
                let help = "values are numbers, words, \"texts\", […] and (…)";
                Err(fault.help(help).at(place))
            }
            sign => {
                let code = sign.chars().next().map_or(0, u32::from);
                let fault =
                    Fault::new(format!("a letter that is not seen stands here (U+{code:04X})"));
                Err(fault.help("take it away").at(place))
            }
        }
    }

    /// The fault of a `#`: a colour without quotes, or a comment.
    fn hash(&self, place: Range<usize>) -> Fault {
        let rest = &self.text[place.end..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let digits = &rest[..length];
        let is_value = self.open.last().is_some_and(|open| open.next == Expected::Value);
        let is_hex = digits.chars().all(|c| c.is_ascii_hexdigit());
        if is_value && is_hex && matches!(length, 3 | 4 | 6 | 8) {
            let fault = Fault::new("a colour stands in quotes");
            return fault.help(format!("write \"#{digits}\"")).at(place.start..place.end + length);
        }
        let fault = Fault::new("a comment begins with `//`, not with `#`");
        fault.help("write `// …`, or `/* … */`").at(place)
    }

    /// The fault of quotes that are not double ones.
    fn quotes(&self, sign: &str, place: Range<usize>) -> Fault {
        let rest = &self.text[place.end..];
        let before = self.before.as_ref().map(|before| before.place.clone());
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let number = before.filter(|before| {
            before.end == place.start && is_digit(self.text[before.clone()].chars().next_back())
        });
        if let Some(number) = number.filter(|_| is_digit(rest.chars().next())) {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '\'').unwrap_or(rest.len());
            let span = number.start..place.end + end;
            let whole = self.text[span.clone()].replace('\'', "_");
            let fault = Fault::new(format!("`{}` is no number", &self.text[span.clone()]));
            return fault.help(format!("write {} or {whole}", whole.replace('_', ""))).at(span);
        }
        let line = rest.split('\n').next().unwrap_or_default();
        let (inside, end) = match line.find(sign) {
            Some(end) => (&line[..end], place.end + end + 1),
            None => ("…", place.end),
        };
        let kind = if sign == "'" { "single ones" } else { "backticks" };
        let fault = Fault::new(format!("text stands in double quotes, not in {kind}"));
        fault.help(format!("write \"{inside}\"")).at(place.start..end)
    }

    /// The fault of `=`, alone or with other signs.
    fn equals(&self, place: Range<usize>) -> Fault {
        let signs = ['=', ':', '>', '<'];
        let start = self.text[..place.start].trim_end_matches(signs).len();
        let rest = &self.text[place.start..];
        let end = place.start + rest.len() - rest.trim_start_matches(signs).len();
        let found = &self.text[start..end];
        let fault = Fault::new(format!("a colon stands between name and value, not `{found}`"));
        let before = self.before.as_ref().filter(|before| before.is_word);
        let name = before.map_or("name", |before| &self.text[before.place.clone()]);
        fault.help(format!("write `{name}: …`")).at(start..end)
    }

    /// The fault of arithmetic behind a number.
    fn arithmetic(&self, sign: &str, place: Range<usize>) -> Result<bool, Fault> {
        let Some(before) = &self.before else { return Ok(false) };
        let Some(left) = constant(&self.text[before.place.clone()]) else { return Ok(false) };
        let start = before.place.start;
        let rest = &self.text[place.end..];
        if sign == "%" {
            let fault = Fault::new(format!("`{}` is no number", &self.text[start..place.end]));
            let help = format!("write the share as a number: {}", digits(left / 100.0, 6));
            return Err(fault.help(help).at(start..place.end));
        }
        let end = end_of_value(rest);
        let right = rest[..end].trim();
        let whole = start..place.end + rest[..end].trim_end().len();
        let fault = Fault::new(format!("`{}` is no number", &self.text[whole.clone()]));
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
        Err(fault.help(no_arithmetic(result)).at(whole))
    }
}

/// The number that a word of arithmetic is.
pub(crate) fn constant(word: &str) -> Option<f64> {
    match word.to_ascii_lowercase().as_str() {
        "pi" | "π" => Some(std::f64::consts::PI),
        "tau" | "τ" => Some(std::f64::consts::TAU),
        _ => word.replace('_', "").parse().ok(),
    }
}

/// Where a value ends: at a comma, a line break, or a bracket that it does not open itself.
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
