//! Compares pictures with expected ones: whether, how much, and where they differ.
//!
//! Two folders yield a list of pairs ([`pairs`]). Each pair is read ([`Raster`]), measured
//! ([`measure`]) and judged by a [`Tolerance`]. Failures can be drawn as sheets ([`sheet`]) and
//! listed on a page ([`page`]).

use super::OutputError;

mod difference;
mod failures;
mod folders;
mod json;
mod mask;
pub mod page;
mod pair;
mod raster;
pub mod sheet;
mod ssim;
mod words;

pub use difference::Tolerance;
pub use difference::{PictureDifference, measure};
pub use failures::FailureFolder;
pub use folders::{PicturePaths, pairs};
pub use json::json;
pub use mask::Mask;
pub use pair::{ComparedPair, ComparisonEntry, Counts, PairOutcome, RasterPair, compare};
pub use raster::Bounds;
pub use raster::Raster;
pub use words::{finding, summary, tolerance_in_words};

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
