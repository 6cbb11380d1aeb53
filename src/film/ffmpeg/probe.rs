//! ffprobe counts the frames of a film. ffmpeg ends with 0 even where a frame is missing or the disk was full.

use super::file_url;
use super::guard::{Guard, how};
use crate::film::{FilmError, FilmOptions, Stop};
use crate::read;
use std::{
    ffi::OsStr,
    fs::File,
    io::Seek,
    path::Path,
    process::{Command, Stdio},
};

/// Makes sure that ffprobe can be started.
pub(super) fn look_for(ffprobe: &OsStr) -> Result<(), FilmError> {
    let mut command = Command::new(ffprobe);
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Dropped, it is stopped: that it started is enough.
    Guard::start("ffprobe", ffprobe, &mut command).map(drop)
}

/// A count that failed.
pub(super) struct NoCount(FilmError);

impl NoCount {
    /// The failure, with what ffmpeg had said before.
    pub(super) fn after(self, ffmpeg: &Guard) -> FilmError {
        match self.0 {
            FilmError::Program { what, lines } => {
                let lines = ffmpeg.lines().into_iter().chain(lines).collect();
                FilmError::Program { what, lines }
            }
            // ffprobe could not be started, which has nothing to do with ffmpeg.
            other => other,
        }
    }
}

/// Counts the frames of a film: packets, or where `decode` is set, frames that can be decoded.
pub(super) fn count(
    options: &FilmOptions,
    film: &Path,
    decode: bool,
    stop: Stop<'_>,
) -> Result<u64, NoCount> {
    let fail = |what: String, lines| NoCount(FilmError::Program { what, lines });
    let no_file = |cause| fail(format!("ffprobe cannot be listened to: {cause}"), Vec::new());
    // A file needs no thread that reads it, and never fills.
    let mut answer = tempfile::tempfile().map_err(no_file)?;
    let told = answer.try_clone().map_err(no_file)?;
    let (what, entry) = if decode {
        ("-count_frames", "stream=nb_read_frames")
    } else {
        ("-count_packets", "stream=nb_read_packets")
    };
    let mut command = Command::new(&options.ffprobe);
    command.args(["-v", "error", what, "-select_streams", "v:0", "-show_entries", entry]);
    command.args(["-of", "default=noprint_wrappers=1:nokey=1"]).arg(file_url(film));
    command.stdin(Stdio::null()).stdout(told).stderr(Stdio::piped());
    let guard = Guard::start("ffprobe", &options.ffprobe, &mut command).map_err(NoCount)?;
    let Some(status) = guard.ended_within(options.patience, stop) else {
        guard.kill();
        let seconds = options.patience.as_secs_f64();
        let what = format!(
            "ffprobe hangs: it had not counted the frames after {seconds} s; it was stopped"
        );
        return Err(fail(what, guard.lines()));
    };
    let lines = guard.lines();
    if !status.success() {
        let what = format!(
            "ffprobe {} on the film that ffmpeg made, so it was thrown away",
            how(Some(status))
        );
        return Err(fail(what, lines));
    }
    let text = told_in(&mut answer).map_err(no_file)?;
    let count = text.lines().find_map(|line| line.trim().trim_end_matches(',').parse().ok());
    match count {
        Some(count) if lines.is_empty() => Ok(count),
        Some(_) => {
            Err(fail("the film that ffmpeg made is damaged, so it was thrown away".into(), lines))
        }
        None => Err(fail("ffprobe finds no film in what ffmpeg made".into(), lines)),
    }
}

fn told_in(file: &mut File) -> std::io::Result<String> {
    file.rewind()?;
    let bytes = read::up_to(read::NOTE, file)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
