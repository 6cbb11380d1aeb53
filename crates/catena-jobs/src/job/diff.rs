//! Comparison of expected and actual pictures.

use super::{RunError, threads};
use catena_base::text::printable;
use catena_output::OutputError;
use catena_output::compare::{
    CompareError, ComparisonEntry, FailureFolder, Mask, PairOutcome, PicturePaths, Tolerance,
    compare, pairs,
};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Options of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DiffOptions {
    /// Maximum difference between two pictures.
    pub tolerance: Tolerance,
    /// Whether actual pictures without an expected counterpart pass.
    pub allows_extra: bool,
    /// Folder for a page and pictures of the failures. A comparison without failures does not
    /// create it.
    pub failures: Option<PathBuf>,
    /// Mask whose white pixels are ignored. It applies to pictures of its own size.
    pub ignore: Option<PathBuf>,
    /// Number of threads, 1 to 1024. `None` uses the caller's rayon pool. The result does not
    /// depend on it.
    pub threads: Option<u16>,
}

/// Result of comparing two folders or two pictures.
#[derive(Debug)]
pub struct Comparison {
    /// Pairs of pictures, sorted by name.
    pub entries: Vec<ComparisonEntry>,
    /// Path of the page with the failures, if there are any.
    pub page: Option<PathBuf>,
}

impl Comparison {
    /// Whether all pictures pass.
    pub fn passes(&self) -> bool {
        self.entries.iter().all(|entry| entry.passes)
    }
}

/// Error of a comparison.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// The two paths cannot be compared, or a file could not be read or written.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// An option is out of range, or threads cannot be started.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<OutputError> for DiffError {
    fn from(error: OutputError) -> Self {
        Self::Compare(error.into())
    }
}

/// Compares two pictures, or the pictures of two folders.
///
/// # Errors
/// There is no expected picture, a folder cannot be read, the failures cannot be written, or an
/// option is out of range.
pub fn diff(
    expected: &Path,
    actual: &Path,
    options: &DiffOptions,
) -> Result<Comparison, DiffError> {
    check(&options.tolerance)?;
    let listed = pairs(expected, actual)?;
    let place = options.failures.as_deref().map(|out| FailureFolder::open(out, [expected, actual]));
    let place = place.transpose()?;
    let mask = options.ignore.as_deref().map(read_mask).transpose()?;
    let judge = |listed: &PicturePaths| judge(listed, options, mask.as_ref(), place.as_ref());
    // One pair per task keeps at most one pair per thread in memory.
    let compare = || listed.par_iter().with_max_len(1).map(judge).collect::<Result<_, _>>();
    let entries: Vec<ComparisonEntry> = threads::with(options.threads, compare)??;
    if let Some(mask) = mask {
        check_use(&mask, &entries)?;
    }
    let page = match place {
        Some(place) => place.publish(&entries, &options.tolerance)?,
        None => None,
    };
    Ok(Comparison { entries, page })
}

/// Reads the mask of `--ignore`.
fn read_mask(path: &Path) -> Result<Mask, CompareError> {
    Mask::read(path).map_err(|reason| {
        CompareError::Usage(format!("--ignore {}: {reason}", printable::path(path)))
    })
}

/// Returns an error if a mask fits none of the compared pictures.
fn check_use(mask: &Mask, entries: &[ComparisonEntry]) -> Result<(), CompareError> {
    let size = |entry: &ComparisonEntry| match &entry.outcome {
        PairOutcome::Compared(numbers) => Some(numbers.size),
        _ => None,
    };
    let mut sizes = entries.iter().filter_map(size).peekable();
    let Some([width, height]) = sizes.peek().copied() else { return Ok(()) };
    if sizes.any(|size| size == mask.size()) {
        return Ok(());
    }
    let [own_width, own_height] = mask.size();
    Err(CompareError::Usage(format!(
        "--ignore {}: the mask has {own_width}x{own_height} pixels, but no picture has this size; \
         use a mask of {width}x{height}",
        printable::path(mask.path())
    )))
}

/// Returns an error if a tolerance is out of range.
fn check(tolerance: &Tolerance) -> Result<(), RunError> {
    super::options::within("max_pixels", tolerance.max_pixels, 0.0..=1.0)?;
    super::options::within("min_ssim", tolerance.min_ssim.unwrap_or(1.0), -1.0..=1.0)
}

/// Compares a pair, and draws the failure if there is a folder for it.
fn judge(
    listed: &PicturePaths,
    options: &DiffOptions,
    mask: Option<&Mask>,
    place: Option<&FailureFolder>,
) -> Result<ComparisonEntry, OutputError> {
    let tolerance = &options.tolerance;
    let read = compare(listed, tolerance, options.allows_extra, mask);
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
