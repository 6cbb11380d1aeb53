//! Makes films of frames.
//!
//! [`open`] returns a [`FrameSink`], which takes one picture at a time and is finished at the end.
//! The film is written under a hidden name next to the target, so a file with the target's name is
//! always complete.
//!
//! | module | content |
//! | --- | --- |
//! | [`error`] | errors of films, and their exit codes |
//! | [`codec`] | codecs of films that ffmpeg makes |
//! | [`options`] | target, format, rate, quality |
//! | [`frames`] | frames of a folder, in order and checked |
//! | `sequence` | selection and order of the frame files in a folder |
//! | `picture` | decoded frames, with or without alpha |
//! | `sink` | `FrameSink` trait, and a sink that checks size and number of frames |
//! | `changes` | part of a frame that differs from the previous frame |
//! | `writer` | file under a hidden name, device, or standard output |
//! | `yuv` | conversion from RGB to yuv420p |
//! | `stream` | y4m and raw |
//! | `gif`, `apng`, `webp` | GIF, APNG and WebP |
//! | `ffmpeg` | mp4, mov, mkv and webm through ffmpeg, with supervision |

mod apng;
mod changes;
pub mod codec;
pub mod error;
mod ffmpeg;
mod format;
pub mod frames;
mod gif;
pub mod options;
mod picture;
mod sequence;
mod sink;
mod stream;
mod webp;
mod writer;
mod yuv;

pub use codec::FilmCodec;
pub use error::FilmError;
pub use ffmpeg::{FilmSegment, JoinedFilm, join, stop_programs};
pub use options::{FilmOptions, FrameRate};
pub use picture::{OVER_WHITE, over_white};
pub use sink::{FilmReport, FilmShape, FrameSink, StopCheck};

pub use writer::FilmBytes;

use self::{sink::CheckedSink, writer::FilmWriter};
pub use crate::film::format::{FilmFormat, FilmTarget};

/// Starts a film of the given shape. If ffmpeg and ffprobe are needed, they are located now, so
/// that no work is lost if they are missing. While the sink waits for ffmpeg, it calls `stop` to
/// check for cancellation.
///
/// # Errors
/// Returns an error if an option is out of range, the format does not fit the target or the size,
/// the file cannot be created, or ffmpeg or ffprobe cannot be started.
pub fn open<'a>(
    target: &FilmTarget,
    format: FilmFormat,
    options: &FilmOptions,
    shape: FilmShape,
    stop: StopCheck<'a>,
) -> Result<Box<dyn FrameSink + 'a>, FilmError> {
    let FilmShape { size, frames, .. } = shape;
    options.check()?;
    if !format.needs_ffmpeg() {
        FilmCodec::choose(format, options.codec, shape.has_alpha)?;
    }
    if frames == 0 || size.contains(&0) {
        return Err(FilmError::Usage("a film needs at least one frame with pixels".into()));
    }
    let inner: Box<dyn FrameSink + 'a> = match format {
        FilmFormat::Mp4 | FilmFormat::Mov | FilmFormat::Mkv | FilmFormat::Webm => {
            Box::new(ffmpeg::FfmpegSink::open(target, format, options, shape, stop)?)
        }
        FilmFormat::Gif => Box::new(gif::GifSink::open(FilmWriter::open(target)?, options, size)?),
        FilmFormat::Apng => {
            Box::new(apng::ApngSink::open(FilmWriter::open(target)?, options, shape)?)
        }
        FilmFormat::WebP => {
            Box::new(webp::WebpSink::open(FilmWriter::open(target)?, options, shape)?)
        }
        FilmFormat::Y4m => {
            Box::new(stream::Y4mSink::open(FilmWriter::open(target)?, options.rate(), size)?)
        }
        FilmFormat::Raw => Box::new(stream::RawSink::open(FilmWriter::open(target)?)),
    };
    Ok(Box::new(CheckedSink::new(inner, size, frames)))
}

/// Starts a GIF in memory. `bytes` receives the same bytes as the file that [`open`] writes.
///
/// # Errors
/// Returns an error if an option is out of range or the format does not fit the size.
pub fn open_gif_in_memory(
    bytes: &FilmBytes,
    options: &FilmOptions,
    size: [u32; 2],
    frames: u64,
) -> Result<Box<dyn FrameSink>, FilmError> {
    options.check()?;
    if frames == 0 || size.contains(&0) {
        return Err(FilmError::Usage("a film needs at least one frame with pixels".into()));
    }
    let sink = gif::GifSink::open(FilmWriter::into_memory(bytes), options, size)?;
    Ok(Box::new(CheckedSink::new(Box::new(sink), size, frames)))
}
