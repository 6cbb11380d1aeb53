//! What is said about a scene that cannot be used.

use miette::{Diagnostic, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan};
use ron::error::{Position, SpannedError};
use std::{fmt, ops::Range};

/// Something wrong in a text: what, where in it, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// Which field, when known.
    pub field: Option<String>,
    /// What would be right.
    pub help: Option<String>,
    /// Bytes in the text.
    pub span: Option<Range<usize>>,
}

impl Fault {
    /// A fault without a place.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), field: None, help: None, span: None }
    }

    /// Says where.
    pub(super) fn at(self, span: Range<usize>) -> Self {
        Self { span: Some(span), ..self }
    }

    /// Says what to do.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The same fault in a text that begins `by` bytes earlier.
    pub(super) fn moved(self, by: usize) -> Self {
        let span = self.span.map(|span| span.start + by..span.end + by);
        Self { span, ..self }
    }

    /// A name that is not known, with the nearest one that is.
    pub(super) fn unknown(kind: &str, found: &str, allowed: &[&str]) -> Self {
        let nearest = allowed
            .iter()
            .map(|name| {
                let (name_lower, found_lower) = (name.to_lowercase(), found.to_lowercase());
                (strsim::damerau_levenshtein(&name_lower, &found_lower), *name)
            })
            .min()
            .filter(|(distance, name)| *distance <= 1 + name.len() / 3)
            .map(|(_, name)| name);
        // `Verlet` is far from every name and still says what is meant.
        let part = found.to_lowercase();
        let holds = |name: &&&str| part.len() > 2 && name.to_lowercase().contains(&part);
        let similar: Vec<&str> = match nearest {
            Some(name) => vec![name],
            None => allowed.iter().filter(holds).copied().collect(),
        };
        let list = format!("allowed here: {}", allowed.join(", "));
        Self::new(format!("there is no {kind} `{found}`")).help(match () {
            () if allowed.is_empty() => "nothing is allowed here".into(),
            () if similar.is_empty() => list,
            () => format!("did you mean `{}`? {list}", similar.join("` or `")),
        })
    }
}

/// Turns ron's error about `text` into a fault.
pub(super) fn fault_of_ron(error: &SpannedError, text: &str) -> Fault {
    use ron::Error as E;
    let fault = match &error.code {
        E::NoSuchStructField { expected, found, .. } => Fault::unknown("field", found, expected),
        E::NoSuchEnumVariant { expected, found, .. } => Fault::unknown("word", found, expected),
        E::DuplicateStructField { field, .. } => {
            Fault::new(format!("`{field}` is written twice")).help("keep one of the two")
        }
        E::ExceededRecursionLimit => {
            Fault::new("brackets are nested too deeply").help("a scene needs fewer than ten levels")
        }
        E::ExpectedFloat => Fault::new("expected a number"),
        E::ExpectedInteger => Fault::new("expected a whole number"),
        E::IntegerOutOfBounds => Fault::new("this number is too large, or below zero"),
        E::ExpectedString => Fault::new("expected text in quotes"),
        E::ExpectedArray => Fault::new("expected a list in brackets: […]"),
        E::ExpectedStructLike | E::ExpectedNamedStructLike(_) => {
            Fault::new("expected parentheses: (…)")
        }
        E::ExpectedStructLikeEnd => Fault::new("expected a closing parenthesis: too many values?"),
        E::TrailingCharacters => Fault::new("the scene has ended, but more text follows"),
        E::Eof => Fault::new("the text ends too early").help("is a closing bracket missing?"),
        E::Message(message) => Fault::new(message.clone()),
        E::InvalidValueForType { expected, found } => {
            Fault::new(format!("expected {expected}, found {found}"))
        }
        code => Fault::new(lower_first(&code.to_string())),
    };
    let (start, end) = (offset(text, error.span.start), offset(text, error.span.end));
    fault.at(tight(text, start, end.max(start)))
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// The byte at a line and column that both count from 1.
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

/// Drops white space and separators around a span: it shall show the value alone.
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

/// A scene that cannot be used: which file, where in it, what and why.
#[derive(Debug)]
pub struct SceneError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    source: Source,
    fault: Fault,
}

impl SceneError {
    /// `name` is what the user calls the text: a path, or a command-line option.
    pub(super) fn new(name: &str, text: &str, fault: Fault) -> Self {
        Self(Box::new(Parts { source: Source { name: name.into(), text: text.into() }, fault }))
    }

    /// Line and column, both counted from 1, columns in characters.
    pub fn position(&self) -> (usize, usize) {
        let at =
            self.0.fault.span.as_ref().map_or(0, |span| span.start.min(self.0.source.text.len()));
        let before = &self.0.source.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        match self.0.fault.span {
            Some(_) => {
                write!(f, "{}:{line}:{column}: {}", self.0.source.name, self.0.fault.message)
            }
            None => write!(f, "{}: {}", self.0.source.name, self.0.fault.message),
        }
    }
}

impl std::error::Error for SceneError {}

impl Diagnostic for SceneError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.fault.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.fault.span.as_ref().map(|_| &self.0.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.0.fault.span.clone()?;
        // Of a value that goes over several lines the first is shown.
        let text = self.0.source.text.get(span.clone()).unwrap_or_default();
        let first_line = text.lines().next().map_or(0, str::len);
        let span = span.start..span.start + floor(text, first_line.min(SHOWN));
        let label = self.0.fault.field.clone();
        Some(Box::new(std::iter::once(LabeledSpan::new(label, span.start, span.len()))))
    }
}

/// The text that a message quotes. A very long line is quoted around the place in question only.
#[derive(Debug)]
struct Source {
    name: String,
    text: String,
}

/// How many bytes of a line are shown on each side of the place in question.
const SHOWN: usize = 70;

impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, MietteError> {
        let at = span.offset().min(self.text.len());
        let line_start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end =
            self.text[at..].find(['\r', '\n']).map_or(self.text.len(), |newline| at + newline);
        let start = floor(&self.text, line_start.max(at.saturating_sub(SHOWN)));
        let end = floor(&self.text, line_end.min(at + SHOWN));
        let line = self.text[..line_start].matches('\n').count();
        // Asked without context, miette wants the column of the place; else that of the quoted text.
        let column_of = if lines_before == 0 { at } else { start };
        let column = self.text[line_start..column_of].chars().count();
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[start..end],
            (start, end - start).into(),
            line,
            column,
            1,
        )))
    }
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0)
}
