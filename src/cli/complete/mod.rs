//! What shells offer while a command is typed: files, fields, values, names.
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

/// The variable of the environment that asks for candidates. It is catena's own, since a common
/// name could be set for other reasons.
pub(super) const VARIABLE: &str = "CATENA_COMPLETE";

/// Answers a shell that asks for candidates; `false` if none does.
///
/// # Errors
/// When the shell is unknown, or the answer cannot be written.
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

/// The script for a shell, which calls `program`.
///
/// # Errors
/// When there is no such shell.
pub(super) fn script(name: &str, program: &Path) -> Result<String, Failure> {
    let found = shell(name).ok_or_else(|| Failure::Usage(format!("there is no shell `{name}`")))?;
    let mut text = Vec::new();
    found
        .write_registration(VARIABLE, "catena", "catena", &program.to_string_lossy(), &mut text)
        .map_err(|cause| OutputError::new("write", "the script", cause))?;
    Ok(String::from_utf8_lossy(&text).trim_start().to_owned())
}
