//! Compares pictures with expected ones: whether, how much, and where they differ.
//!
//! Two folders yield a list of pairs ([`pairs`]). Each pair is read ([`Raster`]), measured
//! ([`measure`]) and judged by a [`Tolerance`]. Failures can be drawn as sheets ([`sheet`]) and
//! listed on a page ([`page`]).

mod bounds;
mod difference;
mod error;
mod failures;
mod folders;
mod json;
pub mod page;
mod pair;
mod raster;
pub mod sheet;
mod ssim;
mod tolerance;
mod words;

pub use bounds::Bounds;
pub use difference::{PictureDifference, measure};
pub use error::CompareError;
pub use failures::FailureFolder;
pub use folders::{PicturePaths, pairs};
pub use json::json;
pub use pair::{ComparedPair, ComparisonEntry, Counts, PairOutcome, RasterPair, compare};
pub use raster::Raster;
pub use tolerance::Tolerance;
pub use words::{finding, summary, tolerance_in_words};
