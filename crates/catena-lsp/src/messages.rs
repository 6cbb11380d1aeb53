//! Messages for editors about a part of a text.

use catena_base::text::printable;
use catena_ron::words;
use catena_scene::SceneError;
use lsp_types::{Diagnostic, DiagnosticSeverity};
use std::ops::Range;

/// Program name that editors show next to messages.
const SOURCE: &str = "catena";

/// Returns the range of a text to which an error refers.
pub(super) fn place_of(text: &str, fault: &SceneError) -> Range<usize> {
    match fault.span() {
        Some(span) => visible(text, span),
        None => first_word(text),
    }
}

/// Creates a message about a range, with its advice on a separate line.
pub(super) fn message(
    range: lsp_types::Range,
    severity: DiagnosticSeverity,
    what: String,
    help: Option<&str>,
) -> Diagnostic {
    let help = help.map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    Diagnostic {
        range,
        severity: Some(severity),
        source: Some(SOURCE.into()),
        message: printable::text(&format!("{what}{help}")).into_owned(),
        ..Diagnostic::default()
    }
}

/// Returns a span that editors can mark. An empty span is extended by one character.
fn visible(text: &str, span: Range<usize>) -> Range<usize> {
    let [start, end] =
        [span.start, span.end].map(|at| text.floor_char_boundary(at.min(text.len())));
    if start < end {
        return start..end;
    }
    let before = text[..start].chars().next_back().filter(|letter| *letter != '\n');
    let after = text[start..].chars().next().filter(|letter| !"\r\n".contains(*letter));
    match (after, before) {
        (Some(letter), _) => start..start + letter.len_utf8(),
        (None, Some(letter)) => start - letter.len_utf8()..start,
        (None, None) => start..start,
    }
}

/// Returns the span of the first word of a text.
pub(super) fn first_word(text: &str) -> Range<usize> {
    words(text, 0).next().map_or(0..0, |(_, place)| place)
}
