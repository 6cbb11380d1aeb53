//! Errors of syntax: what RON's grammar does not allow, and what was meant by it.
//!
//! Only a text that cannot be read comes here. One pass over its tokens knows what may stand at
//! each place.

mod letters;
mod signs;
mod values;
mod whole;
mod words;

pub(super) use signs::constant;
pub(super) use whole::whole_fault;

use super::diagnostic::{Fault, line_and_column};
use super::read::bare;
use super::token::{Token, TokenKind};
use std::ops::Range;
use words::{closing, is_open_ended, never_closed, no_closing_quote, number};

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
    /// Whether an entry had a name.
    is_named: bool,
    /// The first entry that had none.
    nameless: Option<Range<usize>>,
    /// Where the value of the current entry begins.
    value: Option<usize>,
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
    /// The bracket that closed the outermost one.
    end: Option<Range<usize>>,
    /// The first text of several lines, which may lack its closing quote.
    long_text: Option<usize>,
    /// The first bracket whose line is not indented like that of its closing one.
    misindented: Option<usize>,
}

/// The first error of syntax in a text that cannot be read, if it is a known one.
pub(super) fn syntax_fault(text: &str) -> Option<Fault> {
    let (line, open) = (LineStart::at(text, 0), Vec::new());
    let (before, end, long_text, misindented) = Default::default();
    let mut reader = SyntaxReader { text, line, open, before, end, long_text, misindented };
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
        if let Some(end) = self.end.clone().filter(|_| kind != TokenKind::Trivia) {
            return Err(self.behind_the_end(kind, end, place));
        }
        match kind {
            TokenKind::Trivia => words::comment(self.text, place).map(|()| true),
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
                if let Some(fault) = self.split_value() {
                    return Err(fault);
                }
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
        let (next, is_named, nameless, value) = (Expected::Entry, false, None, None);
        self.open.push(OpenBracket { bracket, at, line, next, is_named, nameless, value });
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
        self.end_entry(&open)?;
        let (opened, closed) = (open.line, self.line);
        let is_first = closed.start + closed.indent == place.start;
        if opened.start != closed.start && opened.indent != closed.indent && is_first {
            self.misindented.get_or_insert(open.at);
        }
        self.end = self.open.is_empty().then(|| place.clone());
        self.before = Some(PreviousToken { place, is_word: false });
        self.set(Expected::Comma);
        Ok(())
    }

    /// Refuses an entry without a name among others that have one, and remembers those that have
    /// none. `open` is the bracket around it.
    fn end_entry(&mut self, open: &OpenBracket) -> Result<(), Fault> {
        let has_name = open.next != Expected::Entry && open.value.is_some();
        if open.bracket != '(' || open.next == Expected::Entry || has_name {
            return Ok(());
        }
        let place = self.before.as_ref().map_or(open.at..open.at, |before| before.place.clone());
        if open.is_named {
            return Err(values::nameless(self.text, place));
        }
        let known = self.open.last_mut().filter(|known| known.at == open.at);
        if let Some(known) = known.filter(|known| known.nameless.is_none()) {
            known.nameless = Some(place);
        }
        Ok(())
    }

    fn word(&mut self, place: Range<usize>) -> Result<(), Fault> {
        letters::check(self.text, &place)?;
        self.begin_value()?;
        let word = &self.text[place.clone()];
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
        let before = self.before.clone();
        let Some(open) = self.open.last_mut() else { return Ok(false) };
        let name = before.as_ref().map(|before| before.place.clone());
        let text = name.clone().map_or("", |name| &self.text[name]);
        match (open.next, name) {
            (Expected::Colon, Some(name)) => {
                values::check_name(self.text, &name, &place)?;
                if let Some(nameless) = open.nameless.clone() {
                    return Err(values::nameless(self.text, nameless));
                }
                (open.next, open.is_named, open.value) = (Expected::Value, true, Some(place.end));
                Ok(true)
            }
            // The keys of a map are any values.
            (Expected::Comma, Some(_)) if open.bracket == '{' && open.value.is_none() => {
                (open.next, open.value) = (Expected::Value, Some(place.end));
                Ok(true)
            }
            (Expected::Comma, Some(name)) if text.starts_with('"') && open.bracket == '(' => {
                let fault = Fault::new("names of fields stand without quotes");
                let help = format!("write `{}: …`", text.trim_matches('"'));
                Err(fault.help(help).at(name.start..place.end))
            }
            (Expected::Comma, Some(name)) if open.bracket == '[' => {
                let fault = Fault::new("fields stand in parentheses, not in brackets");
                let help = format!("write `({text}: …)`, and `[({text}: …)]` for a list of one");
                Err(fault.help(help).at(name.start..place.end))
            }
            (Expected::Value, _) => {
                let fault = Fault::new("one colon is enough");
                Err(fault.help(format!("write `{text}: …`")).at(place))
            }
            _ => Ok(false),
        }
    }

    fn comma(&mut self, place: Range<usize>) -> Result<bool, Fault> {
        let Some(open) = self.open.last().cloned() else { return Ok(false) };
        match open.next {
            Expected::Value => return Err(self.no_value()),
            Expected::Entry => {
                let fault = Fault::new("nothing stands before this comma");
                return Err(fault.help("take the comma away").at(place));
            }
            Expected::Colon | Expected::Comma => self.end_entry(&open)?,
        }
        if let Some(open) = self.open.last_mut() {
            (open.next, open.value) = (Expected::Entry, None);
        }
        self.before = None;
        Ok(true)
    }

    /// The fault of a colon without a value.
    fn no_value(&self) -> Fault {
        let place = self.before.as_ref().map_or(0..0, |before| before.place.clone());
        let name = &self.text[place.clone()];
        let fault = Fault::new(format!("`{name}` has no value"));
        fault.help(format!("write one behind the colon, or leave `{name}` out")).at(place)
    }

    /// The first letter that is neither space nor comment behind a byte.
    fn sign_behind(&self, at: usize) -> Option<char> {
        bare(&self.text[at..]).chars().next()
    }

    /// The fault of what stands behind the end of a value.
    fn behind_the_end(&self, kind: TokenKind, end: Range<usize>, place: Range<usize>) -> Fault {
        let (found, first) = (&self.text[place.clone()], &self.text[..end.start]);
        if kind == TokenKind::Close {
            let fault = Fault::new(format!("this `{found}` closes nothing"));
            return fault.help("take it away, or open the bracket that it belongs to").at(place);
        }
        if kind == TokenKind::Word && bare(first).starts_with(found) && found == "Scene" {
            let fault = Fault::new("a second scene begins here");
            return fault.help("a file has one scene; panels show several things").at(place);
        }
        let is_last = bare(&self.text[place.end..]).is_empty();
        if kind == TokenKind::Other || (kind == TokenKind::Comma && is_last) {
            let fault = Fault::new(format!("nothing stands behind the last `{}`", &self.text[end]));
            return fault.help(format!("take the `{found}` away")).at(place);
        }
        if !has_surplus(&self.text[place.start..]) {
            let fault = Fault::new("all brackets are closed, but more text follows");
            return fault.help("take it away, or put it inside the brackets").at(place);
        }
        let (line, column) = line_and_column(self.text, place.start);
        let fault =
            Fault::new(format!("this `{}` closes all, but more follows", &self.text[end.clone()]));
        let help = format!("one closing bracket too many? line {line}, column {column} goes on");
        fault.help(help).at(end)
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

/// Whether a text closes a bracket that it does not open.
fn has_surplus(text: &str) -> bool {
    let (mut at, mut depth) = (0, 0_usize);
    while at < text.len() {
        let token = Token::at(text, at);
        at += token.length;
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => return true,
            TokenKind::Close => depth -= 1,
            _ => {}
        }
    }
    false
}
