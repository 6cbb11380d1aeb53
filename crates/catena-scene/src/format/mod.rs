//! Lays out the text of a scene: indentation, spaces, commas and comments.
//!
//! Lines stay as they were divided by hand, except that the outermost brackets are opened where
//! they do not fit. Comments keep their places, and no word changes.

mod layout;
mod piece;

use super::diagnostic::{Fault, fault_of_ron};
use super::error::SceneError;
use super::file::SceneText;
use super::limits::Limits;
use super::scan::scan;
use super::syntax::syntax_fault;
use super::token::{TokenKind, tokens};
use ron::value::RawValue;

/// The text of a scene or a sweep as it is laid out: formatting it once more changes nothing.
///
/// # Errors
/// Where the text exceeds a limit, or its syntax is wrong.
pub fn format(text: &SceneText, limits: &Limits) -> Result<String, SceneError> {
    let refused = |fault| SceneError::new(&text.origin, &text.text, fault);
    sound(&text.text, limits).map_err(refused)?;
    let pieces = piece::pieces(&text.text).map_err(refused)?;
    let ending = if is_crlf(&text.text) { "\r\n" } else { "\n" };
    let formatted = layout::lines(pieces, ending);
    if words(&formatted) == words(&text.text) {
        return Ok(formatted);
    }
    let fault = Fault::new("this text cannot be laid out without changing what it means");
    Err(refused(fault.help("leave it as it is, and report it as a bug of catena")))
}

/// Refuses a text whose syntax is wrong.
fn sound(text: &str, limits: &Limits) -> Result<(), Fault> {
    scan(text, limits)?;
    let known = |error| syntax_fault(text).unwrap_or_else(|| fault_of_ron(&error, text));
    match RawValue::from_ron(text) {
        // The layout ends the line of a comment that ends the file.
        Err(error) if error.code == ron::Error::UnclosedLineComment => {
            let ended = format!("{text}\n");
            RawValue::from_ron(&ended).map(|_| ()).map_err(known)
        }
        parsed => parsed.map(|_| ()).map_err(known),
    }
}

/// Whether the first line ends as those of Windows.
fn is_crlf(text: &str) -> bool {
    text.find('\n').is_some_and(|at| text[..at].ends_with('\r'))
}

/// All that means something, and the comments apart from it.
fn words(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut words, mut comments) = (Vec::new(), Vec::new());
    for (kind, place) in tokens(text, 0) {
        let word = &text[place];
        match kind {
            TokenKind::Trivia if word.starts_with('/') => comments.push(word.trim_end()),
            TokenKind::Trivia => {}
            TokenKind::Close => {
                if words.last() == Some(&",") {
                    words.pop();
                }
                words.push(word);
            }
            _ => words.push(word),
        }
    }
    (words, comments)
}
