//! Counts the frames of a film with ffprobe, since ffmpeg ends with code 0 even if a frame is
//! missing or the disk was full.

use super::arguments::file_url;
use super::program::{WatchedProgram, ending};
use crate::film::{error::FilmError, options::FilmOptions, sink::StopCheck};
use catena_base::read;
use std::{
    ffi::OsStr,
    fs::File,
    io::Seek,
    path::Path,
    process::{Command, Stdio},
};

/// Checks that ffprobe can be started.
pub(super) fn check_present(ffprobe: &OsStr) -> Result<(), FilmError> {
    let mut command = Command::new(ffprobe);
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Starting is sufficient; dropping the program kills it.
    WatchedProgram::start("ffprobe", ffprobe, &mut command).map(drop)
}

/// Error of a failed count.
pub(super) struct CountError(FilmError);

impl CountError {
    /// Converts the error into a film error, with ffmpeg's last lines before ffprobe's.
    pub(super) fn with_lines_of(self, ffmpeg: &WatchedProgram) -> FilmError {
        match self.0 {
            FilmError::Program { what, lines } => {
                let lines = ffmpeg.lines().into_iter().chain(lines).collect();
                FilmError::Program { what, lines }
            }
            // ffmpeg's lines do not explain why ffprobe cannot be started.
            other => other,
        }
    }
}

/// Counts the frames of a film: its packets or, with `decode`, the frames that can be decoded.
pub(super) fn count(
    options: &FilmOptions,
    film: &Path,
    decode: bool,
    stop: StopCheck<'_>,
) -> Result<u64, CountError> {
    let fail = |what: String, lines| CountError(FilmError::Program { what, lines });
    let no_file =
        |cause| fail(format!("the output of ffprobe cannot be read: {cause}"), Vec::new());
    // Unlike a pipe, a file needs no reading thread and never blocks the writer.
    let mut answer = tempfile::tempfile().map_err(no_file)?;
    let output = answer.try_clone().map_err(no_file)?;
    let (what, entry) = if decode {
        ("-count_frames", "stream=nb_read_frames")
    } else {
        ("-count_packets", "stream=nb_read_packets")
    };
    let mut command = Command::new(&options.ffprobe);
    command.args(["-v", "error", what, "-select_streams", "v:0", "-show_entries", entry]);
    command.args(["-of", "default=noprint_wrappers=1:nokey=1"]).arg(file_url(film));
    command.stdin(Stdio::null()).stdout(output).stderr(Stdio::piped());
    let program =
        WatchedProgram::start("ffprobe", &options.ffprobe, &mut command).map_err(CountError)?;
    let Some(status) = program.ended_within(options.patience, stop) else {
        program.kill();
        let seconds = options.patience.as_secs_f64();
        let what = format!("ffprobe was stopped: it did not count the frames within {seconds} s");
        return Err(fail(what, program.lines()));
    };
    let lines = program.lines();
    if !status.success() {
        let what = format!(
            "ffprobe {} on the film that ffmpeg made, so it was discarded",
            ending(Some(status))
        );
        return Err(fail(what, lines));
    }
    let text = read_answer(&mut answer).map_err(no_file)?;
    let count = text.lines().find_map(|line| line.trim().trim_end_matches(',').parse().ok());
    match count {
        Some(count) if lines.is_empty() => Ok(count),
        Some(_) => {
            Err(fail("the film that ffmpeg made is damaged, so it was discarded".into(), lines))
        }
        None => Err(fail("ffprobe finds no film in the output of ffmpeg".into(), lines)),
    }
}

fn read_answer(file: &mut File) -> std::io::Result<String> {
    file.rewind()?;
    let bytes = read::up_to(read::NOTE, file)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
