//! All output passes through this module, so that no text of a scene acts as a command in a
//! terminal.

use super::Failure;
use crate::output::stdout;
use crate::text::printable;
use std::io::{self, Write};

/// Writes lines to standard output.
pub(super) fn lines<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Result<(), Failure> {
    let mut text = String::new();
    for line in lines {
        text += &printable::line(line.as_ref());
        text.push('\n');
    }
    Ok(stdout::print(&text)?)
}

/// Writes JSON to standard output.
pub(super) fn json(text: &str) -> Result<(), Failure> {
    Ok(stdout::print(&printable::json(text))?)
}

/// Writes a line to standard error. Errors are ignored, since there is nowhere to report them.
pub(super) fn aside(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable::line(line));
}

/// Clears the terminal of standard error.
pub(super) fn clear() {
    let _ = console::Term::stderr().clear_screen();
}

/// Writes a line of JSON to standard error.
pub(super) fn aside_json(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable::json(line));
}

/// Writes the reason for an immediate end to standard error.
pub(super) fn last_words(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable::text(text));
}

/// Writes a failure to standard error. A [`Failure`] makes its own parts printable.
pub(super) fn failure(failure: &Failure) {
    let message = failure.to_string();
    if !message.is_empty() {
        let _ = writeln!(io::stderr(), "{}", message.trim_end());
    }
}
