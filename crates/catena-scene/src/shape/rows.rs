//! Bounds on the rows of data files, so that reading a file takes little more memory than what is
//! read from it.

use super::wrong::Wrong;
use crate::diagnostic::Fault;
use catena_base::text::lines;

/// Maximum length of a row, in bytes.
const MOST_ROW_BYTES: usize = 1 << 20;
/// Maximum length of a word or message that a fault quotes, in characters.
const MOST_QUOTED: usize = 120;

/// Checks that no line of a text is longer than a row may be.
pub(super) fn check_lines(text: &str, name: &str) -> Result<(), Fault> {
    let long = lines::numbered(text).find(|(_, row)| row.len() > MOST_ROW_BYTES);
    // The fault shows no text of the file.
    long.map_or(Ok(()), |(line, _)| Err(too_long(line).fault(name, false)))
}

/// The error of a row that is too long.
fn too_long(line: usize) -> Wrong {
    let wrong = Wrong::new(line, format!("a row has more than {MOST_ROW_BYTES} bytes"));
    wrong.help("write one point, or one face, per line")
}

/// The length of a row that several lines make up.
#[derive(Default)]
pub(super) struct RowLength {
    bytes: usize,
    first: usize,
}

impl RowLength {
    /// Adds a line, before anything of it is kept.
    ///
    /// # Errors
    /// Where the row is too long now, with its first line.
    pub(super) fn add(&mut self, line: usize, text: &str) -> Result<(), Wrong> {
        if self.bytes == 0 {
            self.first = line;
        }
        self.bytes += text.len();
        if self.bytes > MOST_ROW_BYTES { Err(too_long(self.first)) } else { Ok(()) }
    }
}

/// The error of a file with too many points.
pub(super) fn too_many_points(most: u64) -> Wrong {
    let wrong = Wrong::at(String::new(), format!("more than {most} points"));
    wrong.help("leave some out; --unlimited lifts this limit")
}

/// The start of a long text, for a message.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
