//! A scene that cannot be used, as people read of it: with the line in question.

use super::diagnostic::{Fault, line_and_column};
use crate::text::printable;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};
use std::{fmt, ops::Range};

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
    /// Whether it has lines that are worth counting: an option of the command line has not.
    has_lines: bool,
}

impl SceneError {
    /// `name` is what the user calls the text: a path, or standard input.
    pub(super) fn new(name: &str, text: &str, fault: Fault) -> Self {
        let source = Source { name: name.into(), text: text.into(), has_lines: true };
        Self(Box::new(Parts { source, fault }))
    }

    /// The same for an option of the command line.
    pub(super) fn of_option(name: &str, text: &str, fault: Fault) -> Self {
        let source = Source { name: name.into(), text: text.into(), has_lines: false };
        Self(Box::new(Parts { source, fault }))
    }

    /// Line and column, both counted from 1, columns in characters.
    pub fn position(&self) -> (usize, usize) {
        let at = self.0.fault.span.as_ref().map_or(0, |span| span.start);
        line_and_column(&self.0.source.text, at)
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        let Parts { source, fault } = &*self.0;
        f.write_str(&printable::line(&source.name))?;
        if source.has_lines && fault.span.is_some() {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", printable::line(&fault.message))
    }
}

impl std::error::Error for SceneError {}

/// How many bytes of a long line are quoted on each side of the place in question.
const SHOWN: usize = 70;

impl SceneError {
    /// The message with the line in question and what would be right, with or without colours for a
    /// terminal.
    pub fn report(&self, is_coloured: bool) -> String {
        let title = self.to_string();
        let Parts { source, fault } = &*self.0;
        let quoted = fault.span.as_ref().map(|span| Quoted::new(&source.text, span));
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
        // Lines are cut here, around the place in question; the renderer need not cut them once
        // more.
        let renderer = renderer.decor_style(DecorStyle::Unicode).term_width(usize::from(u16::MAX));
        let report = renderer.render(&[group]);
        // The title says the place, which leaves the line above the quotation empty.
        let is_empty = |index| quoted.is_some() && index == 1;
        let lines = report.lines().enumerate().filter(|(index, _)| !is_empty(*index));
        lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }
}

/// The line that a message quotes. Of a very long one only what stands around the place in
/// question.
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
        // Of a value that goes over several lines the first is marked.
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

/// A part of a line: tabs only move what follows.
fn shown(part: &str) -> String {
    printable::line(&part.replace('\t', "    ")).into_owned()
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}
