//! Writes a comparison as JSON, for programs.

use super::{ComparisonEntry, Counts, PairOutcome, PictureDifference, Tolerance};
use serde::Serialize;

#[derive(Serialize)]
struct ComparisonDocument<'a> {
    program: String,
    passes: bool,
    tolerance: ToleranceFields,
    counts: CountFields,
    pictures: Vec<PictureEntry<'a>>,
}

#[derive(Serialize)]
struct ToleranceFields {
    max_channel: u8,
    max_pixels: f64,
    min_ssim: Option<f64>,
}

#[derive(Serialize)]
struct CountFields {
    pictures: usize,
    equal: usize,
    different: usize,
    missing: usize,
    extra: usize,
    undecodable: usize,
}

#[derive(Serialize)]
struct PictureEntry<'a> {
    name: String,
    passes: bool,
    verdict: &'static str,
    #[serde(flatten)]
    found: OutcomeFields<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum OutcomeFields<'a> {
    Compared(Compared),
    Sizes { expected_size: [u32; 2], actual_size: [u32; 2] },
    Undecodable { expected_error: Option<&'a str>, actual_error: Option<&'a str> },
    Alone {},
}

#[derive(Serialize)]
struct Compared {
    size: [u32; 2],
    greatest_difference: f64,
    differing_pixels: u64,
    pixels_beyond: u64,
    share_beyond: f64,
    ssim: f64,
    /// x, y, width and height in pixels.
    bounds: Option<[u32; 4]>,
}

/// Formats all entries with their numbers as JSON, in a fixed field order. docs/golden-tests.md
/// describes the fields.
///
/// # Errors
/// Returns an error if serde_json fails, which is impossible for these values.
pub fn json(entries: &[ComparisonEntry], tolerance: &Tolerance) -> serde_json::Result<String> {
    let counts = Counts::of(entries);
    let document = ComparisonDocument {
        program: format!("catena {}", env!("CARGO_PKG_VERSION")),
        passes: entries.iter().all(|entry| entry.passes),
        tolerance: ToleranceFields {
            max_channel: tolerance.max_channel,
            max_pixels: tolerance.max_pixels,
            min_ssim: tolerance.min_ssim,
        },
        counts: CountFields {
            pictures: counts.pictures,
            equal: counts.passed,
            different: counts.different,
            missing: counts.missing,
            extra: counts.extra,
            undecodable: counts.undecodable,
        },
        pictures: entries.iter().map(picture).collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn picture(entry: &ComparisonEntry) -> PictureEntry<'_> {
    let (verdict, found) = match &entry.outcome {
        PairOutcome::Compared(numbers) => {
            let verdict = match (numbers.differing, entry.passes) {
                (0, _) => "equal",
                (_, true) => "tolerated",
                (_, false) => "different",
            };
            (verdict, OutcomeFields::Compared(compared(numbers)))
        }
        PairOutcome::Sizes([expected_size, actual_size]) => (
            "size",
            OutcomeFields::Sizes { expected_size: *expected_size, actual_size: *actual_size },
        ),
        PairOutcome::Missing => ("missing", OutcomeFields::Alone {}),
        PairOutcome::Extra => ("extra", OutcomeFields::Alone {}),
        PairOutcome::Undecodable([expected, actual]) => {
            let (expected_error, actual_error) = (expected.as_deref(), actual.as_deref());
            ("undecodable", OutcomeFields::Undecodable { expected_error, actual_error })
        }
    };
    PictureEntry { name: entry.shown_name(), passes: entry.passes, verdict, found }
}

fn compared(numbers: &PictureDifference) -> Compared {
    Compared {
        size: numbers.size,
        greatest_difference: numbers.greatest,
        differing_pixels: numbers.differing,
        pixels_beyond: numbers.beyond,
        share_beyond: numbers.share(),
        ssim: numbers.ssim,
        bounds: numbers.bounds.map(|bounds| {
            let ([x, y], [width, height]) = (bounds.corner, bounds.size);
            [x, y, width, height]
        }),
    }
}
