//! Bounds on the rows of data files, so that reading a file takes little more memory than what is
//! read from it.

use super::wrong::Wrong;
use crate::scene::diagnostic::Fault;

/// Maximum length of a row, in bytes.
const MOST_ROW_BYTES: usize = 1 << 20;
/// Maximum length of a word or message that a fault quotes, in characters.
const MOST_QUOTED: usize = 120;

/// Checks that no line of a text is longer than a row may be.
pub(super) fn check_lines(text: &str, name: &str) -> Result<(), Fault> {
    let Some(index) = text.lines().position(|line| line.len() > MOST_ROW_BYTES) else {
        return Ok(());
    };
    let what = format!("{name}:{}: a row has more than {MOST_ROW_BYTES} bytes", index + 1);
    Err(Fault::new(what).help("write one point, or one face, per line"))
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
