//! `catena completions`: the completion script of a shell.

use super::{Failure, args::CompletionsArgs, complete};
use crate::output::stdout;
use std::{
    env,
    path::{Path, PathBuf},
};

pub(super) fn run(args: &CompletionsArgs, typed: &Path) -> Result<(), Failure> {
    Ok(stdout::print(&complete::script(&args.shell, &program(typed))?)?)
}

/// Name of the program for the script: as typed if the shell found it in PATH, otherwise its
/// absolute path.
fn program(typed: &Path) -> PathBuf {
    if typed.components().count() < 2 {
        return typed.into();
    }
    env::current_dir().map_or_else(|_| typed.into(), |folder| folder.join(typed))
}
