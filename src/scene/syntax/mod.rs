//! Errors of syntax: what RON's grammar does not allow, and what was meant by it.
//!
//! Only a text that cannot be read comes here. One pass over its tokens knows what may stand at
//! each place.

mod words;

use super::diagnostic::{Fault, line_and_column};
use super::token::{Token, TokenKind};
use crate::text::number::digits;
use std::ops::Range;
use words::{closing, is_open_ended, never_closed, no_arithmetic, no_closing_quote, number};

/// What may come next inside a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// A name, or a value where there are no names.
    Entry,
    /// A colon, if the word before was a name.
    Colon,
    /// A value.
    Value,
    /// A comma, or the end.
    Comma,
}

/// An open bracket.
#[derive(Clone, Debug)]
struct OpenBracket {
    bracket: char,
    at: usize,
    line: LineStart,
    next: Expected,
}

/// The start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineStart {
    start: usize,
    /// Spaces and tabs at its beginning.
    indent: usize,
}

impl LineStart {
    /// The start of the line that begins at a byte.
    fn at(text: &str, start: usize) -> Self {
        let line = &text[start..];
        Self { start, indent: line.len() - line.trim_start_matches([' ', '\t']).len() }
    }
}

/// The token before the current one: a word, number, text or closed bracket.
#[derive(Clone, Debug)]
struct PreviousToken {
    place: Range<usize>,
    /// Whether a bracket with options may follow without a comma, as behind a name.
    is_word: bool,
}

/// The pass over a text.
struct SyntaxReader<'a> {
    text: &'a str,
    /// The line in which the next token begins.
    line: LineStart,
    open: Vec<OpenBracket>,
    before: Option<PreviousToken>,
    /// The first text of several lines, which may lack its closing quote.
    long_text: Option<usize>,
    /// The first bracket whose line is not indented like that of its closing one.
    misindented: Option<usize>,
}

/// The first error of syntax in a text that cannot be read, if it is a known one.
pub(super) fn syntax_fault(text: &str) -> Option<Fault> {
    let (line, open) = (LineStart::at(text, 0), Vec::new());
    let mut reader =
        SyntaxReader { text, line, open, before: None, long_text: None, misindented: None };
    let mut at = 0;
    while at < text.len() {
        let piece = Token::at(text, at);
        let place = at..at + piece.length;
        at = place.end;
        let last_break = text[place.clone()].rfind('\n').map(|found| place.start + found);
        match reader.take(piece.kind, place) {
            Ok(true) => {
                reader.line = last_break.map_or(reader.line, |at| LineStart::at(text, at + 1));
            }
            // RON's own message is better.
            Ok(false) => return None,
            Err(fault) => return Some(reader.or_missing_quote(fault)),
        }
    }
    reader.end().map(|fault| reader.or_missing_quote(fault))
}

