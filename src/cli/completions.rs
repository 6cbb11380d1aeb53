//! `catena completions`: the script that completes commands in a shell.

use super::{Failure, args::CompletionsArgs, complete};
use crate::output::stdout;
use std::{
    env,
    path::{Path, PathBuf},
};

pub(super) fn run(args: &CompletionsArgs, typed: &Path) -> Result<(), Failure> {
    Ok(stdout::print(&complete::script(&args.shell, &program(typed))?)?)
}

/// The program as the script is to call it: by the name that was typed where the shell has found
/// it, and otherwise by its whole path.
fn program(typed: &Path) -> PathBuf {
    if typed.components().count() < 2 {
        return typed.into();
    }
    env::current_dir().map_or_else(|_| typed.into(), |folder| folder.join(typed))
}
