//! Formats of films.

use crate::film::error::FilmError;
use crate::stdout::is_stdout;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Format of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmFormat {
    /// MP4, through ffmpeg.
    Mp4,
    /// QuickTime, through ffmpeg.
    Mov,
    /// Matroska, through ffmpeg.
    Mkv,
    /// WebM, through ffmpeg.
    Webm,
    /// Animated GIF: exact if the changes in a frame have at most 255 colours.
    Gif,
    /// Animated PNG, lossless.
    Apng,
    /// Animated WebP, lossless.
    WebP,
    /// YUV4MPEG2, C420jpeg, BT.601, limited range.
    Y4m,
    /// Red, green and blue bytes of consecutive frames, without a header.
    Raw,
}

impl FilmFormat {
    /// All formats with their names, which are also the extensions of their files.
    pub const ALL: [(&'static str, Self); 9] = [
        ("mp4", Self::Mp4),
        ("mov", Self::Mov),
        ("mkv", Self::Mkv),
        ("webm", Self::Webm),
        ("gif", Self::Gif),
        ("apng", Self::Apng),
        ("webp", Self::WebP),
        ("y4m", Self::Y4m),
        ("raw", Self::Raw),
    ];

    /// Name of the format.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    /// Whether ffmpeg makes the format.
    pub fn needs_ffmpeg(self) -> bool {
        matches!(self, Self::Mp4 | Self::Mov | Self::Mkv | Self::Webm)
    }

    /// Requested format, or the format of the file's extension.
    ///
    /// # Errors
    /// Returns an error if no format has the extension, or the format cannot be written to standard
    /// output.
    pub fn choose(target: &FilmTarget, asked: Option<Self>) -> Result<Self, FilmError> {
        if let FilmTarget::File(path) = target {
            refuse_pattern(path)?;
        }
        match (target, asked) {
            (FilmTarget::Stdout, Some(format)) if format.needs_ffmpeg() => Err(FilmError::Usage(
                "mp4, mov, mkv and webm need a file; standard output takes --format y4m, raw, gif, apng or webp".into(),
            )),
            (FilmTarget::Stdout, None) => Err(FilmError::Usage(
                "standard output needs --format: y4m, raw, gif, apng or webp".into(),
            )),
            (_, Some(format)) => Ok(format),
            (FilmTarget::File(path), None) => Self::of_ending(path),
        }
    }

    fn of_ending(path: &Path) -> Result<Self, FilmError> {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let ending = ending.to_ascii_lowercase();
        let name = match ending.as_str() {
            "m4v" => "mp4",
            "png" => "apng",
            "rgb" => "raw",
            other => other,
        };
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, format)| format).ok_or_else(|| {
            FilmError::Usage(format!(
                "{} has no known film format: use .mp4, .mov, .mkv, .webm, .gif, .apng, .webp, .y4m or .raw, \
                 or --format",
                path.display()
            ))
        })
    }
}

impl FromStr for FilmFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(name, _)| *name == text);
        let names = Self::ALL.map(|(name, _)| name).join(", ");
        found.map(|(_, format)| format).ok_or_else(|| format!("expected one of {names}"))
    }
}

impl fmt::Display for FilmFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.into_iter().find(|(_, format)| format == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

/// Output path of a film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilmTarget {
    /// Path of a regular file, a device or a pipe.
    File(PathBuf),
    /// Standard output.
    Stdout,
}

impl FilmTarget {
    /// Parses a target: `-` and `/dev/stdout` are standard output, everything else is a file.
    pub fn new(text: &OsStr) -> Self {
        if is_stdout(Path::new(text)) { Self::Stdout } else { Self::File(text.into()) }
    }
}

impl fmt::Display for FilmTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Stdout => f.write_str("standard output"),
        }
    }
}

/// Rejects the name of a picture with a placeholder for numbers, such as `f_%04d.png`. Other
/// programs write one file per frame for such a name. Films of other formats may have any name.
///
/// # Errors
/// Returns an error if the name has such a placeholder.
fn refuse_pattern(path: &Path) -> Result<(), FilmError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_picture = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let is_number = |rest: &str| {
        let kind = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        kind.starts_with(['d', 'i', 'u'])
    };
    if !is_picture || !name.split('%').skip(1).any(is_number) {
        return Ok(());
    }
    Err(FilmError::Usage(format!(
        "{} names a sequence of pictures, but a film is one file: remove the %, or use .apng; `catena render SCENE --out DIR` writes a PNG file per frame",
        path.display()
    )))
}
