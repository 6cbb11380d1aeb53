//! Makes films of frames.
//!
//! [`open`] returns a [`FrameSink`], which takes one picture after the other and is finished at the
//! end. The film is written under a hidden name beside its own, so what lies under its name is
//! whole.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`error`] | the errors of films, and their exit codes |
//! | [`options`] | target, format, rate, quality |
//! | `pattern` | names that stand for many pictures, which are refused |
//! | [`frames`] | the frames of a folder, in order and checked |
//! | `sequence` | which files of a folder are frames, in which order |
//! | `picture` | decoded frames, with alpha or without |
//! | `sink` | the `FrameSink` trait, and a sink that checks size and number of frames |
//! | `changes` | the part of a frame that differs from the frame before |
//! | `writer` | a file under a hidden name, a device, or standard output |
//! | `yuv` | RGB to yuv420p |
//! | `stream` | y4m and raw |
//! | `gif`, `apng` | GIF and APNG |
//! | `ffmpeg` | mp4, mov and mkv through ffmpeg, and a watch over it |
//!
//! It may use [`crate`], [`catena_base::text`] and [`catena_base::read`], and nothing else of the
//! crate.

mod apng;
mod changes;
pub mod error;
mod ffmpeg;
pub mod frames;
mod gif;
pub mod options;
mod pattern;
mod picture;
mod sequence;
mod sink;
mod stream;
mod writer;
mod yuv;

pub use error::FilmError;
pub use ffmpeg::{FilmSegment, JoinedFilm, join, segment_format, stop_programs};
pub use options::{FilmFormat, FilmOptions, FilmTarget, FrameRate};
pub use sink::{FilmReport, FilmShape, FrameSink, StopCheck};

use self::{sink::CheckedSink, writer::FilmWriter};

/// Begins a film of exactly the frames of a shape. If ffmpeg and
/// ffprobe are needed, they are looked for now, so that their absence costs no work. While the sink
/// waits for ffmpeg it asks `stop` whether to end.
///
/// # Errors
/// When an option is out of its range, when the format does not fit the target or the size, when
/// the file cannot be made, or when ffmpeg or ffprobe cannot be started.
pub fn open<'a>(
    target: &FilmTarget,
    format: FilmFormat,
    options: &FilmOptions,
    shape: FilmShape,
    stop: StopCheck<'a>,
) -> Result<Box<dyn FrameSink + 'a>, FilmError> {
    let FilmShape { size, frames, .. } = shape;
    options.check()?;
    if frames == 0 || size.contains(&0) {
        return Err(FilmError::Usage("a film needs at least one frame with pixels".into()));
    }
    let inner: Box<dyn FrameSink + 'a> = match format {
        FilmFormat::Mp4 | FilmFormat::Mov | FilmFormat::Mkv => {
            Box::new(ffmpeg::FfmpegSink::open(target, format, options, size, frames, stop)?)
        }
        FilmFormat::Gif => Box::new(gif::GifSink::open(FilmWriter::open(target)?, options, size)?),
        FilmFormat::Apng => {
            Box::new(apng::ApngSink::open(FilmWriter::open(target)?, options, shape)?)
        }
        FilmFormat::Y4m => {
            Box::new(stream::Y4mSink::open(FilmWriter::open(target)?, options.rate(), size)?)
        }
        FilmFormat::Raw => Box::new(stream::RawSink::open(FilmWriter::open(target)?)),
    };
    Ok(Box::new(CheckedSink::new(inner, size, frames)))
}
