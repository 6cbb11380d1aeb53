//! Completion in shells: files, fields, values and names.
//!
//! The script of `catena completions` calls catena with [`VARIABLE`] set, and `answer` prints the
//! candidates.

mod shells;
mod values;

pub(super) use shells::{SHELL_NAMES, shell};
pub(super) use values::{axes, field_paths, measures, pages, patches, samples, scenes, things};

use super::{Failure, guide};
use crate::output::OutputError;
use clap_complete::CompleteEnv;
use std::{env, ffi::OsString, path::Path};

/// Environment variable that requests candidates. The name is specific to catena, since a common
/// one could be set for other reasons.
pub(super) const VARIABLE: &str = "CATENA_COMPLETE";

/// Answers a shell that requests candidates. Returns `false` if there is no request.
///
/// # Errors
/// The shell is unknown, or the answer cannot be written.
pub(super) fn answer(words: &[OsString]) -> Result<bool, Failure> {
    if env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let folder = env::current_dir().ok();
    let shells = CompleteEnv::with_factory(guide::command).var(VARIABLE).shells(shells::all());
    shells
        .try_complete(words, folder.as_deref())
        .map_err(|error| Failure::Usage(error.to_string().trim().to_owned()))
}

/// Returns the completion script of a shell, which calls `program`.
///
/// # Errors
/// The shell is unknown.
pub(super) fn script(name: &str, program: &Path) -> Result<String, Failure> {
    let found = shell(name).ok_or_else(|| Failure::Usage(format!("there is no shell `{name}`")))?;
    let mut text = Vec::new();
    found
        .write_registration(VARIABLE, "catena", "catena", &program.to_string_lossy(), &mut text)
        .map_err(|cause| OutputError::new("write", "the script", cause))?;
    Ok(String::from_utf8_lossy(&text).trim_start().to_owned())
}
