//! From frames to a film.
//!
//! [`open`] gives a [`FrameSink`], which takes one picture after the other and is finished at the end. What lies under the
//! film's name is whole: everything is written under a hidden name beside it first.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`error`] | how a film can fail, and the exit code of each way |
//! | [`options`] | target, format, rate, quality |
//! | [`source`] | the frames of a folder, in order and checked |
//! | `changes` | where a frame differs from the one before |
//! | `out` | the file under its hidden name, a device, or standard output |
//! | `yuv` | RGB to yuv420p |
//! | `stream` | y4m and raw |
//! | `gif`, `apng` | built in |
//! | `ffmpeg` | mp4, mov and mkv through ffmpeg, and what guards it |
//!
//! It may use [`crate::output`] and [`crate::read`], and nothing else of the crate.

mod apng;
mod changes;
pub mod error;
mod ffmpeg;
mod gif;
pub mod options;
mod out;
pub mod source;
mod stream;
mod yuv;

pub use error::FilmError;
pub use ffmpeg::stop_programs;
pub use options::{FilmOptions, Format, Rate, Target};

use self::out::Out;
use image::RgbImage;

/// Says whether the film is to end early.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Takes the frames of a film in order. Dropped before it is finished, it leaves no file and no running program.
pub trait FrameSink: Send {
    /// Adds a frame. It may return before the frame is written.
    ///
    /// # Errors
    /// When the film cannot go on; then the sink is of no more use.
    fn frame(&mut self, image: &RgbImage) -> Result<(), FilmError>;

    /// Ends the film and gives it its name.
    ///
    /// # Errors
    /// When the film is not whole; then nothing new lies under its name.
    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError>;
}

/// What a finished film is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilmReport {
    /// How many frames are in it. For mp4, mov and mkv ffprobe has counted them.
    pub frames: u64,
    /// What the user should know, a line each.
    pub notes: Vec<String>,
}

/// Begins a film of exactly `frames` frames, all of `size` (width and height in pixels). ffmpeg and
/// ffprobe are looked for now, where they are needed, so that their absence costs no time. Whenever
/// ffmpeg is waited for, `stop` ends that.
///
/// # Errors
/// When an option is out of its range, when the format does not fit the target or the size, when the file cannot be made, or when ffmpeg cannot be started.
pub fn open<'a>(
    target: &Target,
    format: Format,
    options: &FilmOptions,
    size: [u32; 2],
    frames: u64,
    stop: Stop<'a>,
) -> Result<Box<dyn FrameSink + 'a>, FilmError> {
    options.check()?;
    if frames == 0 || size.contains(&0) {
        return Err(FilmError::Usage("a film needs at least one frame with pixels".into()));
    }
    let inner: Box<dyn FrameSink + 'a> = match format {
        Format::Mp4 | Format::Mov | Format::Mkv => {
            Box::new(ffmpeg::Ffmpeg::open(target, format, options, size, frames, stop)?)
        }
        Format::Gif => Box::new(gif::Gif::open(Out::open(target)?, options, size)?),
        Format::Apng => Box::new(apng::Apng::open(Out::open(target)?, options, size, frames)?),
        Format::Y4m => Box::new(stream::Y4m::open(Out::open(target)?, options.rate, size)?),
        Format::Raw => Box::new(stream::Raw::open(Out::open(target)?)),
    };
    Ok(Box::new(Checked { inner, size, frames, seen: 0 }))
}

/// Holds any sink to the size and the number of frames that were announced.
struct Checked<'a> {
    inner: Box<dyn FrameSink + 'a>,
    size: [u32; 2],
    frames: u64,
    seen: u64,
}

impl FrameSink for Checked<'_> {
    fn frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        let [width, height] = self.size;
        if image.dimensions() != (width, height) {
            let (w, h) = image.dimensions();
            return Err(FilmError::Frames(format!(
                "frame {} of the film is {w}x{h}, the film is {width}x{height}",
                self.seen
            )));
        }
        if self.seen == self.frames {
            return Err(FilmError::Frames(format!("the film has its {} frames", self.frames)));
        }
        self.seen += 1;
        self.inner.frame(image)
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        if self.seen != self.frames {
            return Err(FilmError::Frames(format!(
                "the film got {} of its {} frames",
                self.seen, self.frames
            )));
        }
        let report = self.inner.finish()?;
        Ok(FilmReport { frames: self.seen, ..report })
    }
}
