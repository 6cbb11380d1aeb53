//! A GIF of a scene, frame by frame in memory.

use catena_output::film::{
    FilmBytes, FilmFormat, FilmOptions, FrameSink, OVER_WHITE, open_gif_in_memory, over_white,
};
use image::{RgbImage, RgbaImage};

/// Records frames as a GIF with the same bytes as the GIF of `catena film`.
pub struct GifRecorder {
    sink: Box<dyn FrameSink>,
    bytes: FilmBytes,
    has_alpha: bool,
}

impl GifRecorder {
    /// Starts a GIF with the given number of frames, which are `frame_time` apart.
    ///
    /// # Errors
    /// The size does not fit a GIF.
    pub fn start(size: [u32; 2], frames: u64, frame_time: f64) -> Result<Self, String> {
        let options = FilmOptions::default().at_frame_time(frame_time, FilmFormat::Gif);
        let bytes = FilmBytes::default();
        let sink = open_gif_in_memory(&bytes, &options, size, frames);
        Ok(Self { sink: sink.map_err(|error| error.to_string())?, bytes, has_alpha: false })
    }

    /// Adds an opaque frame.
    ///
    /// # Errors
    /// The frame differs in size from the first frame, or there are too many frames.
    pub fn add(&mut self, image: &RgbImage) -> Result<(), String> {
        self.sink.add_frame(image).map_err(|error| error.to_string())
    }

    /// Adds a translucent frame, over white.
    ///
    /// # Errors
    /// The errors of [`Self::add`].
    pub fn add_translucent(&mut self, image: &RgbaImage) -> Result<(), String> {
        self.has_alpha = true;
        self.add(&over_white(image))
    }

    /// Ends the GIF. Returns its bytes, and notes about the limits of the format.
    ///
    /// # Errors
    /// Frames are missing.
    pub fn finish(self) -> Result<(Vec<u8>, Vec<String>), String> {
        let report = self.sink.finish().map_err(|error| error.to_string())?;
        let mut notes = report.notes;
        notes.extend(self.has_alpha.then(|| OVER_WHITE.to_owned()));
        Ok((self.bytes.take(), notes))
    }
}
