//! Length limits for rows of data files, so that reading needs little more memory than the result.

use super::wrong::Wrong;
use crate::diagnostic::Fault;
use catena_base::text::lines;

/// Maximum length of a row in bytes.
const MOST_ROW_BYTES: usize = 1 << 20;
/// Maximum length of a quoted word or message in characters.
const MOST_QUOTED: usize = 120;

/// Checks that no line of a text exceeds the maximum length.
pub(super) fn check_lines(text: &str, name: &str) -> Result<(), Fault> {
    let long = lines::numbered(text).find(|(_, row)| row.len() > MOST_ROW_BYTES);
    // The fault must not quote the file.
    long.map_or(Ok(()), |(line, _)| Err(too_long(line).fault(name, false)))
}

/// Returns the error of a row that is too long.
fn too_long(line: usize) -> Wrong {
    let wrong = Wrong::new(line, format!("a row has more than {MOST_ROW_BYTES} bytes"));
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
    pub(super) fn add(&mut self, line: usize, text: &str) -> Result<(), Wrong> {
        if self.bytes == 0 {
            self.first = line;
        }
        self.bytes += text.len();
        if self.bytes > MOST_ROW_BYTES { Err(too_long(self.first)) } else { Ok(()) }
    }
}

/// Returns the error of a file with too many points.
pub(super) fn too_many_points(most: u64) -> Wrong {
    let wrong = Wrong::at(String::new(), format!("more than {most} points"));
    wrong.help("leave some out; --unlimited lifts this limit")
}

/// Returns the start of a long text, for a message.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
