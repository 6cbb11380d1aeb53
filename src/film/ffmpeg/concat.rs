//! Joins the segments of a film, without encoding anything anew.

use super::{
    POLL_INTERVAL, arguments, probe,
    program::{self, StallDetector, WatchedProgram},
};
use crate::film::{
    error::FilmError,
    options::{FilmFormat, FilmOptions},
    sink::StopCheck,
    writer::UnfinishedFilm,
};
use crate::output::atomic;
use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// A film that is whole and has not taken its name yet; dropped, it is removed.
pub struct JoinedFilm(UnfinishedFilm);

impl JoinedFilm {
    /// Where it lies until then.
    pub fn unfinished(&self) -> &Path {
        self.0.temporary_path()
    }

    /// Gives it its name, once the disk has its bytes.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn publish(self) -> Result<(), FilmError> {
        self.0.publish()
    }
}

/// Joins segments into a film of so many frames, which are counted. The segments are files below
/// `folder`, named by letters, digits, `-`, `_`, `.` and `/`.
///
/// # Errors
/// When a file fails, when ffmpeg or ffprobe cannot be started or fails, or when the film has
/// another number of frames; the film's name then leads to what it led to before.
pub fn join(
    (folder, segments): (&Path, &[String]),
    (film, format): (&Path, FilmFormat),
    frames: u64,
    options: &FilmOptions,
    stop: StopCheck<'_>,
) -> Result<JoinedFilm, FilmError> {
    let refuse = |cause| FilmError::output("write", film, cause);
    let mut list = atomic::unfinished_in(folder).map_err(refuse)?;
    let lines: String = segments.iter().map(|segment| format!("file '{segment}'\n")).collect();
    list.file().write_all(lines.as_bytes()).map_err(refuse)?;
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
        if watch.is_stalled([written, program.stderr_bytes()]) {
            program.kill();
            let seconds = options.patience.as_secs_f64();
            let what = format!("ffmpeg hangs: for {seconds} s it wrote nothing; it was stopped");
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
                "ffmpeg joined {} segments to {found} frames in place of {frames}, so the film was thrown away",
                segments.len()
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
