//! Errors of a comparison as a whole.

use crate::OutputError;

/// Reason why two folders or files cannot be compared at all.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The two paths do not fit together, or conflict with the failure folder.
    #[error("{0}")]
    Usage(String),
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    Output(#[from] OutputError),
}
