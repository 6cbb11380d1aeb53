//! Expected pictures beside actual ones.

use super::{RunError, threads};
use catena_output::OutputError;
use catena_output::compare::{
    CompareError, ComparisonEntry, FailureFolder, PairOutcome, PicturePaths, Tolerance, compare,
    pairs,
};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// How pictures are compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiffOptions {
    /// How far apart two pictures may be.
    pub tolerance: Tolerance,
    /// Whether pictures pass that are there and not expected.
    pub allows_extra: bool,
    /// The folder for the failures: a page, and a picture of each. It is made when there are any.
    pub failures: Option<PathBuf>,
    /// How many threads compare, from 1 to 1024; `None` takes the rayon pool of the caller. The
    /// results do not depend on it.
    pub threads: Option<u16>,
}

/// Two places that were compared.
#[derive(Debug)]
pub struct Comparison {
    /// The pairs of pictures, in the order of their names.
    pub entries: Vec<ComparisonEntry>,
    /// The page of failures, where there is one.
    pub page: Option<PathBuf>,
}

impl Comparison {
    /// Whether all pictures pass.
    pub fn passes(&self) -> bool {
        self.entries.iter().all(|entry| entry.passes)
    }
}

/// Why two places were not compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// The places do not fit together, or a file failed.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// An option is out of its range, or threads cannot be started.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<OutputError> for DiffError {
    fn from(error: OutputError) -> Self {
        Self::Compare(error.into())
    }
}

/// Compares the pictures of two folders, or two pictures.
///
/// # Errors
/// When there is no expected picture, a folder cannot be read, the failures cannot be written, or
/// an option is out of its range.
pub fn diff(
    expected: &Path,
    actual: &Path,
    options: &DiffOptions,
) -> Result<Comparison, DiffError> {
    check(&options.tolerance)?;
    let listed = pairs(expected, actual)?;
    let place = options.failures.as_deref().map(|out| FailureFolder::open(out, [expected, actual]));
    let place = place.transpose()?;
    let judge = |listed: &PicturePaths| judge(listed, options, place.as_ref());
    // At most one pair a thread is in memory.
    let compare = || listed.par_iter().with_max_len(1).map(judge).collect::<Result<_, _>>();
    let entries: Vec<ComparisonEntry> = threads::with(options.threads, compare)??;
    let page = match place {
        Some(place) => place.publish(&entries, &options.tolerance)?,
        None => None,
    };
    Ok(Comparison { entries, page })
}

/// Refuses a tolerance out of its range.
fn check(tolerance: &Tolerance) -> Result<(), RunError> {
    super::options::within("max_pixels", tolerance.max_pixels, 0.0..=1.0)?;
    super::options::within("min_ssim", tolerance.min_ssim.unwrap_or(1.0), -1.0..=1.0)
}

/// Compares a pair, and draws it if it fails and there is a place to draw.
fn judge(
    listed: &PicturePaths,
    options: &DiffOptions,
    place: Option<&FailureFolder>,
) -> Result<ComparisonEntry, OutputError> {
    let tolerance = &options.tolerance;
    let read = compare(listed, tolerance, options.allows_extra);
    let drawn = place.zip(read.pictures.as_ref());
    if let Some((place, pictures)) = drawn {
        let numbers = match &read.outcome {
            PairOutcome::Compared(numbers) => Some(numbers),
            _ => None,
        };
        place.write_sheet(&listed.name, pictures, numbers, tolerance.max_channel)?;
    }
    Ok(ComparisonEntry {
        name: listed.name.clone(),
        outcome: read.outcome,
        passes: read.passes,
        has_sheet: drawn.is_some(),
    })
}
