//! Film names that other programs interpret as the names of many files.

use super::error::FilmError;
use std::path::Path;

/// Rejects the name of pictures with a placeholder for numbers, such as `f_%04d.png`, for which
/// other programs write one file per frame. Films of other formats may have any name.
///
/// # Errors
/// Returned if the name has such a placeholder.
pub(super) fn refuse_pattern(path: &Path) -> Result<(), FilmError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_picture = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let is_number = |rest: &str| {
        let behind = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        behind.starts_with(['d', 'i', 'u'])
    };
    if !is_picture || !name.split('%').skip(1).any(is_number) {
        return Ok(());
    }
    Err(FilmError::Usage(format!(
        "{} is a name for many pictures, and a film is one file: leave out the %, or end it in .apng; `catena render SCENE --out DIR` writes a PNG file for each frame",
        path.display()
    )))
}
