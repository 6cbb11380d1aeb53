//! Joins the segments of a film without encoding them again.

use super::{
    POLL_INTERVAL, arguments, probe,
    program::{self, StallDetector, WatchedProgram},
};
use crate::atomic;
use crate::film::error::FilmError;
use crate::film::format::FilmFormat;
use crate::film::options::{FilmOptions, FrameRate};
use crate::film::sink::StopCheck;
use crate::film::writer::UnfinishedFilm;
use catena_base::text::number::counted;
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// Complete film that does not have its name yet. Dropping it removes the file.
pub struct JoinedFilm(UnfinishedFilm);

impl JoinedFilm {
    /// Temporary path of the film.
    pub fn unfinished(&self) -> &Path {
        self.0.temporary_path()
    }

    /// Gives the film its name, after synchronizing it to the disk.
    ///
    /// # Errors
    /// Returns an error if the disk refuses.
    pub fn publish(self) -> Result<(), FilmError> {
        self.0.publish()
    }
}

/// Segment of a film that is joined to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmSegment {
    /// Path of the file relative to a folder: letters, digits, `-`, `_`, `.` and `/`.
    pub file: String,
    /// Number of frames of the segment.
    pub frames: u64,
}

/// List of segments for ffmpeg, each with its duration in microseconds, whose rounding errors do
/// not accumulate. Otherwise, ffmpeg would read durations from the files, which are rounded to
/// milliseconds.
fn list(segments: &[FilmSegment], rate: FrameRate) -> String {
    let (seconds, frames) = (u128::from(rate.denominator()), u128::from(rate.numerator()));
    let micros = |frame: u64| (u128::from(frame) * seconds * 1_000_000 + frames / 2) / frames;
    let (mut text, mut frame) = (String::new(), 0);
    for FilmSegment { file, frames } in segments {
        let duration = micros(frame + frames) - micros(frame);
        let (whole, part) = (duration / 1_000_000, duration % 1_000_000);
        text += &format!("file '{file}'\nduration {whole}.{part:06}\n");
        frame += frames;
    }
    text
}

/// Joins segments below `folder` into a film with the rate of the options. Verifies that the film
/// has the frames of all segments.
///
/// # Errors
/// Returns an error if a file fails, if ffmpeg or ffprobe cannot be started or fails, or if the
/// film has another number of frames. The film's path then keeps its previous content.
pub fn join(
    folder: &Path,
    segments: &[FilmSegment],
    film: &Path,
    format: FilmFormat,
    options: &FilmOptions,
    stop: StopCheck<'_>,
) -> Result<JoinedFilm, FilmError> {
    let refuse = |cause| FilmError::output("write", film, cause);
    let mut list = atomic::unfinished_in(folder).map_err(refuse)?;
    list.file().write_all(self::list(segments, options.rate()).as_bytes()).map_err(refuse)?;
    let frames: u64 = segments.iter().map(|segment| segment.frames).sum();
    let part = UnfinishedFilm::create(film)?;
    probe::check_present(&options.ffprobe)?;
    let mut command = Command::new(&options.ffmpeg);
    command.args(["-hide_banner", "-nostdin", "-loglevel", "error", "-xerror", "-f", "concat"]);
    command.arg("-i").arg(arguments::file_url(list.path()));
    command.args(["-map", "0:v:0", "-c", "copy"]).args(arguments::container(format));
    command.arg(arguments::file_url(part.temporary_path()));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let program = WatchedProgram::start("ffmpeg", &options.ffmpeg, &mut command)?;
    let mut watch = StallDetector::new(options.patience);
    let status = loop {
        if let Some(status) = program.ended_within(POLL_INTERVAL, stop) {
            break status;
        }
        if stop() {
            return Err(FilmError::Stopped);
        }
        let written = fs::metadata(part.temporary_path()).map_or(0, |meta| meta.len());
        if watch.notes_stall([written, program.stderr_bytes()]) {
            program.kill();
            let seconds = options.patience.as_secs_f64();
            let what = format!("ffmpeg was stopped: it wrote nothing for {seconds} s");
            return Err(program.failure(what));
        }
    };
    let joined = || {
        if !status.success() {
            let how = program::ending(Some(status));
            return Err(program.failure(format!("ffmpeg {how} while it joined segments")));
        }
        let is_suspect = program.stderr_bytes() > 0;
        let found = probe::count(options, part.temporary_path(), is_suspect, stop)
            .map_err(|error| error.with_lines_of(&program))?;
        if found != frames {
            return Err(program.failure(format!(
                "ffmpeg joined {} to {} instead of {frames}, so the film was discarded",
                counted(segments.len() as u64, "segment"),
                counted(found, "frame")
            )));
        }
        Ok(())
    };
    joined().map_err(|error| match stop() {
        true => FilmError::Stopped,
        false => error.with_full_disk(film),
    })?;
    Ok(JoinedFilm(part))
}
