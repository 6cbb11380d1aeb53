//! The error of a comparison as a whole.

use crate::OutputError;

/// Why two folders or files cannot be compared at all.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The two paths make no sense together, or beside the folder of failures.
    #[error("{0}")]
    Usage(String),
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
