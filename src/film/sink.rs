//! What takes the frames of a film.

use super::error::FilmError;
use image::RgbImage;
use std::sync::Arc;

/// Says whether the film is to end before its time.
pub type StopCheck = Arc<dyn Fn() -> bool + Send + Sync>;

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

/// Holds any sink to the size and the number of frames that were announced.
pub(super) struct CheckedSink {
    inner: Box<dyn FrameSink>,
    size: [u32; 2],
    frames: u64,
    seen: u64,
}

impl CheckedSink {
    pub(super) fn new(inner: Box<dyn FrameSink>, size: [u32; 2], frames: u64) -> Self {
        Self { inner, size, frames, seen: 0 }
    }
}

impl FrameSink for CheckedSink {
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
