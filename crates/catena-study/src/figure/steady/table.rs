//! Table of lengths beside a shape.

use super::columns::SteadyColumn;
use catena_base::text::number::{signed_percent, six_digits};

/// Maximum number of segments in a table. A longer one shows the first and the last segments.
const MOST_LINES: usize = 40;

/// Heading of a table.
pub(super) fn heading(column: &SteadyColumn<'_>) -> String {
    if column.is_sheet() {
        return format!("{:>14} {:>10}", "of all threads", "strain");
    }
    format!("{:>3} {:>10} {:>10}", "#", "length", "strain")
}

/// Lines of a table: number, length and strain of each segment. A sheet has too many segments, so
/// its table gives the maximum, the mean and the minimum strain.
pub(super) fn table(column: &SteadyColumn<'_>) -> Vec<String> {
    if column.is_sheet() {
        return sheet(column);
    }
    let count = column.lengths.len();
    let line = |j: usize| {
        if column.springs.is_broken(j) {
            return format!("{:>3} {:>10} {:>10}", j + 1, "broken", "");
        }
        let rest = column.model.springs[j].rest_length;
        let strain = 100.0 * (column.lengths[j] - rest) / rest;
        format!("{:>3} {:>10} {:>9}%", j + 1, six_digits(column.lengths[j]), signed_percent(strain))
    };
    if count <= MOST_LINES {
        return (0..count).map(line).collect();
    }
    let half = MOST_LINES / 2;
    let skipped = std::iter::once(format!("    … {} more …", count - 2 * half));
    (0..half).map(line).chain(skipped).chain((count - half..count).map(line)).collect()
}

fn sheet(column: &SteadyColumn<'_>) -> Vec<String> {
    let whole = || (0..column.lengths.len()).filter(|&j| !column.springs.is_broken(j));
    let strain = |j: usize| {
        let rest = column.model.springs[j].rest_length;
        100.0 * (column.lengths[j] - rest) / rest
    };
    let count = whole().count();
    let mut lines = Vec::new();
    if count > 0 {
        let mean = whole().map(strain).sum::<f64>() / count as f64;
        let greatest = whole().map(strain).fold(f64::NEG_INFINITY, f64::max);
        let least = whole().map(strain).fold(f64::INFINITY, f64::min);
        let line = |(name, value)| format!("{name:>14} {:>9}%", signed_percent(value));
        lines.extend([("greatest", greatest), ("mean", mean), ("least", least)].map(line));
    }
    let broken = column.lengths.len() - count;
    lines.extend((broken > 0).then(|| format!("{:>14} {broken:>10}", "broken")));
    lines
}

/// Splits a text at a space, so that the first line is as long as fits.
pub(super) fn two_lines(text: &str, fits: impl Fn(&str) -> bool) -> [String; 2] {
    if fits(text) {
        return [text.into(), String::new()];
    }
    let split =
        text.match_indices(' ').map(|(at, _)| at).take_while(|&at| fits(&text[..at])).last();
    let (first, second) = split.map_or((text, ""), |at| (&text[..at], &text[at + 1..]));
    [first.into(), second.into()]
}
