//! Films through ffmpeg: raw yuv420p down a pipe.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `feeder` | the thread that fills the pipe, and the frames that wait for it |
//! | `guard` | the running program: its last lines, whether it still works, its end |
//! | `probe` | ffprobe, which counts what ffmpeg made |
//! | `running` | the programs that are stopped when this process ends early |

mod feeder;
mod guard;
mod probe;
mod running;

pub use self::running::stop_programs;

use self::feeder::{Feeder, Offer};
use self::guard::{Guard, Watch};
use super::out::Part;
use super::{FilmError, FilmOptions, FilmReport, Format, FrameSink, Stop, Target, yuv};
use crate::output::atomic::is_device;
use image::RgbImage;
use std::{
    ffi::OsString,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

/// How long a wait lasts before ffmpeg is looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// How long ffmpeg may take to end once its input is closed for good.
const LAST_WORDS: Duration = Duration::from_secs(2);

pub(super) struct Ffmpeg<'a> {
    // Dropped in this order: the program is stopped before its file is removed.
    guard: Guard,
    feeder: Feeder,
    part: Part,
    converter: yuv::Converter,
    options: FilmOptions,
    frames: u64,
    notes: Vec<String>,
    stop: Stop<'a>,
}

impl<'a> Ffmpeg<'a> {
    pub(super) fn open(
        target: &Target,
        format: Format,
        options: &FilmOptions,
        size: [u32; 2],
        frames: u64,
        stop: Stop<'a>,
    ) -> Result<Self, FilmError> {
        let Target::File(path) = target else {
            return Err(FilmError::Usage("mp4, mov and mkv need a file".into()));
        };
        if is_device(path) {
            let path = path.display();
            return Err(FilmError::Usage(format!(
                "{path} is no file that can be read back, which mp4, mov and mkv need; y4m can be piped"
            )));
        }
        let part = Part::create(path)?;
        probe::look_for(&options.ffprobe)?;
        let mut command = Command::new(&options.ffmpeg);
        command.args(input_arguments(options, size)).args(output_arguments(options, format));
        command.arg(file_url(part.at()));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let guard = Guard::start("ffmpeg", &options.ffmpeg, &mut command)?;
        let feeder = Feeder::start(guard.stdin())?;
        Ok(Self {
            guard,
            feeder,
            part,
            converter: yuv::Converter::new(size),
            options: options.clone(),
            frames,
            notes: yuv::note(size).into_iter().collect(),
            stop,
        })
    }

    /// What shows that ffmpeg works: bytes that it has read, and what it has written.
    fn signs(&self) -> [u64; 3] {
        let meta = fs::metadata(self.part.at()).ok();
        let since = |meta: &fs::Metadata| {
            let changed = meta.modified().ok()?;
            changed.duration_since(std::time::UNIX_EPOCH).ok().map(|since| since.as_nanos() as u64)
        };
        let changed = meta.as_ref().and_then(since).unwrap_or(0);
        [self.feeder.written(), meta.map_or(0, |meta| meta.len()) ^ changed, self.guard.said()]
    }

    fn taken(&self) -> String {
        format!("{} of {} frames", self.feeder.frames(), self.frames)
    }

    fn hung(&self) -> FilmError {
        self.guard.kill();
        let seconds = self.options.patience.as_secs_f64();
        let taken = self.taken();
        self.guard.failure(format!(
            "ffmpeg hangs: for {seconds} s it neither read nor wrote, after it had taken {taken}; it was stopped"
        ))
    }

    /// It takes no more frames: why.
    fn died(&self) -> FilmError {
        let status = self.guard.end_within(LAST_WORDS, self.stop);
        let taken = self.taken();
        let how = guard::how(status);
        self.guard.failure(format!("ffmpeg {how} after it had taken {taken}"))
    }
}

impl FrameSink for Ffmpeg<'_> {
    fn frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        let fed = self.feed(image);
        fed.map_err(
            |error| if (self.stop)() { FilmError::Stopped } else { error.about(self.part.path()) },
        )
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        let (path, stop) = (self.part.path().to_path_buf(), self.stop);
        self.end().map_err(|error| if stop() { FilmError::Stopped } else { error.about(&path) })
    }
}

