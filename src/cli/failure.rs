//! Failures of commands, with their messages and exit codes.

use crate::film::FilmError;
use crate::job::RunError;
use crate::output::OutputError;
use crate::render::TooSmall;
use crate::scene::SceneError;
use crate::shard::MergeRefusal;
use crate::text::printable::{line, text};
use std::{fmt, io, io::IsTerminal};

/// Reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A scene cannot be used.
    Scene(SceneError),
    /// A run exceeded a limit that no estimate could predict.
    Refused(String),
    /// Several scenes cannot be used, drawn or written.
    Scenes(Vec<Failure>),
    /// A scene cannot be drawn: its name, and the reason.
    Paint(String, TooSmall),
    /// The given number of checks failed.
    Checks(usize),
    /// Pictures or layouts differ. Standard output has the details.
    Different,
    /// The editor closed the connection without `shutdown`.
    Gone,
    /// Shards cannot be merged.
    Merge(MergeRefusal),
    /// A film cannot be made.
    Film(FilmError),
    /// An option is not applicable, or names something that does not exist.
    Usage(String),
    /// A file of data that an option or argument names cannot be used. Advice has its own line.
    Data(String),
    /// A body diverged under `--strict`.
    Diverged(String),
    /// Parts passed through each other, which invalidates the run. Each passage has its own line.
    Passed(String),
    /// The process was interrupted.
    Interrupted {
        /// Exit code: 130 or 143.
        code: u8,
        /// Message with the state of the work, and the command that resumes it.
        message: String,
    },
    /// The disk was full during a render. The text is the command that resumes the render.
    Full(OutputError, String),
    /// The file given to this option could not be read or written.
    OfOption(&'static str, OutputError),
    /// A file or stream could not be read or written.
    Output(OutputError),
}

impl Failure {
    /// Exit code of the process.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Checks(_) | Self::Different | Self::Gone => 1,
            Self::Film(error) => error.exit_code(),
            Self::Merge(refusal) => refusal.exit_code(),
            Self::Usage(_) | Self::Data(_) => 2,
            // If all failures concern files, the exit code is the one for files.
            Self::Scenes(failures) if failures.iter().all(|it| it.exit_code() == 5) => 5,
            Self::Scene(_) | Self::Refused(_) | Self::Scenes(_) | Self::Paint(..) => 3,
            Self::Diverged(_) => 4,
            Self::Passed(_) => 7,
            Self::Output(_) | Self::OfOption(..) | Self::Full(..) => 5,
            Self::Interrupted { code, .. } => *code,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(error) => show(f, error),
            Self::Scenes(failures) => {
                failures.iter().try_for_each(|failure| writeln!(f, "{failure}"))
            }
            Self::Paint(scene, error) => {
                write!(f, "error: {}: {}", line(scene), text(&error.to_string()))
            }
            Self::Checks(1) => write!(f, "error: 1 check failed"),
            Self::Checks(count) => write!(f, "error: {count} checks failed"),
            Self::Refused(what) | Self::Data(what) => write!(f, "error: {}", text(what)),
            Self::Usage(what) => write!(f, "error: {}", line(what)),
            Self::Passed(what) => write!(f, "error: {}", text(what)),
            Self::Diverged(what) => write!(f, "error: {} (--strict)", line(what)),
            Self::Interrupted { message, .. } => f.write_str(&text(message)),
            Self::Full(error, command) => {
                let error = error.to_string();
                write!(
                    f,
                    "error: {}\n  finished files are kept; after freeing space, resume with:\n  {command}",
                    line(&error)
                )
            }
            Self::OfOption(option, error) if option.starts_with('-') => {
                write!(f, "error: {option}: {}", line(&error.to_string()))
            }
            // The name of a positional argument is not helpful.
            Self::OfOption(_, error) | Self::Output(error) => {
                write!(f, "error: {}", line(&error.to_string()))
            }
            Self::Film(FilmError::Usage(what) | FilmError::Frames(what)) => {
                write!(f, "error: {}", line(what))
            }
            Self::Merge(refusal) => write!(f, "error: {}", text(&refusal.to_string())),
            // Other messages have several lines, some of them from ffmpeg.
            Self::Film(error) => write!(f, "error: {}", text(&error.to_string())),
            Self::Gone => write!(f, "error: the editor exited without a `shutdown` request"),
            Self::Different => Ok(()),
        }
    }
}

/// Writes the message with the affected line, in colours if the terminal supports them and
/// `NO_COLOR` is not set.
fn show(f: &mut fmt::Formatter<'_>, error: &SceneError) -> fmt::Result {
    let colours = io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && enable_colours();
    f.write_str(&error.report(colours))
}

/// Returns whether the terminal supports colour codes. On Windows, enables them first.
fn enable_colours() -> bool {
    #[cfg(windows)]
    return anstyle_query::windows::enable_ansi_colors().unwrap_or(false);
    #[cfg(not(windows))]
    true
}

impl std::error::Error for Failure {}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl From<MergeRefusal> for Failure {
    fn from(refusal: MergeRefusal) -> Self {
        match refusal {
            MergeRefusal::Output(error) => Self::Output(error),
            refusal => Self::Merge(refusal),
        }
    }
}

impl From<FilmError> for Failure {
    fn from(error: FilmError) -> Self {
        match error {
            FilmError::Output(error) => Self::Output(error),
            error => Self::Film(error),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Option(what) => Self::Usage(what),
            RunError::Data(what) => Self::Data(what),
            RunError::Scene(error) => Self::Scene(error),
            RunError::TooSmall { scene, error } => Self::Paint(scene, error),
            RunError::Exhausted(what) => Self::Refused(what),
            RunError::Output(error) => Self::Output(error),
        }
    }
}
