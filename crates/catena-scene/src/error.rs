//! The error for a scene that cannot be used, printed with the line in question.

use super::diagnostic::{Fault, line_and_column};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};
use catena_base::text::printable;
use std::{fmt, ops::Range};

/// The error for a scene that cannot be used: the file, the place in it, and the fault.
#[derive(Debug)]
pub struct SceneError(Box<ErrorParts>);

#[derive(Debug)]
struct ErrorParts {
    source: QuotedSource,
    fault: Fault,
}

/// The text that a message quotes.
#[derive(Debug)]
struct QuotedSource {
    name: String,
    text: String,
    /// Whether messages name lines; those of an option of the command line do not.
    has_lines: bool,
}

impl SceneError {
    /// An error in a text that the user knows by `name`: a path, or standard input.
    pub(super) fn new(name: &str, text: &str, fault: Fault) -> Self {
        let source = QuotedSource { name: name.into(), text: text.into(), has_lines: true };
        Self(Box::new(ErrorParts { source, fault }))
    }

    /// An error in an option of the command line.
    pub(super) fn of_option(name: &str, text: &str, fault: Fault) -> Self {
        let source = QuotedSource { name: name.into(), text: text.into(), has_lines: false };
        Self(Box::new(ErrorParts { source, fault }))
    }

    /// Names the panel that cannot be built, unless the field in question is one of that panel: of
    /// settings that panels share the place alone does not tell which panel they do not fit.
    pub(super) fn of_panel(mut self, panel: &str) -> Self {
        let field = self.0.fault.field.as_deref().unwrap_or_default();
        let is_own = ["panels[", "grid."].iter().any(|start| field.starts_with(start));
        if !is_own {
            self.0.fault.message = format!("in {panel}: {}", self.0.fault.message);
        }
        self
    }

    /// What messages call the text: a path, `standard input` or an option.
    pub fn origin(&self) -> &str {
        &self.0.source.name
    }

    /// Whether [`SceneError::position`] is a place in a file or text: the fault has one, and the
    /// text is not that of an option.
    pub fn has_place(&self) -> bool {
        self.0.source.has_lines && self.0.fault.span.is_some()
    }

    /// The path of the field in question, such as `base.rope.nodes`, where it is known.
    pub fn field(&self) -> Option<&str> {
        self.0.fault.field.as_deref()
    }

    /// What is wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.0.fault.message
    }

    /// Advice, where there is any.
    pub fn help(&self) -> Option<&str> {
        self.0.fault.help.as_deref()
    }

    /// The place of the fault in bytes of [`Self::text`]; `None` where it has none.
    pub fn span(&self) -> Option<Range<usize>> {
        self.0.fault.span.clone()
    }

    /// The text that the fault is in, and what messages call it.
    pub fn text(&self) -> (&str, &str) {
        (&self.0.source.text, &self.0.source.name)
    }

    /// Line and column of the fault, both counted from 1, columns in characters.
    pub fn position(&self) -> (usize, usize) {
        let at = self.0.fault.span.as_ref().map_or(0, |span| span.start);
        line_and_column(&self.0.source.text, at)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        let ErrorParts { source, fault } = &*self.0;
        f.write_str(&printable::line(&source.name))?;
        if self.has_place() {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", printable::line(&fault.message))
    }
}

impl std::error::Error for SceneError {}

/// How many bytes of a long line are quoted on each side of the place in question.
const SHOWN: usize = 70;

impl SceneError {
    /// The message with the line in question and advice, with or without colours for a terminal.
    pub fn report(&self, is_coloured: bool) -> String {
        let title = self.to_string();
        let ErrorParts { source, fault } = &*self.0;
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
        // The title names the place, so the line above the quotation is empty and left out.
        let is_empty = |index| quoted.is_some() && index == 1;
        let lines = report.lines().enumerate().filter(|(index, _)| !is_empty(*index));
        lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }
}

/// The line that a message quotes; of a very long one only the part around the place in question.
struct QuotedLine {
    text: String,
    /// The place in question, in bytes of `text`.
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
        // Of a value of several lines the first is marked.
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

/// A part of a line as it is printed, with spaces for tabs.
fn shown(part: &str) -> String {
    printable::line(&part.replace('\t', "    ")).into_owned()
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}
