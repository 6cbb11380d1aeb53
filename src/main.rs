//! The command line program. All of its code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(catena::cli::start(std::env::args_os().collect()))
}
