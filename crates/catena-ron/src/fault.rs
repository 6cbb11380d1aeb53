//! Faults: the error in a text, its span, and advice.

use crate::token::{TokenKind, tokens};
use ron::error::{Position, SpannedError};
use std::ops::Range;

/// Error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Description of the error.
    pub message: String,
    /// Path of the field, if known.
    pub field: Option<String>,
    /// Advice for the user.
    pub help: Option<String>,
    /// Span of the error in bytes of the text.
    pub span: Option<Range<usize>>,
    /// Unknown or missing field, if that is the error.
    pub wrong_field: Option<Box<WrongField>>,
}

/// Reason why the fields of a struct are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongField {
    /// A field was written that the struct does not have.
    Unknown(UnknownField),
    /// A field that the struct needs was not written.
    Missing,
}

/// Field that does not exist in its struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// Name as it was written.
    pub name: String,
    /// Fields that the struct has.
    pub known: &'static [&'static str],
}

impl Fault {
    /// Creates a fault without a span.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), field: None, help: None, span: None, wrong_field: None }
    }

    /// Creates a fault with a span and advice.
    pub fn with_help(
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self::new(message).help(help).at(span)
    }

    /// Sets the span.
    pub fn at(self, span: Range<usize>) -> Self {
        Self { span: Some(span), ..self }
    }

    /// Sets the advice.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Shifts the span by `by` bytes, for a text that starts earlier.
    pub fn moved(self, by: usize) -> Self {
        let span = self.span.map(|span| span.start + by..span.end + by);
        Self { span, ..self }
    }

    /// Creates the fault of an unknown name, with the nearest known names as advice.
    pub fn unknown(kind: &str, found: &str, allowed: &[&str]) -> Self {
        /// Maximum number of allowed names that are listed next to a suggestion.
        const MAX_LISTED: usize = 8;
        let similar = similar(found, allowed);
        let list = format!("allowed here: {}", allowed.join(", "));
        Self::new(format!("there is no {kind} `{found}`")).help(match () {
            () if found == "Some" => "write the value without Some( )".into(),
            () if allowed.is_empty() => {
                "options are not allowed here: remove the parentheses".into()
            }
            () if similar.is_empty() => list,
            () => {
                let list = if allowed.len() > MAX_LISTED { "" } else { &format!(" {list}") };
                format!("did you mean `{}`?{list}", similar.join("` or `"))
            }
        })
    }

    /// Creates the fault of a field that its struct does not have.
    pub fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        let unknown = WrongField::Unknown(UnknownField { name: name.into(), known });
        Self { wrong_field: Some(Box::new(unknown)), ..Self::unknown("field", name, known) }
    }

    /// Marks the fault as a missing field.
    pub fn of_missing_field(self) -> Self {
        Self { wrong_field: Some(Box::new(WrongField::Missing)), ..self }
    }

    /// Whether a field is missing.
    pub fn is_missing_field(&self) -> bool {
        self.wrong_field.as_deref() == Some(&WrongField::Missing)
    }
}

/// Returns names similar to `found`: the nearest, or all that contain it.
pub fn similar<'a>(found: &str, allowed: &[&'a str]) -> Vec<&'a str> {
    // A part of a name, such as `Verlet`, has a large edit distance but still shows the intention.
    let part = found.to_lowercase();
    let holds = |name: &&&str| part.len() > 2 && name.to_lowercase().contains(&part);
    match nearest(found, allowed.iter().copied()) {
        Some((_, name)) => vec![name],
        None => allowed.iter().filter(holds).copied().collect(),
    }
}

/// Returns the name most similar to `found` with its edit distance, or `None` if no name is
/// similar.
pub fn nearest<'a>(
    found: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<(usize, &'a str)> {
    let found = found.to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &found);
    let names = names.into_iter().map(|name| (distance(name), name));
    names.filter(|(distance, name)| *distance <= slips(&found, name)).min()
}

