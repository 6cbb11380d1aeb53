//! The command line: what is typed, what is said, and how it ends.

mod args;
mod check;
mod failure;
mod frames;
mod methods;
mod progress;
mod render;
mod report;
mod stability;
mod timings;
mod trace;

pub use args::Cli;
pub use failure::Failure;

use crate::output::OutputError;
use args::Command;

/// As many threads as asked for, or as there are processors.
fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    let threads = threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| OutputError::new("start", "threads", std::io::Error::other(error)).into())
}

/// Does what was asked for.
///
/// # Errors
/// A [`Failure`], which knows its message and its exit code.
pub fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Render(args) => render::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Stability(args) => stability::run(&args),
        Command::Methods => methods::run(),
    }
}
