//! Formatter for the text of a scene.

use super::error::SceneError;
use super::file::SceneText;
use super::limits::Limits;
use super::scan::scan;
use catena_ron::fault::{Fault, fault_of_ron};
use catena_ron::syntax_fault;
use ron::value::RawValue;

/// Returns the formatted text of a scene or a sweep. Formatting is idempotent.
///
/// # Errors
/// Returns an error when the text exceeds a limit, or its syntax is invalid.
pub fn format(text: &SceneText, limits: &Limits) -> Result<String, SceneError> {
    let SceneText { text, origin, .. } = text;
    let sound = scan(text, limits).and_then(|()| check(text));
    let formatted = sound.and_then(|()| catena_ron::format(text));
    formatted.map_err(|fault| SceneError::new(origin, text, fault))
}

/// Rejects a text with invalid syntax.
fn check(text: &str) -> Result<(), Fault> {
    match RawValue::from_ron(text) {
        Ok(_) => Ok(()),
        // A comment may end the file without a line break, which the formatter adds.
        Err(error) if error.code == ron::Error::UnclosedLineComment && !text.ends_with('\n') => {
            check(&format!("{text}\n"))
        }
        Err(error) => Err(syntax_fault(text).unwrap_or_else(|| fault_of_ron(&error, text))),
    }
}
