//! Films made by ffmpeg, which receives raw yuv420p, RGB or RGBA through a pipe.
//!
//! | module | content |
//! | --- | --- |
//! | `arguments` | arguments of ffmpeg |
//! | `concat` | joining segments into a film |
//! | `feeder` | thread that fills the pipe, and its queue of frames |
//! | `probe` | ffprobe, which counts the frames of the film |
//! | `program` | running program: its last lines, its progress, its end, its killing |

mod arguments;
mod concat;
mod feeder;
mod probe;
mod program;

pub use self::concat::{FilmSegment, JoinedFilm, join};
pub use self::program::stop_programs;

use self::arguments::Encoding;
use self::feeder::{Feeder, OfferResult};
use self::program::{StallDetector, WatchedProgram};
use crate::atomic::is_device;
use crate::film::codec::FilmCodec;
use crate::film::error::FilmError;
use crate::film::format::{FilmFormat, FilmTarget};
use crate::film::options::FilmOptions;
use crate::film::sink::{FilmReport, FilmShape, FrameSink, StopCheck};
use crate::film::writer::UnfinishedFilm;
use crate::film::yuv;
use catena_base::text::number::counted;
use image::{RgbImage, RgbaImage};
use std::{
    fs,
    process::{Command, Stdio},
    time::Duration,
};

/// Message about padding or player support; `None` if there is nothing to report.
fn note(encoding: Encoding, size: [u32; 2]) -> Option<String> {
    match encoding.is_lossless {
        true if encoding.codec.has_preset() => Some(LOSSLESS.into()),
        true => (encoding.codec == FilmCodec::Vp9).then(|| LOSSLESS_VP9.into()),
        false => encoding.is_subsampled().then(|| yuv::note(size)).flatten(),
    }
}

const LOSSLESS: &str = "note: --quality 0 keeps every pixel, as H.264 High 4:4:4 in RGB. Editors, ffmpeg, mpv and VLC \
    read it; most browsers, QuickTime and phones do not. For a film that plays anywhere, use --quality 1 or more.";

const LOSSLESS_VP9: &str = "note: --quality 0 keeps every pixel, as VP9 Profile 1 in RGB. ffmpeg and mpv read it; many players \
    and phones read only Profile 0. For a film that plays anywhere, use --quality 1 or more.";

/// Interval between checks of ffmpeg during a wait.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Maximum time for ffmpeg to end after its input is closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) struct FfmpegSink<'a> {
    // Fields are dropped in this order, so the program is stopped before its file is removed.
    program: WatchedProgram,
    feeder: Feeder,
    part: UnfinishedFilm,
    encoding: Encoding,
    /// Converter to 4:2:0; `None` if ffmpeg gets RGB.
    converter: Option<yuv::YuvConverter>,
    options: FilmOptions,
    frames: u64,
    notes: Vec<String>,
    stop: StopCheck<'a>,
}

impl<'a> FfmpegSink<'a> {
    pub(super) fn open(
        target: &FilmTarget,
        format: FilmFormat,
        options: &FilmOptions,
        shape: FilmShape,
        stop: StopCheck<'a>,
    ) -> Result<Self, FilmError> {
        let FilmShape { size, frames, has_alpha } = shape;
        let FilmTarget::File(path) = target else {
            return Err(FilmError::Usage("mp4, mov, mkv and webm need a file".into()));
        };
        let encoding = Encoding::new(format, options, has_alpha)?;
        if is_device(path) {
            let path = path.display();
            return Err(FilmError::Usage(format!(
                "{path} is not a file that can be read back, which mp4, mov, mkv and webm need; use y4m for pipes"
            )));
        }
        let part = UnfinishedFilm::create(path)?;
        probe::check_present(&options.ffprobe)?;
        let mut command = Command::new(&options.ffmpeg);
        command
            .args(arguments::input(encoding, options, size))
            .args(arguments::output(encoding, options));
        command.arg(arguments::file_url(part.temporary_path()));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let program = WatchedProgram::start("ffmpeg", &options.ffmpeg, &mut command)?;
        let feeder = Feeder::start(program.stdin())?;
        Ok(Self {
            program,
            feeder,
            part,
            encoding,
            converter: (encoding.piped() == "yuv420p")
                .then(|| yuv::YuvConverter::new(yuv::ColorMatrix::BT709, size)),
            options: options.clone(),
            frames,
            notes: note(encoding, size).into_iter().collect(),
            stop,
        })
    }

    /// Indicators of ffmpeg's progress: bytes read, size and time of its file, bytes of standard
    /// error.
    fn signs_of_work(&self) -> [u64; 3] {
        let meta = fs::metadata(self.part.temporary_path()).ok();
        let since = |meta: &fs::Metadata| {
            let changed = meta.modified().ok()?;
            changed.duration_since(std::time::UNIX_EPOCH).ok().map(|since| since.as_nanos() as u64)
        };
        let changed = meta.as_ref().and_then(since).unwrap_or(0);
        [
            self.feeder.written(),
            meta.map_or(0, |meta| meta.len()) ^ changed,
            self.program.stderr_bytes(),
        ]
    }

