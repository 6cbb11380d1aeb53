//! The command line program; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(catena::cli::start(std::env::args_os().collect()))
}
