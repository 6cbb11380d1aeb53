//! Why two places cannot be compared.

use crate::output::OutputError;

/// Why two places cannot be compared at all.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// What was asked for makes no sense.
    #[error("{0}")]
    Usage(String),
    /// A file or folder failed.
    #[error(transparent)]
    Output(#[from] OutputError),
}
