//! How a command can fail: a message and an exit code each.

use crate::film::FilmError;
use crate::job::RunError;
use crate::output::OutputError;
use crate::render::TooSmall;
use crate::scene::SceneError;
use crate::shard::MergeRefusal;
use crate::text::printable::{line, text};
use std::{fmt, io, io::IsTerminal};

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// A scene that cannot be used.
    Scene(SceneError),
    /// A run that took more than it may, which showed only while it ran.
    Refused(String),
    /// Scenes that cannot be used, drawn or written.
    Scenes(Vec<Failure>),
    /// A scene that cannot be drawn: what it is called, and why.
    Paint(String, TooSmall),
    /// So many checks failed.
    Checks(usize),
    /// Pictures or layouts differ; standard output has said which.
    Different,
    /// The editor went without a word.
    Gone,
    /// Shards were not put together.
    Merge(MergeRefusal),
    /// A film was not made.
    Film(FilmError),
    /// An option that does not fit, or names what does not exist.
    Usage(String),
    /// A body diverged, under `--strict`.
    Diverged(String),
    /// Something passed through something else, which makes a run worthless; a line for each.
    Passed(String),
    /// The process was asked to end: its exit code, and how to go on.
    Interrupted {
        /// 130 or 143.
        code: u8,
        /// The message: what there is, and the command that goes on.
        said: String,
    },
    /// There was no room for a file of a render; the command that goes on.
    Full(OutputError, String),
    /// A file failed that was typed behind this option.
    OfOption(&'static str, OutputError),
    /// A file or a stream failed.
    Output(OutputError),
}

impl Failure {
    /// The exit code of the process.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Checks(_) | Self::Different | Self::Gone => 1,
            Self::Film(error) => error.exit_code(),
            Self::Merge(refusal) => refusal.exit_code(),
            Self::Usage(_) => 2,
            // One scene at fault gives its own code.
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
            Self::Checks(1) => write!(f, "error: 1 check fails"),
            Self::Checks(count) => write!(f, "error: {count} checks fail"),
            Self::Refused(what) => write!(f, "error: {}", text(what)),
            Self::Usage(what) => write!(f, "error: {}", line(what)),
            Self::Passed(what) => write!(f, "error: {}", text(what)),
            Self::Diverged(what) => write!(f, "error: {} (--strict)", line(what)),
            Self::Interrupted { said, .. } => f.write_str(&text(said)),
            Self::Full(error, command) => {
                let error = error.to_string();
                write!(
                    f,
                    "error: {}\n  what is written stays; when there is room, this goes on:\n  {command}",
                    line(&error)
                )
            }
            Self::OfOption(option, error) if option.starts_with('-') => {
                write!(f, "error: {option}: {}", line(&error.to_string()))
            }
            // The name of a positional argument tells nothing.
            Self::OfOption(_, error) | Self::Output(error) => {
                write!(f, "error: {}", line(&error.to_string()))
            }
            Self::Film(FilmError::Usage(what) | FilmError::Frames(what)) => {
                write!(f, "error: {}", line(what))
            }
            Self::Merge(refusal) => write!(f, "error: {}", text(&refusal.to_string())),
            // The others have several lines, some of them ffmpeg's own.
            Self::Film(error) => write!(f, "error: {}", text(&error.to_string())),
            Self::Gone => write!(f, "error: the editor went without `shutdown`"),
            Self::Different => Ok(()),
        }
    }
}

/// The message with the line in question, in colours on a terminal that wants them.
fn show(f: &mut fmt::Formatter<'_>, error: &SceneError) -> fmt::Result {
    let colours = io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && understands_colours();
    f.write_str(&error.report(colours))
}

/// Whether a terminal understands the codes of colours; consoles of Windows are asked to.
fn understands_colours() -> bool {
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
            RunError::Scene(error) => Self::Scene(error),
            RunError::TooSmall { scene, error } => Self::Paint(scene, error),
            RunError::Exhausted(what) => Self::Refused(what),
            RunError::Output(error) => Self::Output(error),
        }
    }
}
