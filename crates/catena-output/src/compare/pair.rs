//! Reads, measures and judges one pair of pictures.

use super::{Mask, PictureDifference, PicturePaths, Raster, Tolerance, measure, raster};
use catena_base::read;
use std::path::{Path, PathBuf};

/// Result of comparing a pair.
#[derive(Clone, Debug, PartialEq)]
pub enum PairOutcome {
    /// Both pictures could be compared, with this difference.
    Compared(PictureDifference),
    /// Widths and heights of the expected and the actual picture, which differ.
    Sizes([[u32; 2]; 2]),
    /// The actual picture is missing.
    Missing,
    /// The expected picture is missing.
    Extra,
    /// Reasons why the expected file, the actual file or both cannot be read.
    Undecodable([Option<String>; 2]),
}

/// Name of a picture, and the result of its comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonEntry {
    /// Path relative to both folders.
    pub name: PathBuf,
    /// Result of the comparison.
    pub outcome: PairOutcome,
    /// Whether the pair passes.
    pub passes: bool,
    /// Whether a sheet shows the pair.
    pub has_sheet: bool,
}

impl ComparisonEntry {
    /// Name with slashes between folders. Bytes that are not UTF-8 become replacement characters.
    pub fn shown_name(&self) -> String {
        let parts = self.name.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }
}

/// Expected and actual picture, in this order.
pub type RasterPair = [Raster; 2];

/// Result of a pair, with its pictures.
pub struct ComparedPair {
    /// Result of the comparison.
    pub outcome: PairOutcome,
    /// Whether the pair passes.
    pub passes: bool,
    /// Both pictures, if they were decoded and do not pass.
    pub pictures: Option<RasterPair>,
}

/// Reads and compares a pair, except the pixels that a mask ignores. Files with equal bytes are not
/// decoded. An unreadable file is a result and does not end the comparison.
pub fn compare(
    listed: &PicturePaths,
    tolerance: &Tolerance,
    allows_extra: bool,
    mask: Option<&Mask>,
) -> ComparedPair {
    let alone = |outcome, passes| ComparedPair { outcome, passes, pictures: None };
    let (expected, actual) = match (&listed.expected, &listed.actual) {
        (Some(expected), Some(actual)) => (bytes(expected), bytes(actual)),
        (None, _) => return alone(PairOutcome::Extra, allows_extra),
        (_, None) => return alone(PairOutcome::Missing, false),
    };
    if let (Ok(expected), Ok(actual)) = (&expected, &actual)
        && expected == actual
        && let Some(size) = raster::sound_size(expected)
    {
        return alone(PairOutcome::Compared(PictureDifference::equal(size)), true);
    }
    let decode = |file: Result<Vec<u8>, String>| file.and_then(|file| Raster::decode(&file));
    match (decode(expected), decode(actual)) {
        (Ok(expected), Ok(actual)) => judge(masked([expected, actual], mask), tolerance),
        (expected, actual) => {
            alone(PairOutcome::Undecodable([expected, actual].map(Result::err)), false)
        }
    }
}

/// The pair, in which pixels ignored by a mask are made equal. A mask of another size is not
/// applied.
fn masked([expected, actual]: RasterPair, mask: Option<&Mask>) -> RasterPair {
    match mask.filter(|mask| expected.size == mask.size() && actual.size == mask.size()) {
        Some(mask) => [
            expected.with_ignored(&expected, |y| mask.row(y)),
            actual.with_ignored(&expected, |y| mask.row(y)),
        ],
        None => [expected, actual],
    }
}

fn judge(pictures: RasterPair, tolerance: &Tolerance) -> ComparedPair {
    let (outcome, passes) = match measure(&pictures[0], &pictures[1], tolerance.max_channel) {
        Ok(numbers) => (PairOutcome::Compared(numbers), tolerance.admits(&numbers)),
        Err(sizes) => (PairOutcome::Sizes(sizes), false),
    };
    ComparedPair { outcome, passes, pictures: (!passes).then_some(pictures) }
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    read::file(path, read::LARGE).map_err(|error| error.to_string())
}

/// Number of pictures by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of all pictures, without allowed extra pictures.
    pub pictures: usize,
    /// Number of pairs that are equal, or within the tolerance.
    pub passed: usize,
    /// Number of pairs beyond the tolerance, including pairs of different sizes.
    pub different: usize,
    /// Number of expected pictures without an actual picture.
    pub missing: usize,
    /// Number of actual pictures without an expected picture.
    pub extra: usize,
    /// Number of pairs with an unreadable file.
    pub undecodable: usize,
}

impl Counts {
    /// Counts entries by result.
    pub fn of(entries: &[ComparisonEntry]) -> Self {
        let mut counts = Self::default();
        for entry in entries {
            let count = match entry.outcome {
                PairOutcome::Compared(_) if entry.passes => &mut counts.passed,
                PairOutcome::Compared(_) | PairOutcome::Sizes(_) => &mut counts.different,
                PairOutcome::Missing => &mut counts.missing,
                PairOutcome::Extra => &mut counts.extra,
                PairOutcome::Undecodable(_) => &mut counts.undecodable,
            };
            *count += 1;
            let is_allowed = entry.passes && entry.outcome == PairOutcome::Extra;
            counts.pictures += usize::from(!is_allowed);
        }
        counts
    }
}