/// Maximum edit distance at which two names count as similar. The limit grows with their length,
/// since short names are similar to many others.
fn slips(found: &str, name: &str) -> usize {
    match found.chars().count().max(name.chars().count()) {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

/// Term of the `ron` crate for a bare word.
const UNIT: &str = "a unit value";

/// Converts an error of the `ron` crate about `text` into a fault.
pub fn fault_of_ron(error: &SpannedError, text: &str) -> Fault {
    use ron::Error as E;
    let fault = match &error.code {
        E::NoSuchStructField { expected, found, .. } => Fault::unknown("field", found, expected),
        E::NoSuchEnumVariant { expected, found, .. } => Fault::unknown("word", found, expected),
        E::DuplicateStructField { field, .. } => {
            Fault::new(format!("`{field}` is written twice")).help("keep one of the two")
        }
        E::MissingStructField { field, outer } => {
            let of = outer.as_ref().map_or("this".to_owned(), |outer| format!("`{outer}`"));
            let fault = Fault::new(format!("{of} needs `{field}`")).of_missing_field();
            fault.help(format!("add `{field}: …`"))
        }
        E::ExceededRecursionLimit => {
            Fault::new("brackets are nested too deeply").help("remove levels of nesting")
        }
        E::ExpectedFloat => Fault::new("expected a number"),
        E::ExpectedInteger => Fault::new("expected a whole number"),
        E::IntegerOutOfBounds => Fault::new("this number is too large, or below zero"),
        E::ExpectedString => Fault::new("expected text in quotes"),
        E::ExpectedIdentifier => Fault::new("expected a word without quotes"),
        E::ExpectedBoolean => Fault::new("expected true or false"),
        E::InvalidEscape(_) => {
            Fault::new("a backslash begins an escape such as \\n, but this is not a valid escape")
                .help("write \\\\ for a backslash")
        }
        E::ExpectedArray => Fault::new("expected a list in brackets: […]"),
        E::ExpectedStructLike | E::ExpectedNamedStructLike(_) => {
            Fault::new("expected parentheses: (…)")
        }
        E::ExpectedStructLikeEnd => Fault::new("expected a closing parenthesis: too many values?"),
        E::TrailingCharacters => Fault::new("the scene has ended, but more text follows"),
        E::Eof => Fault::new("the text ends too early").help("is a closing bracket missing?"),
        E::Message(message) => Fault::new(message.clone()),
        E::InvalidValueForType { expected, found } => {
            let found = if found == UNIT { "a word" } else { found };
            Fault::new(format!("expected {expected}, found {found}"))
        }
        E::SuggestRawIdentifier(found) | E::InvalidIdentifier(found) => {
            let help = "names begin with a letter, as in `name: value`; decimals are written with a point, such as 1.5";
            Fault::new(format!("expected a name, found `{found}`")).help(help)
        }
        E::ExpectedComma => Fault::new("expected a comma or a closing bracket"),
        E::ExpectedMapColon => Fault::new("expected a colon between name and value"),
        code => Fault::new(lower_first(&code.to_string())),
    };
    let (start, end) = (offset(text, error.span.start), offset(text, error.span.end));
    let span = tight(text, start, end.max(start));
    let span = match &error.code {
        // In this case ron reports the position after the word.
        E::InvalidValueForType { found, .. } if found == UNIT => word_before(text, span),
        _ => whole(text, &span).unwrap_or(span),
    };
    let word = &text[span.clone()];
    let lacks_quotes =
        matches!(error.code, E::ExpectedString) && word.starts_with(char::is_alphanumeric);
    let fault = if lacks_quotes { fault.help(format!("write \"{word}\"")) } else { fault };
    fault.at(span)
}

/// Returns the word that ends where a span begins, or the span itself.
fn word_before(text: &str, span: Range<usize>) -> Range<usize> {
    let before = text[..span.start].trim_end();
    let start = before
        .rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    if start < before.len() { start..before.len() } else { span }
}

/// Returns the word or string in which a span begins, or the next one if the span is blank.
fn whole(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    let is_space = !span.is_empty() && text[span.clone()].trim().is_empty();
    let wanted = if is_space { span.end } else { span.start };
    let (kind, place) = tokens(text, 0).find(|(_, place)| place.contains(&wanted))?;
    matches!(kind, TokenKind::Word | TokenKind::Text).then_some(place)
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Returns the byte offset of a line and column, both counted from 1.
fn offset(text: &str, position: Position) -> usize {
    let line_start = text
        .split_inclusive('\n')
        .take(position.line.saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    text[line_start..]
        .char_indices()
        .nth(position.col.saturating_sub(1))
        .map_or(text.len(), |(index, _)| line_start + index)
}

/// Returns a span without white space and separators at its ends.
fn tight(text: &str, start: usize, end: usize) -> Range<usize> {
    let is_filler = |c: char| c.is_whitespace() || matches!(c, ',' | ')' | ']' | ':');
    let part = &text[start..end];
    let trimmed = part.trim_end_matches(is_filler);
    let inner = trimmed.trim_start_matches(is_filler);
    if inner.is_empty() {
        start..end
    } else {
        start + trimmed.len() - inner.len()..start + trimmed.len()
    }
}

/// Returns line and column of a byte offset, both counted from 1, the column in characters.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
