//! Errors of films.

use crate::OutputError;
use catena_base::text::printable;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Reason why a film was not made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// An option does not fit the film.
    #[error("{0}")]
    Usage(String),
    /// Frames are missing, damaged, or differ from the rendered ones.
    #[error("{0}")]
    Frames(String),
    /// A file or a stream failed.
    #[error("{0}")]
    Output(OutputError),
    /// ffmpeg or ffprobe could not be started.
    #[error("{}", missing(program, path, cause))]
    Missing {
        /// Name of the program, `ffmpeg` or `ffprobe`.
        program: &'static str,
        /// Path of the program.
        path: PathBuf,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// ffmpeg or ffprobe crashed, hung, or did not produce the requested film.
    #[error("{}", with_last_lines(what, lines))]
    Program {
        /// Description of the failure.
        what: String,
        /// Last lines of the program's standard error.
        lines: Vec<String>,
    },
    /// The disk was full while ffmpeg or ffprobe processed the film.
    #[error("cannot write {}: the disk is full{}", printable::path(path), last_lines(lines))]
    Full {
        /// Path of the film.
        path: PathBuf,
        /// Last lines of the program's standard error.
        lines: Vec<String>,
    },
    /// ffmpeg failed, and the frames in a folder are kept.
    #[error("{error}\nthe frames in {} are kept", printable::path(folder))]
    FramesKept {
        /// Failure of ffmpeg.
        error: Box<FilmError>,
        /// Folder of the frames.
        folder: PathBuf,
    },
    /// The reader of a film on standard output has closed it. This ends the film and is not a
    /// failure.
    #[error("the program that reads standard output has stopped reading")]
    ReaderGone,
    /// The film was cancelled.
    #[error("no film was made")]
    Stopped,
}

impl FilmError {
    /// Exit code of the process: 0 if the reader has gone, 2 for usage, 5 for files, 6 for ffmpeg.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::ReaderGone => 0,
            Self::Usage(_) => 2,
            Self::Frames(_) | Self::Output(_) | Self::Full { .. } | Self::Stopped => 5,
            Self::Missing { .. } | Self::Program { .. } => 6,
            Self::FramesKept { error, .. } => error.exit_code(),
        }
    }

    /// Adds to a failure of ffmpeg that the frames in `folder` are kept.
    #[must_use]
    pub fn keeping(self, folder: &Path) -> Self {
        match self {
            Self::Missing { .. } | Self::Program { .. } | Self::Full { .. } => {
                Self::FramesKept { error: Box::new(self), folder: folder.into() }
            }
            other => other,
        }
    }

    /// Converts the failure of a program whose last lines report a full disk into
    /// [`FilmError::Full`].
    pub(super) fn with_full_disk(self, path: &Path) -> Self {
        match self {
            Self::Program { lines, .. } if lines.iter().any(|line| line.contains(NO_ROOM)) => {
                Self::Full { path: path.into(), lines }
            }
            other => other,
        }
    }

    /// Creates the error of a file. `action` completes "cannot …".
    pub(super) fn output(action: &'static str, path: &Path, cause: io::Error) -> Self {
        OutputError::new(action, path, cause).into()
    }
}

impl From<OutputError> for FilmError {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

fn missing(program: &str, path: &Path, cause: &io::Error) -> String {
    let is_absent = cause.kind() == io::ErrorKind::NotFound;
    let what = match (is_absent, path == Path::new(program)) {
        (true, true) => format!("{program} is not installed, or not in PATH"),
        (true, false) => {
            format!("{program} cannot be started: {} does not exist", printable::path(path))
        }
        (false, _) => format!("{program} ({}) cannot be started: {cause}", printable::path(path)),
    };
    let comes_with = if program == "ffprobe" { " (it comes with ffmpeg)" } else { "" };
    format!(
        "{what}; films as mp4, mov, mkv and webm need it{comes_with}\n  \
         Debian, Ubuntu: sudo apt install ffmpeg\n  \
         macOS:          brew install ffmpeg\n  \
         Windows:        winget install ffmpeg\n\
         {BUILT_IN}"
    )
}

/// ffmpeg's message for a full disk.
const NO_ROOM: &str = "No space left on device";

fn with_last_lines(what: &str, lines: &[String]) -> String {
    what.to_owned() + &last_lines(lines) + &advice(lines)
}

/// Messages of programs that lack a component needed for films, each with an explanation.
const INCOMPLETE: [(&str, &str); 9] = [
    (
        "Unknown encoder",
        "this ffmpeg was built without the encoder that the film needs; mp4, mov and mkv need x264, webm needs libvpx",
    ),
    (
        "Encoder not found",
        "this ffmpeg was built without the encoder that the film needs; mp4, mov and mkv need x264, webm needs libvpx",
    ),
    ("is not a suitable output format", "this ffmpeg was built without a format that films need"),
    ("Unknown output format", "this ffmpeg was built without a format that films need"),
    ("Unknown input format", "this ffmpeg was built without a format that films need"),
    ("Protocol not found", "this ffmpeg was built without access to files or pipes"),
    ("Unrecognized option", "this ffmpeg is too old, or lacks an option that films need"),
    ("Option not found", "this ffmpeg is too old, or lacks an option that films need"),
    ("error while loading shared libraries", "this ffmpeg is not installed completely"),
];

/// Remedy for a program that lacks a component; empty for other failures.
fn advice(lines: &[String]) -> String {
    let is_printed = |words: &str| lines.iter().any(|line| line.contains(words));
    let Some((_, what)) = INCOMPLETE.iter().find(|(words, _)| is_printed(words)) else {
        return String::new();
    };
    format!(
        "\n{what}\n  \
         Fedora:         sudo dnf swap ffmpeg-free ffmpeg --allowerasing, with RPM Fusion enabled\n  \
         conda:          conda install -c conda-forge 'ffmpeg=*=gpl*'\n  \
         Debian, Ubuntu: sudo apt install ffmpeg\n  \
         macOS:          brew install ffmpeg\n  \
         Windows:        winget install ffmpeg\n\
         --ffmpeg PATH uses another ffmpeg\n\
         {BUILT_IN}"
    )
}

/// Hint about formats that do not need ffmpeg.
const BUILT_IN: &str = "GIF, APNG and WebP are built in: name the film .gif, .apng or .webp";

fn last_lines(lines: &[String]) -> String {
    let mut text = String::new();
    if !lines.is_empty() {
        text += "\nffmpeg's last lines:";
        lines.iter().for_each(|line| text += &format!("\n  {line}"));
    }
    text
}
