//! Errors at a place of a data file.

use crate::diagnostic::Fault;

/// An error at a place of a data file. Text of the file is kept apart from the message, since
/// messages show none of files outside of the scene's folder.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The place behind the name of the file, such as `:12`.
    place: String,
    message: String,
    /// Text of the file as it is appended to the message.
    shown: String,
    help: Option<String>,
}

/// The longest text that is shown of a file.
const LONGEST: usize = 40;

impl Wrong {
    /// About a line.
    pub(super) fn new(line: usize, message: impl Into<String>) -> Self {
        Self::at(format!(":{line}"), message)
    }

    /// About a place.
    pub(super) fn at(place: String, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), shown: String::new(), help: None }
    }

    /// With the text that is wrong.
    pub(super) fn found(self, text: &str) -> Self {
        let mut found: String = text.chars().take(LONGEST).collect();
        if found.len() < text.len() {
            found.push('…');
        }
        Self { shown: format!(", found {found:?}"), ..self }
    }

    /// With what a parser says, which may have text of the file in it.
    pub(super) fn detail(self, detail: &impl ToString) -> Self {
        Self { shown: format!(": {}", detail.to_string()), ..self }
    }

    /// With advice.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The fault of a file; `shows_text` says whether it may show text of the file.
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