    fn frames_taken(&self) -> String {
        format!("{} of {} frames", self.feeder.frames(), self.frames)
    }

    fn hang_error(&self) -> FilmError {
        self.program.kill();
        let seconds = self.options.patience.as_secs_f64();
        let taken = self.frames_taken();
        self.program.failure(format!(
            "ffmpeg was stopped: it did not read or write for {seconds} s after taking {taken}"
        ))
    }

    /// Error when ffmpeg stops reading frames, which describes its end.
    fn exit_error(&self) -> FilmError {
        let status = self.program.end_within(EXIT_TIMEOUT, self.stop);
        let taken = self.frames_taken();
        let how = program::ending(status);
        self.program.failure(format!("ffmpeg {how} after it had taken {taken}"))
    }
}

impl FrameSink for FfmpegSink<'_> {
    fn add_frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        if self.keeps_alpha() {
            let image = image::DynamicImage::from(image.clone()).into_rgba8();
            return self.add_translucent_frame(&image);
        }
        let mut buffer = self.feeder.spare();
        buffer.clear();
        buffer.extend_from_slice(match &mut self.converter {
            Some(converter) => converter.convert(image),
            None => image.as_raw(),
        });
        if self.converter.is_none() {
            self.pad::<3>(&mut buffer, image.width());
        }
        self.take(buffer)
    }

    fn keeps_alpha(&self) -> bool {
        self.encoding.has_alpha
    }

    fn add_translucent_frame(&mut self, image: &RgbaImage) -> Result<(), FilmError> {
        let mut buffer = self.feeder.spare();
        buffer.clear();
        buffer.extend_from_slice(image.as_raw());
        self.pad::<4>(&mut buffer, image.width());
        self.take(buffer)
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        let (path, stop) = (self.part.path().to_path_buf(), self.stop);
        self.end()
            .map_err(|error| if stop() { FilmError::Stopped } else { error.with_full_disk(&path) })
    }
}

impl<'a> FfmpegSink<'a> {
    /// Repeats the last column and the last row of pixels of `N` bytes, where the film needs even
    /// sides.
    fn pad<const N: usize>(&self, buffer: &mut Vec<u8>, width: u32) {
        let row = N * width as usize;
        if !self.encoding.is_subsampled() || row == 0 {
            return;
        }
        if !width.is_multiple_of(2) {
            let rows = buffer.chunks_exact(row);
            *buffer =
                rows.flat_map(|row| row.iter().chain(&row[row.len() - N..])).copied().collect();
        }
        let row = N * width.next_multiple_of(2) as usize;
        if !(buffer.len() / row).is_multiple_of(2) {
            buffer.extend_from_within(buffer.len() - row..);
        }
    }

    /// Queues the bytes of a frame.
    fn take(&mut self, buffer: Vec<u8>) -> Result<(), FilmError> {
        let fed = self.feed(buffer);
        fed.map_err(|error| {
            if (self.stop)() { FilmError::Stopped } else { error.with_full_disk(self.part.path()) }
        })
    }

    fn feed(&mut self, mut buffer: Vec<u8>) -> Result<(), FilmError> {
        let mut watch = StallDetector::new(self.options.patience);
        loop {
            buffer = match self.feeder.offer(buffer, POLL_INTERVAL) {
                OfferResult::Taken => return Ok(()),
                OfferResult::Ended => return Err(self.exit_error()),
                OfferResult::Full(buffer) => buffer,
            };
            if self.program.ended().is_some() {
                return Err(self.exit_error());
            }
            if (self.stop)() {
                return Err(FilmError::Stopped);
            }
            if watch.notes_stall(self.signs_of_work()) {
                return Err(self.hang_error());
            }
        }
    }

    fn end(self) -> Result<FilmReport, FilmError> {
        self.feeder.close();
        let mut watch = StallDetector::new(self.options.patience);
        let status = loop {
            if let Some(status) = self.program.ended_within(POLL_INTERVAL, self.stop) {
                break status;
            }
            if self.feeder.has_ended() && self.feeder.frames() < self.frames {
                return Err(self.exit_error());
            }
            if (self.stop)() {
                return Err(FilmError::Stopped);
            }
            if watch.notes_stall(self.signs_of_work()) {
                return Err(self.hang_error());
            }
        };
        // A program that ended with code 0 may have left frames in the pipe.
        self.feeder.wait(EXIT_TIMEOUT);
        if !status.success() || self.feeder.frames() < self.frames {
            return Err(self.exit_error());
        }
        // At this log level ffmpeg only reports damage. ffprobe then decodes every frame, which is
        // slower than counting packets.
        let is_suspect = self.program.stderr_bytes() > 0;
        let found = probe::count(&self.options, self.part.temporary_path(), is_suspect, self.stop)
            .map_err(|error| error.with_lines_of(&self.program))?;
        if found != self.frames {
            return Err(self.program.failure(format!(
                "ffmpeg made a film of {} from {}, so it was discarded",
                counted(found, "frame"),
                self.frames
            )));
        }
        let Self { program, part, notes, .. } = self;
        drop(program);
        part.publish()?;
        Ok(FilmReport { notes, ..FilmReport::default() })
    }
}
