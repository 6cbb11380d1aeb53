//! Options of `catena page`.

use super::{LimitArgs, completers};
use crate::scene::Patch;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct PageArgs {
    /// Scene files; - reads standard input. A page of several scenes has a list of them.
    #[arg(required = true, add = completers::scenes())]
    pub(in crate::cli) scenes: Vec<PathBuf>,
    /// Set a field of every scene in all panels, such as substeps=128 or rope.nodes=8. The page
    /// shows the change and can undo it. Can be repeated.
    #[arg(long, value_name = "PATH=VALUE", add = completers::patches())]
    pub(in crate::cli) set: Vec<Patch>,
    /// Path of the page, such as lesson.html.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: PathBuf,
    /// WebAssembly module of the same build [default: catena_web.wasm next to the program, or in
    /// share/catena of its installation].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) module: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) limit: LimitArgs,
}
