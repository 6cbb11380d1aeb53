//! Syntax errors: violations of RON's grammar, with a guess at the intention.
//!
//! This module only sees invalid texts. Before each token the parser knows the allowed tokens.

mod letters;
mod signs;
mod values;
mod whole;

pub use signs::constant;
pub use whole::whole_fault;

use crate::fault::{Fault, line_and_column};
use crate::parser::{Level, Parser};
use crate::token::{TokenKind, bare, tokens};
use std::ops::Range;
use values::{closing, is_open_ended, never_closed, no_closing_quote, number};

/// The next token that is allowed inside a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// A name, or a value if there are no names.
    Entry,
    /// A colon, if the word before was a name.
    Colon,
    /// A value.
    Value,
    /// A comma or the end.
    Comma,
}

impl Level {
    fn opens(&self, wanted: char) -> bool {
        self.bracket.is_some_and(|(bracket, _)| bracket == wanted)
    }

    fn expected(&self, text: &str) -> Expected {
        let is_word = |place: &Range<usize>| !is_like_number(&text[place.clone()]);
        match &self.last {
            None if self.name.is_some() => Expected::Value,
            None => Expected::Entry,
            Some((TokenKind::Word, place))
                if self.opens('(')
                    && self.name.is_none()
                    && self.start == Some(place.start)
                    && is_word(place) =>
            {
                Expected::Colon
            }
            Some(_) => Expected::Comma,
        }
    }
}

/// Whether a word starts like a number.
fn is_like_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
}

/// One pass over a text.
struct SyntaxReader<'a> {
    text: &'a str,
    parser: Parser<'a>,
    /// Bracket that closed the outermost one.
    end: Option<Range<usize>>,
    /// Offset of the first multi-line string, which may lack its closing quote.
    long_text: Option<usize>,
    /// Offset of the first bracket whose line is indented differently from the line of its closing
    /// bracket.
    misindented: Option<usize>,
}

/// Returns the first syntax error of an invalid text, if its kind is known.
pub fn syntax_fault(text: &str) -> Option<Fault> {
    let (parser, end, long_text, misindented) = (Parser::new(text), None, None, None);
    let mut reader = SyntaxReader { text, parser, end, long_text, misindented };
    for (kind, place) in tokens(text, 0) {
        match reader.check(kind, place.clone()) {
            Ok(true) => reader.parser.take(kind, place),
            // RON's own message is better.
            Ok(false) => return None,
            Err(fault) => return Some(reader.or_missing_quote(fault)),
        }
    }
    reader.unclosed().map(|fault| reader.or_missing_quote(fault))
}

