//! The command line: what is typed, what is said, and how it ends.

mod args;
mod check;
mod diff;
mod failure;
mod film;
mod frames;
mod interrupt;
mod methods;
mod progress;
mod refusal;
mod render;
mod report;
mod room;
mod stability;
mod system;
mod threads;
mod timings;
mod trace;
mod typeface;
mod verify;

pub use args::Cli;
pub use failure::Failure;

use crate::instructions::Instructions;
use args::Command;
use interrupt::Interrupt;

/// Does what was asked for.
///
/// # Errors
/// A [`Failure`], which knows its message and its exit code.
pub fn run(cli: Cli) -> Result<(), Failure> {
    system::prepare()?;
    Instructions::allowed().map_err(|wanted| {
        let [narrow, wide, widest] = Instructions::ALL.map(Instructions::name);
        let variable = Instructions::VARIABLE;
        Failure::Usage(format!(
            "the environment variable {variable} is \"{wanted}\"; it can be {narrow}, {wide} or {widest}, and need not be set"
        ))
    })?;
    let interrupt = Interrupt::listen();
    match cli.command {
        Command::Render(args) => render::run(&args, &interrupt),
        Command::Trace(args) => trace::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Stability(args) => stability::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Film(args) => film::run(&args, &interrupt),
        Command::Diff(args) => diff::run(&args),
        Command::Methods => methods::run(),
    }
}
