//! Why an export was not written.

use std::io;

/// Why an export was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// It does not fit into the format; the message says what to do.
    #[error("{0}")]
    Unfit(String),
    /// It was to end early.
    #[error("interrupted")]
    Stopped,
    /// A file failed.
    #[error(transparent)]
    Write(#[from] io::Error),
}
