//! Input of all writers of exports, and their errors.

use crate::export::contents::Contents;
use crate::export::recording::Recording;
use std::fs::File;
use std::io;
use std::io::Write;

/// Representation of ropes and nets in glTF, whose lines have no thickness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RopeForm {
    /// Tubes around the lines.
    #[default]
    Tube,
    /// Lines without thickness.
    Line,
}

/// Destination of an export's files.
pub trait Files {
    /// Writes the only file of a format, or the file called `name` in a folder. The file appears
    /// under its name only after `fill` has finished.
    ///
    /// # Errors
    /// Returns the errors of `fill`, and an error if the file cannot be written.
    fn write_file(&mut self, name: &str, fill: &mut Fill<'_>) -> Result<(), ExportError>;

    /// Creates an empty unnamed file for reading and writing.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    fn create_spare(&mut self) -> io::Result<File>;
}

/// Input of a format writer.
pub(crate) struct WriterInput<'a> {
    pub(crate) contents: &'a Contents,
    pub(crate) recording: &'a mut Recording,
    pub(crate) options: WriteOptions,
    pub(crate) stop: &'a dyn Fn() -> bool,
}

impl WriterInput<'_> {
    /// Checks that the export may continue, and returns an error after an interruption.
    pub(crate) fn check_interruption(&self) -> Result<(), ExportError> {
        if (self.stop)() { Err(ExportError::Stopped) } else { Ok(()) }
    }

    /// Seconds between frames.
    pub(crate) fn seconds(&self) -> f64 {
        self.options.rate.map_or(self.contents.frame_time, |rate| 1.0 / rate)
    }
}

/// Reason why an export was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The content does not fit the format; the message suggests a remedy.
    #[error("{0}")]
    Unfit(String),
    /// The export was interrupted.
    #[error("interrupted")]
    Stopped,
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Options for writing an export.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// Representation of ropes in glTF.
    pub ropes: RopeForm,
    /// Frames per second of glTF and USD; `None` uses the scene's frame time.
    pub rate: Option<f64>,
}

/// Function that writes the bytes of a file.
pub type Fill<'a> = dyn FnMut(&mut dyn Write) -> Result<(), ExportError> + 'a;
