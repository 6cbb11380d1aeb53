//! Receivers of a film's frames.

use super::error::FilmError;
use catena_base::text::number::counted;
use image::{DynamicImage, RgbImage, RgbaImage};

/// Callback that returns true once the film is to be cancelled.
pub type StopCheck<'a> = &'a (dyn Fn() -> bool + Sync);

/// Receiver of a film's frames, in order. A sink dropped before it is finished leaves no file and
/// no running program.
pub trait FrameSink: Send {
    /// Adds a frame, and may return before the frame is written.
    ///
    /// # Errors
    /// Returns an error if the film cannot continue; the sink is unusable after that.
    fn add_frame(&mut self, image: &RgbImage) -> Result<(), FilmError>;

    /// Whether the film has alpha and [`Self::add_translucent_frame`] accepts its frames.
    fn keeps_alpha(&self) -> bool {
        false
    }

    /// Adds a frame with alpha to a film that keeps it.
    ///
    /// # Errors
    /// The errors of [`Self::add_frame`], and an error if the film has no alpha.
    fn add_translucent_frame(&mut self, _image: &RgbaImage) -> Result<(), FilmError> {
        Err(FilmError::Frames("the film has no alpha channel".into()))
    }

    /// Ends the film and gives the file its name.
    ///
    /// # Errors
    /// Returns an error if the film is incomplete. Its path then keeps its previous content.
    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError>;
}

/// Sink of a film with or without alpha, which takes the bytes of pixels in its layout.
pub(super) trait PixelSink: Send {
    /// Layout of the bytes of a frame.
    fn layout(&self) -> FrameLayout;

    /// Adds a frame of this layout.
    ///
    /// # Errors
    /// The errors of [`FrameSink::add_frame`].
    fn add_pixels(&mut self, pixels: &[u8]) -> Result<(), FilmError>;

    /// Ends the film like [`FrameSink::finish`].
    ///
    /// # Errors
    /// The errors of [`FrameSink::finish`].
    fn close(self: Box<Self>) -> Result<FilmReport, FilmError>;
}

impl<T: PixelSink> FrameSink for T {
    fn add_frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        match self.keeps_alpha() {
            false => self.add_pixels(image),
            true => self.add_pixels(&DynamicImage::from(image.clone()).into_rgba8()),
        }
    }

    fn keeps_alpha(&self) -> bool {
        self.layout().has_alpha()
    }

    fn add_translucent_frame(&mut self, image: &RgbaImage) -> Result<(), FilmError> {
        match self.keeps_alpha() {
            true => self.add_pixels(image),
            false => Err(FilmError::Frames("the film has no alpha channel".into())),
        }
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        self.close()
    }
}

/// Size and number of a film's frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmShape {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Number of frames.
    pub frames: u64,
    /// Whether pixels may be transparent. Formats without alpha ignore it.
    pub has_alpha: bool,
}

impl FilmShape {
    /// Creates the shape of a film with opaque frames.
    pub fn opaque(size: [u32; 2], frames: u64) -> Self {
        Self { size, frames, has_alpha: false }
    }
}

/// Report about a finished film.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilmReport {
    /// Number of frames. For mp4, mov, mkv and webm, ffprobe has counted them.
    pub frames: u64,
    /// Messages for the user, one line each.
    pub notes: Vec<String>,
}

/// Sink that returns an error if the size or number of frames is not as announced.
pub(super) struct CheckedSink<'a> {
    inner: Box<dyn FrameSink + 'a>,
    size: [u32; 2],
    frames: u64,
    seen: u64,
}

impl<'a> CheckedSink<'a> {
    pub(super) fn new(inner: Box<dyn FrameSink + 'a>, size: [u32; 2], frames: u64) -> Self {
        Self { inner, size, frames, seen: 0 }
    }

    /// Counts a frame and checks its width and height.
    fn count_frame(&mut self, w: u32, h: u32) -> Result<(), FilmError> {
        let [width, height] = self.size;
        if (w, h) != (width, height) {
            return Err(FilmError::Frames(format!(
                "frame {} of the film is {w}x{h}, but the film is {width}x{height}",
                self.seen
            )));
        }
        if self.seen == self.frames {
            return Err(FilmError::Frames(format!(
                "the film already has its {}",
                counted(self.frames, "frame")
            )));
        }
        self.seen += 1;
        Ok(())
    }
}

impl FrameSink for CheckedSink<'_> {
    fn add_frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        self.count_frame(image.width(), image.height())?;
        self.inner.add_frame(image)
    }

    fn keeps_alpha(&self) -> bool {
        self.inner.keeps_alpha()
    }

    fn add_translucent_frame(&mut self, image: &RgbaImage) -> Result<(), FilmError> {
        self.count_frame(image.width(), image.height())?;
        self.inner.add_translucent_frame(image)
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        if self.seen != self.frames {
            return Err(FilmError::Frames(format!(
                "the film received only {} of its {}",
                self.seen,
                counted(self.frames, "frame")
            )));
        }
        let report = self.inner.finish()?;
        Ok(FilmReport { frames: self.seen, ..report })
    }
}

/// Memory layout of frames of one size, row by row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameLayout {
    pub(crate) size: [u32; 2],
    /// Bytes per pixel.
    pub(crate) channels: usize,
}

impl FrameLayout {
    /// Layout of the frames of a film, opaque or with alpha.
    pub(crate) fn of(shape: FilmShape) -> Self {
        Self { size: shape.size, channels: if shape.has_alpha { 4 } else { 3 } }
    }

    /// Whether pixels may be transparent.
    pub(crate) fn has_alpha(self) -> bool {
        self.channels == 4
    }
}
