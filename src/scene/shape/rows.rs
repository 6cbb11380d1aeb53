//! Bounds on the rows of data files, so that reading a file takes little more memory than what is
//! read from it.

use crate::scene::diagnostic::Fault;
use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

/// Maximum length of a row, in bytes.
pub(super) const MOST_ROW_BYTES: usize = 1 << 20;
/// Maximum length of a word or message that a fault quotes, in characters.
const MOST_QUOTED: usize = 120;

/// Checks that no line of a text is longer than a row may be.
pub(super) fn check_lines(text: &str, name: &str) -> Result<(), Fault> {
    match long_line(text) {
        Some(_) => Err(too_long(name, text)),
        None => Ok(()),
    }
}

/// The number of the first line that is longer than a row may be, from 1.
fn long_line(text: &str) -> Option<usize> {
    text.lines().position(|line| line.len() > MOST_ROW_BYTES).map(|index| index + 1)
}

/// The fault of a text with a row that is too long. Quotation marks can join lines to one row.
pub(super) fn too_long(name: &str, text: &str) -> Fault {
    let place = long_line(text).map_or(name.into(), |line| format!("{name}:{line}"));
    let what = format!("{place}: a row has more than {MOST_ROW_BYTES} bytes");
    Fault::new(what).help("write one point, or one face, per line")
}

/// The fault of a file with too many points.
pub(super) fn too_many_points(name: &str, most: u64) -> Fault {
    let what = format!("{name} has more than {most} points");
    Fault::new(what).help("leave some out; --unlimited lifts this limit")
}

/// The start of a long text, for a message.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// Reads a text, and fails within a row that is too long.
pub(super) struct RowReader<'a> {
    text: &'a [u8],
    left: Rc<Cell<usize>>,
}

/// Says where the next row begins.
pub(super) struct RowStart(Rc<Cell<usize>>);

impl<'a> RowReader<'a> {
    /// A reader, and the handle that tells it of each row.
    pub(super) fn new(text: &'a str) -> (Self, RowStart) {
        let left = Rc::new(Cell::new(MOST_ROW_BYTES));
        (Self { text: text.as_bytes(), left: Rc::clone(&left) }, RowStart(left))
    }
}

impl RowStart {
    /// Allows a whole row from here on.
    pub(super) fn next(&self) {
        self.0.set(MOST_ROW_BYTES);
    }
}

impl Read for RowReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 && !self.text.is_empty() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let end = buffer.len().min(left);
        let count = self.text.read(&mut buffer[..end])?;
        self.left.set(left - count);
        Ok(count)
    }
}
