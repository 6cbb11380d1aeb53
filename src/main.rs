//! The command line program; all of it is in the library.

use catena::cli::{Cli, run};
use clap::Parser;
use std::{
    io::{self, Write},
    process::ExitCode,
};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output with 0, usage errors to standard error with 2.
            let printed = error.print().and_then(|()| io::stdout().flush());
            return match printed {
                Err(cause) if !error.use_stderr() && cause.kind() != io::ErrorKind::BrokenPipe => {
                    let _ =
                        writeln!(io::stderr(), "error: cannot write to standard output: {cause}");
                    ExitCode::from(5)
                }
                _ => ExitCode::from(error.exit_code() as u8),
            };
        }
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let message = failure.to_string();
            if !message.is_empty() {
                let _ = writeln!(io::stderr(), "{}", message.trim_end());
            }
            ExitCode::from(failure.exit_code())
        }
    }
}
