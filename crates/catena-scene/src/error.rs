//! Error of an unusable scene, printed with the line at fault.

use super::diagnostic::{Fault, line_and_column};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};
use catena_base::text::printable;
use std::{fmt, ops::Range};

/// Error of an unusable scene: the file, the position in it, and the fault.
#[derive(Debug)]
pub struct SceneError(Box<ErrorParts>);

#[derive(Debug)]
struct ErrorParts {
    source: QuotedSource,
    fault: Fault,
    /// Further faults of the same text.
    others: Vec<Fault>,
}

/// Text that a message quotes.
#[derive(Clone, Debug)]
struct QuotedSource {
    name: String,
    text: String,
    /// Whether messages give line numbers; false for the text of a command-line option.
    has_lines: bool,
}

impl SceneError {
    /// Creates an error in a text that the user knows by `name`: a path or standard input.
    pub(super) fn new(name: &str, text: &str, fault: Fault) -> Self {
        let source = QuotedSource { name: name.into(), text: text.into(), has_lines: true };
        Self(Box::new(ErrorParts { source, fault, others: Vec::new() }))
    }

    /// Creates an error in a command-line option.
    pub(super) fn of_option(name: &str, text: &str, fault: Fault) -> Self {
        let source = QuotedSource { name: name.into(), text: text.into(), has_lines: false };
        Self(Box::new(ErrorParts { source, fault, others: Vec::new() }))
    }

    /// Adds further faults of the same text, which a report shows after the first one.
    pub(super) fn with_others(mut self, others: Vec<Fault>) -> Self {
        self.0.others = others;
        self
    }

    /// Adds the panel's name to the message, unless the field belongs to that panel. The position
    /// of a shared setting does not show which panel it does not fit.
    pub(super) fn of_panel(mut self, panel: &str) -> Self {
        let field = self.0.fault.field.as_deref().unwrap_or_default();
        let is_own = ["panels[", "grid."].iter().any(|start| field.starts_with(start));
        if !is_own {
            self.0.fault.message = format!("in {panel}: {}", self.0.fault.message);
        }
        self
    }

    /// Returns the name of the text in messages: a path, `standard input` or an option.
    pub fn origin(&self) -> &str {
        &self.0.source.name
    }

    /// Whether [`SceneError::position`] is valid: the fault has a span, and the text does not come
    /// from an option.
    pub fn has_place(&self) -> bool {
        self.0.source.has_lines && self.0.fault.span.is_some()
    }

    /// Returns the path of the field at fault, such as `base.rope.nodes`, if it is known.
    pub fn field(&self) -> Option<&str> {
        self.0.fault.field.as_deref()
    }

    /// Returns the description of the error in one sentence.
    pub fn message(&self) -> &str {
        &self.0.fault.message
    }

    /// Returns the advice, if any.
    pub fn help(&self) -> Option<&str> {
        self.0.fault.help.as_deref()
    }

    /// Returns the span of the fault in bytes of [`Self::text`], if it has one.
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.fault.span.clone()
    }

    /// Returns the text at fault and its name in messages.
    pub fn text(&self) -> (&str, &str) {
        (&self.0.source.text, &self.0.source.name)
    }

    /// Returns line and column of the fault, both counted from 1, the column in characters.
    pub fn position(&self) -> (usize, usize) {
        let at = self.0.fault.span.as_ref().map_or(0, |span| span.start);
        line_and_column(&self.0.source.text, at)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        let ErrorParts { source, fault, .. } = &*self.0;
        f.write_str(&printable::line(&source.name))?;
        if self.has_place() {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", printable::line(&fault.message))
    }
}

impl std::error::Error for SceneError {}

/// Number of bytes of a long line that are quoted on each side of the error.
const SHOWN: usize = 70;

impl SceneError {
    /// Returns the message, the line at fault and the advice, for this fault and all further faults
    /// of the text, optionally with terminal colours.
    pub fn report(&self, is_coloured: bool) -> String {
        let source = &self.0.source;
        let others = self.0.others.iter().map(|fault| {
            let (source, fault) = (source.clone(), fault.clone());
            let error = Self(Box::new(ErrorParts { source, fault, others: Vec::new() }));
            error.report_one(is_coloured)
        });
        let all: Vec<String> =
            std::iter::once(self.report_one(is_coloured)).chain(others).collect();
        all.join("\n")
    }

    fn report_one(&self, is_coloured: bool) -> String {
        let title = self.to_string();
        let ErrorParts { source, fault, .. } = &*self.0;
        let quoted = fault.span.as_ref().map(|span| QuotedLine::new(&source.text, span));
        let field = fault.field.as_deref().map(printable::line);
        let mut group = Group::with_title(Level::ERROR.primary_title(&title));
        if let Some(quoted) = &quoted {
            let mark = AnnotationKind::Primary.span(quoted.mark.clone());
            let snippet = Snippet::source(&quoted.text).line_start(self.position().0);
            group = group.element(snippet.annotation(mark.label(field.as_deref())));
        } else if let Some(field) = &field {
            group = group.element(Level::NOTE.message(format!("the field is `{field}`")));
        }
        if let Some(help) = &fault.help {
            group = group.element(Level::HELP.message(printable::line(help)));
        }
        let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
        // `QuotedLine` cuts long lines, so the renderer must not.
        let renderer = renderer.decor_style(DecorStyle::Unicode).term_width(usize::from(u16::MAX));
        let report = renderer.render(&[group]);
        // The title contains the position, so the empty line above the quotation is left out.
        let is_empty = |index| quoted.is_some() && index == 1;
        let lines = report.lines().enumerate().filter(|(index, _)| !is_empty(*index));
        lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }
}

/// Line that a message quotes. A long line is cut around the error.
struct QuotedLine {
    text: String,
    /// Span of the error in bytes of `text`.
    mark: Range<usize>,
}

impl QuotedLine {
    fn new(text: &str, span: &Range<usize>) -> Self {
        const CUT: &str = "… ";
        let at = floor(text, span.start);
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[at..].find(['\r', '\n']).map_or(text.len(), |newline| at + newline);
        let start = floor(text, line_start.max(at.saturating_sub(SHOWN)));
        let end = floor(text, line_end.min(at + SHOWN));
        // Only the first line of a multi-line value is marked.
        let marked = at..floor(text, span.end.clamp(at, end));
        let before = shown(&text[start..marked.start]);
        let inside = shown(&text[marked.clone()]);
        let after = shown(&text[marked.end..end]);
        let before = if start > line_start { format!("{CUT}{before}") } else { before };
        let after = if end < line_end { format!("{after} …") } else { after };
        let mark = before.len()..before.len() + inside.len();
        Self { text: format!("{before}{inside}{after}"), mark }
    }
}

/// Returns a part of a line for printing, with tabs expanded to spaces.
fn shown(part: &str) -> String {
    printable::line(&part.replace('\t', "    ")).into_owned()
}

/// Returns the last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}
