//! Describes a comparison in words.

use super::{ComparisonEntry, Counts, PairOutcome, PictureDifference, Tolerance};
use catena_base::text::number::{counted, percent, without_zeros};

/// Result of one picture, such as "12 of 30000 pixels differ (0.04%), …".
pub fn finding(outcome: &PairOutcome, tolerance: &Tolerance) -> String {
    match outcome {
        PairOutcome::Compared(numbers) => difference(numbers, tolerance),
        PairOutcome::Sizes([[ew, eh], [aw, ah]]) => {
            format!("expected {ew}x{eh} pixels, found {aw}x{ah}")
        }
        PairOutcome::Missing => "missing".into(),
        PairOutcome::Extra => "extra: there is no expected picture with this name".into(),
        PairOutcome::Undecodable(errors) => {
            let sides = ["expected", "actual"].into_iter().zip(errors);
            let messages = sides.filter_map(|(side, error)| {
                error.as_ref().map(|error| format!("the {side} file cannot be read: {error}"))
            });
            messages.collect::<Vec<_>>().join("; ")
        }
    }
}

fn difference(numbers: &PictureDifference, tolerance: &Tolerance) -> String {
    let by_more = match tolerance.max_channel {
        0 => String::new(),
        levels => format!(" by more than {levels}"),
    };
    let greatest = (numbers.greatest * 1000.0).round() / 1000.0;
    let differ = if numbers.beyond == 1 { "differs" } else { "differ" };
    let mut text = format!(
        "{} of {} pixels {differ}{by_more} ({}), by at most {greatest} of 255",
        numbers.beyond,
        numbers.pixels(),
        percent(numbers.beyond, numbers.pixels())
    );
    if let Some(bounds) = numbers.bounds {
        let ([x, y], [width, height]) = (bounds.corner, bounds.size);
        text += &format!(", within {width}x{height} at ({x}, {y})");
    }
    text += &format!("; SSIM {}", ssim(numbers.ssim));
    match tolerance.min_ssim {
        Some(minimum) if numbers.ssim < minimum => text + &format!(" is less than {minimum}"),
        _ => text,
    }
}

/// Formats with six decimals, rounded down, so that a value below 1 never becomes 1.
fn ssim(value: f64) -> String {
    let cut = (value * 1e6).floor() / 1e6;
    without_zeros(&format!("{cut:.6}")).into()
}

/// Describes the tolerance, such as "exact: every pixel must be the same".
pub fn tolerance_in_words(tolerance: &Tolerance) -> String {
    if tolerance.is_exact() && tolerance.min_ssim.is_none() {
        return "exact: every pixel must be the same".into();
    }
    let mut parts = Vec::new();
    if tolerance.max_pixels < 1.0 {
        let beyond = match tolerance.max_channel {
            0 => "differ".into(),
            levels => format!("differ by more than {levels} of 255"),
        };
        parts.push(match tolerance.max_pixels {
            0.0 => format!("no pixel may {beyond}"),
            share => format!("at most {share} of the pixels may {beyond}"),
        });
    }
    parts.extend(tolerance.min_ssim.map(|minimum| format!("the SSIM must be at least {minimum}")));
    if parts.is_empty() { "any difference passes".into() } else { parts.join(", and ") }
}

/// Number of pictures by result, such as "36 of 38 pictures are equal; 1 differs, 1 is missing".
pub fn summary(entries: &[ComparisonEntry], tolerance: &Tolerance) -> String {
    let counts = Counts::of(entries);
    let within = entries.iter().any(
        |entry| matches!(&entry.outcome, PairOutcome::Compared(n) if entry.passes && n.differing > 0),
    );
    let within =
        if within && *tolerance != Tolerance::default() { " within the tolerance" } else { "" };
    let pictures = counted(counts.pictures as u64, "picture");
    let are = if counts.passed == 1 || counts.pictures == 1 { "is" } else { "are" };
    let mut text = format!("{} of {pictures} {are} equal{within}", counts.passed);
    let allowed =
        counts.passed + counts.different + counts.missing + counts.extra + counts.undecodable
            - counts.pictures;
    let extra = counts.extra - allowed;
    let others: Vec<String> = [
        (counts.different, "differs", "differ"),
        (counts.missing, "is missing", "are missing"),
        (extra, "is extra", "are extra"),
        (counts.undecodable, "cannot be read", "cannot be read"),
        (allowed, "is extra, which is allowed", "are extra, which is allowed"),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
    .collect();
    if !others.is_empty() {
        text += &format!("; {}", others.join(", "));
    }
    text
}
