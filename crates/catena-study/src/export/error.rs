//! Errors of exports.

use std::io;

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
