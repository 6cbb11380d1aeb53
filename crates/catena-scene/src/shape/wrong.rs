//! Errors at a position of a data file.

use crate::diagnostic::Fault;

/// Error at a position of a data file. Quoted text is stored apart from the message, because files
/// outside the scene's folder must not be quoted.
#[derive(Debug)]
pub(super) struct Wrong {
    /// Position, appended to the file name, such as `:12`.
    place: String,
    message: String,
    /// Quoted text of the file, appended to the message.
    shown: String,
    help: Option<String>,
}

/// Maximum length of quoted text in characters.
const LONGEST: usize = 40;

impl Wrong {
    /// Creates an error about a line.
    pub(super) fn new(line: usize, message: impl Into<String>) -> Self {
        Self::at(format!(":{line}"), message)
    }

    /// Creates an error about a position.
    pub(super) fn at(place: String, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), shown: String::new(), help: None }
    }

    /// Adds the text at fault.
    pub(super) fn found(self, text: &str) -> Self {
        let mut found: String = text.chars().take(LONGEST).collect();
        if found.len() < text.len() {
            found.push('…');
        }
        Self { shown: format!(", found {found:?}"), ..self }
    }

    /// Adds the message of a parser, which may contain text of the file.
    pub(super) fn detail(self, detail: &impl ToString) -> Self {
        Self { shown: format!(": {}", detail.to_string()), ..self }
    }

    /// Adds advice.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Converts the error to a fault. `shows_text` tells whether the file may be quoted.
    pub(super) fn fault(self, name: &str, shows_text: bool) -> Fault {
        let Self { place, message, shown, help } = self;
        let shown = if shows_text { shown } else { String::new() };
        let fault = Fault::new(format!("{name}{place}: {message}{shown}"));
        match help {
            Some(help) => fault.help(help),
            None => fault,
        }
    }
}
