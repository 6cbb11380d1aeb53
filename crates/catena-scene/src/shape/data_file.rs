//! Errors at a position of a data file, and length limits for its rows.
//!
//! The limits ensure that reading needs little more memory than the result.

use crate::diagnostic::Fault;
use catena_base::text::lines;

/// Error at a position of a data file. Quoted text is stored separately from the message, because
/// files outside the scene's folder must not be quoted.
#[derive(Clone, Debug)]
pub(crate) struct DataError {
    /// Position, appended to the file name, such as `:12`.
    place: String,
    message: String,
    /// Quoted text of the file, appended to the message.
    shown: String,
    help: Option<String>,
}

/// Maximum length of quoted text in characters.
const LONGEST: usize = 40;

impl DataError {
    /// Creates an error about a line.
    pub(crate) fn new(line: usize, message: impl Into<String>) -> Self {
        Self::at(format!(":{line}"), message)
    }

    /// Creates an error about a position.
    pub(crate) fn at(place: String, message: impl Into<String>) -> Self {
        Self { place, message: message.into(), shown: String::new(), help: None }
    }

    /// Adds the text at fault.
    pub(crate) fn found(self, text: &str) -> Self {
        let mut found: String = text.chars().take(LONGEST).collect();
        if found.len() < text.len() {
            found.push('…');
        }
        Self { shown: format!(", found {found:?}"), ..self }
    }

    /// Adds the message of a parser, which may contain text of the file.
    pub(crate) fn detail(self, detail: &impl ToString) -> Self {
        Self { shown: format!(": {}", detail.to_string()), ..self }
    }

    /// Adds advice.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Replaces the advice `known` by `other`.
    pub(crate) fn in_place_of(self, known: &str, other: &str) -> Self {
        let help = self.help.map(|help| if help == known { other.into() } else { help });
        Self { help, ..self }
    }

    /// Converts the error to a fault. `shows_text` tells whether the file may be quoted.
    pub(crate) fn fault(self, name: &str, shows_text: bool) -> Fault {
        let Self { place, message, shown, help } = self;
        let shown = if shows_text { shown } else { String::new() };
        let fault = Fault::new(format!("{name}{place}: {message}{shown}"));
        match help {
            Some(help) => fault.help(help),
            None => fault,
        }
    }
}

/// Maximum length of a row in bytes.
const MAX_ROW_BYTES: usize = 1 << 20;
/// Maximum length of a quoted word or message in characters.
const MAX_QUOTED: usize = 120;

/// Checks that no line of a text exceeds the maximum length.
pub(super) fn check_lines(text: &str, name: &str) -> Result<(), Fault> {
    // The fault must not quote the file.
    check_rows(text).map_err(|wrong| wrong.fault(name, false))
}

/// Checks that no line of a text exceeds the maximum length. The error does not quote the text.
pub(crate) fn check_rows(text: &str) -> Result<(), DataError> {
    let long = lines::numbered(text).find(|(_, row)| row.len() > MAX_ROW_BYTES);
    long.map_or(Ok(()), |(line, _)| Err(too_long(line)))
}

/// Returns the error of a row that is too long.
fn too_long(line: usize) -> DataError {
    let wrong = DataError::new(line, format!("a row has more than {MAX_ROW_BYTES} bytes"));
    wrong.help("write one point, or one face, per line")
}

/// Length of a row that spans several lines.
#[derive(Default)]
pub(super) struct RowLength {
    bytes: usize,
    first: usize,
}

impl RowLength {
    /// Adds a line to the row, before any part of it is stored.
    ///
    /// # Errors
    /// Returns an error with the first line when the row is too long.
    pub(super) fn add(&mut self, line: usize, text: &str) -> Result<(), DataError> {
        if self.bytes == 0 {
            self.first = line;
        }
        self.bytes += text.len();
        if self.bytes > MAX_ROW_BYTES { Err(too_long(self.first)) } else { Ok(()) }
    }
}

/// Returns the error of a file with too many points.
pub(super) fn too_many_points(maximum: u64) -> DataError {
    let wrong = DataError::at(String::new(), format!("more than {maximum} points"));
    wrong.help("remove some of them; --unlimited lifts this limit")
}

/// Returns the start of a long text, for a message.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
