//! Pictures against pictures: are they equal, how far apart are they, and where.
//!
//! Two folders become a list of pairs ([`pairs`]); each pair is read ([`Raster`]), measured ([`measure`]) and judged by
//! a [`Tolerance`]. What fails can be drawn as a sheet ([`sheet`]) and listed on a page ([`page`]).

mod bounds;
mod error;
mod folders;
mod json;
mod numbers;
pub mod page;
mod pair;
mod place;
mod raster;
pub mod sheet;
mod ssim;
mod tolerance;
mod words;

pub use bounds::Bounds;
pub use error::CompareError;
pub use folders::{Listed, pairs};
pub use json::json;
pub use numbers::{Numbers, measure};
pub use pair::{Both, Counts, Entry, Outcome, Read, compare};
pub use place::Place;
pub use raster::Raster;
pub use tolerance::Tolerance;
pub use words::{finding, summary, tolerance_in_words};
