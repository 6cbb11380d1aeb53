//! What is said about a scene that cannot be used.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};
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
            // ron calls a word that stands alone a unit.
            let found = if found == "a unit value" { "a word" } else { found };
            Fault::new(format!("expected {expected}, found {found}"))
        }
        E::SuggestRawIdentifier(found) | E::InvalidIdentifier(found) => {
            let help = "names begin with a letter; decimals are written with a point, such as 1.5";
            Fault::new(format!("expected a name, found `{found}`")).help(help)
        }
        E::ExpectedComma => Fault::new("expected a comma or a closing bracket"),
        E::ExpectedMapColon => Fault::new("expected a colon between name and value"),
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

/// The text that a message quotes.
#[derive(Debug)]
struct Source {
    name: String,
    text: String,
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

/// How many bytes of a long line are quoted on each side of the place in question.
const SHOWN: usize = 70;

impl SceneError {
    /// The message with the line in question and what would be right, with or without colours for a terminal.
    pub fn report(&self, is_coloured: bool) -> String {
        let title = self.to_string();
        let Parts { source, fault } = &*self.0;
        let quoted = fault.span.as_ref().map(|span| Quoted::new(&source.text, span));
        let mut group = Group::with_title(Level::ERROR.primary_title(&title));
        if let Some(quoted) = &quoted {
            let mark = AnnotationKind::Primary.span(quoted.mark.clone());
            let snippet = Snippet::source(&quoted.text).line_start(self.position().0);
            group = group.element(snippet.annotation(mark.label(fault.field.as_deref())));
        } else if let Some(field) = &fault.field {
            group = group.element(Level::NOTE.message(format!("the field is `{field}`")));
        }
        if let Some(help) = &fault.help {
            group = group.element(Level::HELP.message(help));
        }
        let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
        // Lines are cut here, around the place in question; the renderer need not cut them once more.
        let renderer = renderer.decor_style(DecorStyle::Unicode).term_width(usize::from(u16::MAX));
        let report = renderer.render(&[group]);
        // The title says the place, which leaves the line above the quotation empty.
        let is_empty = |index| quoted.is_some() && index == 1;
        let lines = report.lines().enumerate().filter(|(index, _)| !is_empty(*index));
        lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }
}

/// The line that a message quotes. Of a very long one only what stands around the place in question.
struct Quoted {
    text: String,
    /// The place in question, in bytes of `text`.
    mark: Range<usize>,
}

impl Quoted {
    fn new(text: &str, span: &Range<usize>) -> Self {
        const CUT: &str = "… ";
        let at = floor(text, span.start);
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[at..].find(['\r', '\n']).map_or(text.len(), |newline| at + newline);
        let start = floor(text, line_start.max(at.saturating_sub(SHOWN)));
        let end = floor(text, line_end.min(at + SHOWN));
        let (before, after) =
            (if start > line_start { CUT } else { "" }, if end < line_end { " …" } else { "" });
        // Of a value that goes over several lines the first is marked.
        let mark = before.len() + at - start..before.len() + span.end.clamp(at, end) - start;
        Self { text: format!("{before}{}{after}", &text[start..end]), mark }
    }
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}