impl<'a> Ffmpeg<'a> {
    fn feed(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        let mut buffer = self.feeder.spare();
        buffer.clear();
        buffer.extend_from_slice(self.converter.convert(image));
        let mut watch = Watch::new(self.options.patience);
        loop {
            buffer = match self.feeder.offer(buffer, GLANCE) {
                Offer::Taken => return Ok(()),
                Offer::Ended => return Err(self.died()),
                Offer::Full(buffer) => buffer,
            };
            if self.guard.ended().is_some() {
                return Err(self.died());
            }
            if (self.stop)() {
                return Err(FilmError::Stopped);
            }
            if watch.is_stalled(self.signs()) {
                return Err(self.hung());
            }
        }
    }

    fn end(self) -> Result<FilmReport, FilmError> {
        self.feeder.close();
        let mut watch = Watch::new(self.options.patience);
        let status = loop {
            if let Some(status) = self.guard.ended_within(GLANCE, self.stop) {
                break status;
            }
            if self.feeder.has_ended() && self.feeder.frames() < self.frames {
                return Err(self.died());
            }
            if (self.stop)() {
                return Err(FilmError::Stopped);
            }
            if watch.is_stalled(self.signs()) {
                return Err(self.hung());
            }
        };
        // A program that leaves without a word may have left frames in the pipe.
        self.feeder.wait(LAST_WORDS);
        if !status.success() || self.feeder.frames() < self.frames {
            return Err(self.died());
        }
        // What ffmpeg has to say at this level is about damage: then every frame is decoded, which takes longer than to count them.
        let is_suspect = self.guard.said() > 0;
        let found = probe::count(&self.options, self.part.at(), is_suspect, self.stop)
            .map_err(|error| error.after(&self.guard))?;
        if found != self.frames {
            return Err(self.guard.failure(format!(
                "ffmpeg made a film of {found} frames from {}, so it was thrown away",
                self.frames
            )));
        }
        let Self { guard, part, notes, .. } = self;
        drop(guard);
        part.publish()?;
        Ok(FilmReport { notes, ..FilmReport::default() })
    }
}

/// What goes into the pipe.
fn input_arguments(options: &FilmOptions, size: [u32; 2]) -> Vec<OsString> {
    let [width, height] = yuv::padded(size);
    let words = ["-hide_banner", "-nostdin", "-loglevel", "error", "-xerror"];
    let mut words: Vec<OsString> = words.map(OsString::from).into();
    words.extend(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size"].map(OsString::from));
    words.extend([format!("{width}x{height}"), "-framerate".into()].map(OsString::from));
    words.push(options.rate.to_string().into());
    words.extend(COLOURS.map(OsString::from));
    words.extend(["-i", "pipe:0"].map(OsString::from));
    words
}

/// What comes out. No word of the file depends on the machine but through ffmpeg's number of threads.
fn output_arguments(options: &FilmOptions, format: Format) -> Vec<OsString> {
    let mut words: Vec<OsString> = ["-c:v", "libx264", "-preset"].map(OsString::from).into();
    words.extend(
        [options.preset.clone(), "-crf".into(), options.quality.to_string()].map(OsString::from),
    );
    words.extend(["-pix_fmt", "yuv420p"].map(OsString::from));
    words.extend(COLOURS.map(OsString::from));
    if let Some(threads) = options.threads {
        words.extend(["-threads".into(), threads.to_string()].map(OsString::from));
    }
    words.extend(["-fflags", "+bitexact", "-flags:v", "+bitexact"].map(OsString::from));
    // Each packet is written at once, so that the file shows that ffmpeg works.
    words.extend(["-flush_packets", "1"].map(OsString::from));
    let muxer = match format {
        Format::Mov => "mov",
        Format::Mkv => "matroska",
        _ => "mp4",
    };
    if muxer != "matroska" {
        words.extend(["-movflags", "+faststart"].map(OsString::from));
    }
    words.extend(["-f", muxer, "-y"].map(OsString::from));
    words
}

/// What the numbers of the pixels mean; chroma lies in the middle of four pixels.
const COLOURS: [&str; 10] = [
    "-color_range",
    "tv",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-chroma_sample_location",
    "center",
];

/// A path that ffmpeg takes as it is, whatever it begins with.
fn file_url(path: &Path) -> OsString {
    let mut url = OsString::from("file:");
    url.push(path);
    url
}
