//! Scene files from the file system or standard input.

use super::similar_file;
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::file::SceneText;
use crate::limits::Limits;
use crate::name;
use catena_base::read;
use std::{fs, io, path::Path};

impl SceneText {
    /// Reads a scene file; the path `-` is standard input.
    ///
    /// # Errors
    /// Returns an error when the file cannot be read, is not UTF-8, is empty or exceeds the default
    /// size limit.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        Self::read_within(path, &Limits::default())
    }

    /// Reads a scene file within other limits; the path `-` is standard input.
    ///
    /// # Errors
    /// Returns an error when the file cannot be read, is not UTF-8, is empty or exceeds
    /// `limits.file_bytes`.
    pub fn read_within(path: &Path, limits: &Limits) -> Result<Self, SceneError> {
        let most = limits.file_bytes;
        let (origin, name, bytes) = if path == Path::new("-") {
            ("standard input".into(), name::STDIN.into(), read::up_to(most + 1, io::stdin()))
        } else {
            // A scene may come from a pipe, such as `<(…)` of a shell.
            let bytes = fs::File::open(path).and_then(|file| read::up_to(most + 1, file));
            (path.display().to_string(), name::of(path), bytes)
        };
        let bytes =
            bytes.map_err(|error| SceneError::new(&origin, "", unreadable(path, &error)))?;
        Self::of_bytes(origin, name, bytes, most)
    }
}

/// Creates the fault of a path that could not be read, with a similar path as advice.
fn unreadable(path: &Path, error: &io::Error) -> Fault {
    if path.is_dir() {
        let fault = Fault::new(format!("this is a folder, not a scene file ({error})"));
        let first = similar_file::first_in(path);
        let first = first.map_or(String::new(), |path| format!(", such as {path}"));
        return fault.help(format!("name a file in it{first}"));
    }
    let fault = Fault::new(format!("cannot be read: {error}"));
    let is_missing = error.kind() == io::ErrorKind::NotFound;
    match is_missing.then(|| similar_file::similar(path)).flatten() {
        Some(similar) => fault.help(format!("did you mean {similar}?")),
        None => fault,
    }
}
