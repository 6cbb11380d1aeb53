//! Phrases that several findings share.

use super::BodyFacts;
use catena_base::text::{
    list::{listed, quoted},
    number::{digits, short},
};
use catena_sim::method::MethodInfo;

/// Maximum number of bodies that a sentence names.
pub(super) const MAX_NAMED: usize = 4;

/// Lists bodies with a remark each. If there are many, names the first ones and counts the others.
pub(super) fn bodies<'a>(all: impl IntoIterator<Item = (&'a BodyFacts, String)>) -> String {
    let all: Vec<String> = all
        .into_iter()
        .map(|(body, remark)| match remark.as_str() {
            "" => quoted(&body.label),
            remark => format!("{} ({remark})", quoted(&body.label)),
        })
        .collect();
    some(&all)
}

/// Number of parts to name out of `count`. The others are at least two, so that a count of them is
/// shorter than their names.
pub(super) fn named_count(count: usize) -> usize {
    if count <= MAX_NAMED + 1 { count } else { MAX_NAMED }
}

/// Lists the first parts, and counts the others.
pub(super) fn some(all: &[String]) -> String {
    let (named, others) = all.split_at(named_count(all.len()));
    let more = (!others.is_empty()).then(|| format!("{} more", others.len()));
    listed(&named.iter().cloned().chain(more).collect::<Vec<_>>())
}

/// Formats a number with three digits.
pub(super) fn three(value: f64) -> String {
    digits(value, 3)
}

/// Formats a ratio above 1 as a factor, and a smaller ratio in percent.
pub(super) fn ratio(value: f64) -> String {
    match value {
        value if value > 1.0 => format!("{} times", three(value)),
        value => format!("{} % of", three(100.0 * value)),
    }
}

/// Title of a method within a sentence. Its first word is lowercase, unless it is a name or an
/// abbreviation.
pub(super) fn method(info: &MethodInfo) -> String {
    const COMMON: [&str; 12] = [
        "Explicit",
        "Semi-implicit",
        "Implicit",
        "Force",
        "Constraint",
        "Position",
        "Velocity",
        "Leapfrog",
        "Midpoint",
        "Predictor",
        "Half",
        "Frozen",
    ];
    let title = info.title;
    let first = title.split([' ', ',']).next().unwrap_or_default();
    match COMMON.contains(&first) {
        true => title[..1].to_lowercase() + &title[1..],
        false => title.into(),
    }
}

/// Frame and its time: `frame 13 (t = 13)`.
pub(super) fn frame(body: &BodyFacts, frame: u64) -> String {
    format!("frame {frame} (t = {})", short(body.time(frame)))
}