impl SyntaxReader<'_> {
    /// Checks the next token. Returns `false` for an error that RON describes better.
    fn check(&mut self, kind: TokenKind, place: Range<usize>) -> Result<bool, Fault> {
        if let Some(end) = self.end.clone().filter(|_| kind != TokenKind::Trivia) {
            return Err(self.trailing_fault(kind, end, place));
        }
        match kind {
            TokenKind::Trivia => values::comment(self.text, place)?,
            TokenKind::Open => self.bracket(place)?,
            TokenKind::Close => self.close(place)?,
            TokenKind::Word => self.word(place)?,
            TokenKind::Text => self.quoted(place)?,
            TokenKind::Colon => return self.colon(place),
            TokenKind::Comma => return self.comma(place),
            TokenKind::Other => return self.other(place),
        }
        Ok(true)
    }

    /// Innermost open bracket; `None` outside of brackets.
    fn open(&self) -> Option<&Level> {
        self.parser.levels.last().filter(|level| level.bracket.is_some())
    }

    fn next(&self) -> Option<Expected> {
        Some(self.open()?.expected(self.text))
    }

    /// The token before the next one: a word, number, text or closing bracket.
    fn before(&self) -> Option<Range<usize>> {
        self.parser.levels.last()?.last_token()
    }

    /// Previous token if it is a word but not a number, like a name.
    fn word_before(&self) -> Option<&str> {
        let word = &self.text[self.before()?];
        let is_word = !is_like_number(word) && !word.ends_with(['"', '#', ')', ']', '}']);
        is_word.then_some(word)
    }

    /// Rejects a value without the required comma or colon before it.
    fn begin_value(&self) -> Result<(), Fault> {
        let Some(before) = self.before() else { return Ok(()) };
        let here = before.end..before.end;
        match self.next() {
            Some(Expected::Comma) => Err(self.split_value().unwrap_or_else(|| {
                Fault::with_help(here, "a comma is missing here", "separate entries with a comma")
            })),
            Some(Expected::Colon) => {
                let name = &self.text[before];
                let message = format!("a colon is missing after `{name}`");
                Err(Fault::with_help(here, message, format!("write a field as `{name}: …`")))
            }
            _ => Ok(()),
        }
    }

    fn bracket(&self, place: Range<usize>) -> Result<(), Fault> {
        let holds_options = self.word_before().is_some() && self.text[place].starts_with('(');
        if holds_options { Ok(()) } else { self.begin_value() }
    }

    fn close(&mut self, place: Range<usize>) -> Result<(), Fault> {
        let found = &self.text[place.clone()];
        let Some(level) = self.open() else { return Err(closes_nothing(found, place)) };
        let (bracket, opened) = level.bracket.unwrap_or_default();
        if found != closing(bracket) {
            let (line, column) = line_and_column(self.text, place.start);
            let help = format!(
                "line {line}, column {column} has a `{found}` instead of the closing bracket"
            );
            return Err(never_closed(self.text, opened).help(help));
        }
        if self.next() == Some(Expected::Value) {
            return Err(self.no_value());
        }
        self.check_name_of_entry()?;
        let (opening, closing) = (level.line, self.parser.line);
        let is_first = closing.start + closing.indent == place.start;
        if is_first && opening.start != closing.start && opening.indent != closing.indent {
            self.misindented.get_or_insert(opened);
        }
        self.end = (self.parser.levels.len() == 2).then_some(place);
        Ok(())
    }

    /// Rejects an unnamed entry that ends here, if other entries have names.
    fn check_name_of_entry(&self) -> Result<(), Fault> {
        let level = self.open().filter(|level| level.opens('(') && level.is_named);
        let is_nameless = |level: &&Level| level.start.is_some() && level.name.is_none();
        match level.filter(is_nameless).and_then(Level::last_token) {
            Some(place) => Err(values::nameless(self.text, place)),
            None => Ok(()),
        }
    }

    fn word(&self, place: Range<usize>) -> Result<(), Fault> {
        letters::check(self.text, &place)?;
        self.begin_value()?;
        let word = &self.text[place.clone()];
        if is_like_number(word) { number(word).map_err(|fault| fault.at(place)) } else { Ok(()) }
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
        Ok(())
    }

    fn colon(&self, place: Range<usize>) -> Result<bool, Fault> {
        let (Some(level), Some(next)) = (self.open(), self.next()) else { return Ok(false) };
        let name = self.before();
        let text = name.clone().map_or("", |name| &self.text[name]);
        match (next, name) {
            (Expected::Colon, Some(name)) => {
                values::check_name(self.text, &name, &place)?;
                match level.nameless.clone() {
                    Some(nameless) => Err(values::nameless(self.text, nameless)),
                    None => Ok(true),
                }
            }
            // The keys of a map may be any values.
            (Expected::Comma, Some(_)) if level.opens('{') && level.name.is_none() => Ok(true),
            (Expected::Comma, Some(name)) if text.starts_with('"') && level.opens('(') => {
                let help = format!("write `{}: …`", text.trim_matches('"'));
                let message = "field names are written without quotes";
                Err(Fault::with_help(name.start..place.end, message, help))
            }
            (Expected::Comma, Some(name)) if level.opens('[') => {
                let help = format!("write `({text}: …)`, and `[({text}: …)]` for a list of one");
                let message = "fields need parentheses, not brackets";
                Err(Fault::with_help(name.start..place.end, message, help))
            }
            (Expected::Value, _) => Err(Fault::with_help(
                place,
                "a value is missing between the two colons",
                format!("write `{text}: …`"),
            )),
            _ => Ok(false),
        }
    }

    fn comma(&self, place: Range<usize>) -> Result<bool, Fault> {
        match self.next() {
            None => Ok(false),
            Some(Expected::Value) => Err(self.no_value()),
            Some(Expected::Entry) => {
                let message = "a value is missing before this comma";
                Err(Fault::with_help(place, message, "remove the comma"))
            }
            Some(Expected::Colon | Expected::Comma) => self.check_name_of_entry().map(|()| true),
        }
    }

    /// Returns the fault of a colon without a value.
    fn no_value(&self) -> Fault {
        let place = self.before().unwrap_or(0..0);
        let name = &self.text[place.clone()];
        let help = format!("write a value after the colon, or remove `{name}`");
        Fault::with_help(place.clone(), format!("`{name}` has no value"), help)
    }

    /// Returns the fault of text after the end of a value.
    fn trailing_fault(&self, kind: TokenKind, end: Range<usize>, place: Range<usize>) -> Fault {
        let (found, last) = (&self.text[place.clone()], &self.text[end.clone()]);
        if kind == TokenKind::Close {
            return closes_nothing(found, place);
        }
        let starts_alike = || bare(&self.text[..end.start]).starts_with(found);
        if kind == TokenKind::Word && found == "Scene" && starts_alike() {
            let help = "a file contains one scene; use panels to show several things";
            return Fault::with_help(place, "a second scene begins here", help);
        }
        let is_last = bare(&self.text[place.end..]).is_empty();
        if kind == TokenKind::Other || (kind == TokenKind::Comma && is_last) {
            let message = format!("unexpected text after the last `{last}`");
            return Fault::with_help(place, message, format!("remove the `{found}`"));
        }
        if !has_surplus(&self.text[place.start..]) {
            let help = "remove it, or put it inside the brackets";
            return Fault::with_help(place, "all brackets are closed, but more text follows", help);
        }
        let (line, column) = line_and_column(self.text, place.start);
        let help = format!(
            "one closing bracket too many? more text begins at line {line}, column {column}"
        );
        Fault::with_help(
            end,
            format!("this `{last}` closes the last open bracket, but more text follows"),
            help,
        )
    }

    /// Returns the fault of a bracket that is open at the end.
    fn unclosed(&self) -> Option<Fault> {
        let (_, innermost) = self.open()?.bracket?;
        let fault = never_closed(self.text, self.misindented.unwrap_or(innermost));
        Some(fault.help("add the bracket that closes it"))
    }

    /// Replaces a fault after a multi-line string. The string may lack its closing quote and
    /// contain the following text, so the original fault would be misleading.
    fn or_missing_quote(&self, fault: Fault) -> Fault {
        match (self.long_text, &fault.span) {
            (Some(start), Some(span)) if start < span.start => no_closing_quote(self.text, start),
            _ => fault,
        }
    }
}

fn closes_nothing(found: &str, place: Range<usize>) -> Fault {
    let help = "remove it, or add the opening bracket";
    Fault::with_help(place, format!("this `{found}` has no opening bracket"), help)
}

/// Whether a text contains a closing bracket without an opening one.
fn has_surplus(text: &str) -> bool {
    let mut depth = 0_i64;
    tokens(text, 0).any(|(kind, _)| {
        depth += i64::from(kind == TokenKind::Open) - i64::from(kind == TokenKind::Close);
        depth < 0
    })
}
