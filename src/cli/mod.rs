//! The command line: arguments, messages, progress, signals and exit codes.

mod args;
mod check;
mod complete;
mod completions;
mod diff;
mod diff_numbers;
mod export;
mod failure;
mod fields;
mod figure;
mod film;
mod fit;
mod fmt;
mod guide;
mod identify;
mod import;
mod interrupt;
mod job;
mod load_path;
mod lsp;
mod man;
mod mentions;
mod merge;
mod methods;
mod modes;
mod negative;
mod new;
mod notes;
mod page;
mod paths;
mod progress;
mod render;
mod report;
mod rests;
mod say;
mod stability;
mod start;
mod statics;
mod sweep;
mod system;
mod table;
mod threads;
mod trace;
mod verify;
mod watch;

pub use args::{Cli, PATH_OPTIONS, PathOption, PathRole};
pub use failure::Failure;

use crate::output::stdout;
use crate::text::printable;
use args::Command;
use clap::{CommandFactory, FromArgMatches, error::ErrorKind};
use interrupt::Interrupt;
use paths::GivenPaths;
use std::{
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Runs the command line with these words, prints the error if it fails, and returns the exit code.
pub fn start(words: Vec<OsString>) -> u8 {
    let result = match complete::answer(&words) {
        Ok(true) => Ok(()),
        Ok(false) if words.len() < 2 => start::print_page(),
        Ok(false) => match parse(&words) {
            Ok((cli, paths)) => {
                let typed = words.first().map_or_else(|| "catena".into(), PathBuf::from);
                run(cli, &paths, &typed).map_err(|failure| paths.named(failure))
            }
            Err(error) => {
                let advice = match error.kind() {
                    ErrorKind::InvalidSubcommand => start::file_as_command(&words),
                    ErrorKind::UnknownArgument => {
                        start::data_as_argument(&words).or_else(|| start::divided_list(&words))
                    }
                    _ => None,
                };
                match advice {
                    Some(failure) => Err(failure),
                    None => return refused(error, words),
                }
            }
        },
        Err(failure) => Err(failure),
    };
    match result {
        Ok(()) => 0,
        Err(failure) => {
            say::failure(&failure);
            failure.exit_code()
        }
    }
}

/// Parses a command line.
fn parse(words: &[OsString]) -> Result<(Cli, GivenPaths), clap::Error> {
    let words = &negative::joined(words)[..];
    // Only help and errors show the guides, and building their texts takes longer than the start.
    let read = parse_with(Cli::command, words);
    read.or_else(|_| parse_with(guide::command, words))
}

/// Reads a command line with the command that `make` builds.
fn parse_with(
    make: fn() -> clap::Command,
    words: &[OsString],
) -> Result<(Cli, GivenPaths), clap::Error> {
    let mut matches = make().try_get_matches_from(words)?;
    let paths = GivenPaths::of(&matches);
    let cli = Cli::from_arg_matches_mut(&mut matches);
    Ok((cli.map_err(|error| error.format(&mut make()))?, paths))
}

/// Prints help and version to standard output with exit code 0, and usage errors to standard error
/// with 2.
fn refused(error: clap::Error, words: Vec<OsString>) -> u8 {
    let code = error.exit_code() as u8;
    if !error.use_stderr() {
        let printed = error.print().and_then(|()| io::stdout().flush());
        return match printed {
            Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
                let failure = Failure::from(stdout::refused(cause));
                say::failure(&failure);
                failure.exit_code()
            }
            _ => code,
        };
    }
    // The message repeats the typed words, so it is created again from printable ones.
    let shown = |word: OsString| match word.to_str() {
        Some(text) => printable::line(text).into_owned().into(),
        None => word,
    };
    match parse(&words.into_iter().map(shown).collect::<Vec<_>>()) {
        Err(error) => {
            let _ = error.print();
        }
        Ok(_) => say::failure(&Failure::Usage(
            "an argument contains characters that cannot be displayed".into(),
        )),
    }
    code
}

/// Runs a command. `typed` is the name of the program as typed.
fn run(cli: Cli, paths: &GivenPaths, typed: &Path) -> Result<(), Failure> {
    system::prepare()?;
    paths.check()?;
    crate::environment::check().map_err(Failure::Usage)?;
    let interrupt = Interrupt::listen();
    match cli.command {
        Command::New(args) => new::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Render(args) => render::run(&args, &interrupt),
        Command::Watch(args) => watch::run(&args, &interrupt),
        Command::Merge(args) => merge::run(&args, &interrupt),
        Command::Trace(args) => trace::run(&args, paths),
        Command::Export(args) => export::run(&args, &interrupt),
        Command::Sweep(args) => sweep::run(&args, &interrupt),
        Command::Check(args) => check::run(&args),
        Command::Report(args) => report::run(&args, paths),
        Command::Figure(args) => figure::run(&args, paths),
        Command::Page(args) => page::run(&args, paths),
        Command::Stability(args) => stability::run(&args, paths),
        Command::Statics(args) => statics::run(&args, paths),
        Command::Verify(args) => verify::run(&args),
        Command::Fit(args) => fit::run(&args, paths, &interrupt),
        Command::Film(args) => film::run(&args, &interrupt),
        Command::Diff(args) => diff::run(&args, paths),
        Command::Identify(args) => identify::run(&args),
        Command::Job(args) => job::run(&args, paths),
        Command::Methods(args) => methods::run(&args),
        Command::Fields(args) => fields::run(&args),
        Command::Completions(args) => completions::run(&args, typed),
        Command::Man(args) => man::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Lsp { stdio: _, access } => lsp::run(&access),
    }
}