impl SyntaxReader<'_> {
    /// Takes the next token; returns false at an error that RON describes better.
    fn take(&mut self, kind: TokenKind, place: Range<usize>) -> Result<bool, Fault> {
        match kind {
            TokenKind::Trivia => Ok(true),
            TokenKind::Open => self.bracket(place).map(|()| true),
            TokenKind::Close => self.close(place).map(|()| true),
            TokenKind::Word => self.word(place).map(|()| true),
            TokenKind::Text => self.quoted(place).map(|()| true),
            TokenKind::Colon => self.colon(place),
            TokenKind::Comma => self.comma(place),
            TokenKind::Other => self.other(place),
        }
    }

    fn next(&mut self) -> Option<&mut Expected> {
        self.open.last_mut().map(|open| &mut open.next)
    }

    fn set(&mut self, next: Expected) {
        if let Some(open) = self.open.last_mut() {
            open.next = next;
        }
    }

    /// Refuses a value where a comma or a colon belongs before it.
    fn begin_value(&mut self) -> Result<(), Fault> {
        let Some(before) = self.before.clone() else { return Ok(()) };
        let end = before.place.end;
        match self.next() {
            Some(Expected::Comma) => {
                let fault = Fault::new("a comma is missing here");
                Err(fault.help("commas stand between entries").at(end..end))
            }
            Some(Expected::Colon) => {
                let name = &self.text[before.place];
                let fault = Fault::new(format!("a colon is missing behind `{name}`"));
                Err(fault.help(format!("a field is written `{name}: …`")).at(end..end))
            }
            _ => Ok(()),
        }
    }

    fn bracket(&mut self, place: Range<usize>) -> Result<(), Fault> {
        let follows_word = self.before.as_ref().is_some_and(|before| before.is_word);
        let holds_options = follows_word && self.text[place.clone()].starts_with('(');
        if !(holds_options && matches!(self.next(), None | Some(Expected::Comma | Expected::Colon)))
        {
            self.begin_value()?;
        }
        self.set(Expected::Comma);
        let bracket = self.text[place.clone()].chars().next().unwrap_or('(');
        let (at, line) = (place.start, self.line);
        self.open.push(OpenBracket { bracket, at, line, next: Expected::Entry });
        self.before = None;
        Ok(())
    }

    fn close(&mut self, place: Range<usize>) -> Result<(), Fault> {
        let found = &self.text[place.clone()];
        let Some(open) = self.open.pop() else {
            let fault = Fault::new(format!("this `{found}` closes nothing"));
            return Err(fault
                .help("take it away, or open the bracket that it belongs to")
                .at(place));
        };
        if found != closing(open.bracket) {
            let (line, column) = line_and_column(self.text, place.start);
            let help =
                format!("line {line}, column {column} has a `{found}` where it has to close");
            return Err(never_closed(self.text, open.at).help(help));
        }
        if open.next == Expected::Value {
            return Err(self.no_value());
        }
        let (opened, closed) = (open.line, self.line);
        let is_first = closed.start + closed.indent == place.start;
        if opened.start != closed.start && opened.indent != closed.indent && is_first {
            self.misindented.get_or_insert(open.at);
        }
        self.before = Some(PreviousToken { place, is_word: false });
        self.set(Expected::Comma);
        Ok(())
    }

    fn word(&mut self, place: Range<usize>) -> Result<(), Fault> {
        self.begin_value()?;
        let word = &self.text[place.clone()];
        if word.starts_with(['“', '”', '„', '‘', '’', '«', '»']) {
            let fault = Fault::new("text stands in straight quotes");
            return Err(fault.help("write \"…\"").at(place));
        }
        let is_number = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        if is_number {
            number(word).map_err(|fault| fault.at(place.clone()))?;
        }
        let is_name = !is_number && self.open.last().is_some_and(|open| open.bracket == '(');
        let is_first = matches!(self.next(), Some(Expected::Entry));
        self.set(if is_name && is_first { Expected::Colon } else { Expected::Comma });
        self.before = Some(PreviousToken { place, is_word: !is_number });
        Ok(())
    }

    fn quoted(&mut self, place: Range<usize>) -> Result<(), Fault> {
        self.begin_value()?;
        let text = &self.text[place.clone()];
        if is_open_ended(text) {
            return Err(no_closing_quote(self.text, place.start));
        }
        if text.contains('\n') {
            self.long_text.get_or_insert(place.start);
        }
        self.before = Some(PreviousToken { place, is_word: false });
        self.set(Expected::Comma);
        Ok(())
    }

    fn colon(&mut self, place: Range<usize>) -> Result<bool, Fault> {
        match (self.next().copied(), self.before.clone()) {
            (Some(Expected::Colon), _) => {
                self.set(Expected::Value);
                Ok(true)
            }
            (Some(Expected::Comma), Some(before))
                if self.text[before.place.clone()].starts_with('"') =>
            {
                let name = self.text[before.place.clone()].trim_matches('"');
                let fault = Fault::new("names of fields stand without quotes");
                Err(fault.help(format!("write `{name}: …`")).at(before.place.start..place.end))
            }
            _ => Ok(false),
        }
    }

    fn comma(&mut self, _place: Range<usize>) -> Result<bool, Fault> {
        match self.next() {
            Some(Expected::Value) => Err(self.no_value()),
            Some(Expected::Entry) | None => Ok(false),
            Some(next) => {
                *next = Expected::Entry;
                self.before = None;
                Ok(true)
            }
        }
    }

    /// The fault of a colon without a value.
    fn no_value(&self) -> Fault {
        let place = self.before.as_ref().map_or(0..0, |before| before.place.clone());
        let name = &self.text[place.clone()];
        let fault = Fault::new(format!("`{name}` has no value"));
        fault.help(format!("write one behind the colon, or leave `{name}` out")).at(place)
    }

    fn other(&mut self, place: Range<usize>) -> Result<bool, Fault> {
        let rest = &self.text[place.start..];
        let sign = &self.text[place.clone()];
        match sign {
            "#" if rest.starts_with("#![") => Ok(false),
            "#" => {
                let fault = Fault::new("a comment begins with `//`, not with `#`");
                Err(fault.help("write `// …`, or `/* … */`").at(place))
            }
            "'" => {
                let line = rest[1..].split('\n').next().unwrap_or_default();
                let end = line.find('\'').map_or(place.end, |end| place.end + end + 1);
                let inside = rest[1..end - place.start].trim_end_matches('\'');
                let help = format!("write \"{inside}\"");
                let fault = Fault::new("text stands in double quotes, not in single ones");
                Err(fault.help(help).at(place.start..end))
            }
            "=" => {
                let fault = Fault::new("a colon stands between name and value, not `=`");
                let before = self.before.as_ref().filter(|before| before.is_word);
                let name = before.map_or("name", |before| &self.text[before.place.clone()]);
                Err(fault.help(format!("write `{name}: …`")).at(place))
            }
            ";" => {
                let fault = Fault::new("a comma stands between entries, not `;`");
                Err(fault.help("write `,`").at(place))
            }
            "%" | "/" | "*" | "^" => self.arithmetic(sign, place),
            _ => Ok(false),
        }
    }

    /// The fault of arithmetic behind a number.
    fn arithmetic(&self, sign: &str, place: Range<usize>) -> Result<bool, Fault> {
        let Some(before) = &self.before else { return Ok(false) };
        let Ok(left) = self.text[before.place.clone()].parse::<f64>() else { return Ok(false) };
        let start = before.place.start;
        if sign == "%" {
            let fault = Fault::new(format!("`{}` is no number", &self.text[start..place.end]));
            let help = format!("write the share as a number: {}", digits(left / 100.0, 6));
            return Err(fault.help(help).at(start..place.end));
        }
        let rest = &self.text[place.end..];
        let end = rest.find(|c: char| ",)]}\n".contains(c)).unwrap_or(rest.len());
        let right = rest[..end].trim();
        let whole = start..place.end + rest[..end].trim_end().len();
        let fault = Fault::new(format!("`{}` is no number", &self.text[whole.clone()]));
        let value = match (sign, right.parse::<f64>()) {
            ("/", Ok(right)) => Some(left / right),
            ("*", Ok(right)) => Some(left * right),
            _ => None,
        };
        let result = value.filter(|value| value.is_finite());
        Err(fault.help(no_arithmetic(result)).at(whole))
    }

    /// The fault of a bracket that is open at the end.
    fn end(&self) -> Option<Fault> {
        let innermost = self.open.last()?.at;
        let fault = never_closed(self.text, self.misindented.unwrap_or(innermost));
        Some(fault.help("add the bracket that closes it"))
    }

    /// Replaces a fault behind a text of several lines: that text may lack its closing quote and
    /// contain what follows, so the fault itself means nothing.
    fn or_missing_quote(&self, fault: Fault) -> Fault {
        match (self.long_text, &fault.span) {
            (Some(start), Some(span)) if start < span.start => no_closing_quote(self.text, start),
            _ => fault,
        }
    }
}
