//! Lines of labels, each behind a stroke in its colour: how much room each has, and how many lines
//! a legend takes.

use super::font::Font;

/// Length of the stroke in front of a label, in heights of its letters, and with the gap behind.
pub(super) const STROKE: f64 = 1.2;
const WITH_STROKE: f64 = STROKE + 0.5;
/// The gap between two labels.
const GAP: f64 = 1.5;
/// What stays free at both ends of a line together.
const ENDS: f64 = 1.1;

/// The width that each of `count` labels beside each other has.
pub(super) fn room(width: i32, size: f64, count: usize, has_ink: bool) -> i32 {
    let before = if has_ink { WITH_STROKE } else { 0.0 };
    width / count.max(1) as i32 - (size * (before + ENDS)) as i32
}

/// From the left end of a label's stroke to the label.
pub(super) fn indent(size: f64) -> i32 {
    (size * WITH_STROKE) as i32
}

/// From the end of a label to the next one.
pub(super) fn gap(size: f64) -> i32 {
    (size * GAP) as i32
}

/// Whether labels with strokes stand beside each other in full.
pub(super) fn fit(font: &Font, size: f64, width: i32, labels: &[&str]) -> bool {
    let each = |label: &&str| indent(size) + font.width(label, size);
    let all: i32 = labels.iter().map(each).sum();
    all + (labels.len() as i32 - 1) * gap(size) <= width - (size * ENDS) as i32
}

/// How many lines a legend takes: two where one would cut a label.
pub(super) fn lines(font: &Font, size: f64, width: i32, labels: &[&str]) -> usize {
    if labels.len() < 2 || fit(font, size, width, labels) { 1 } else { 2 }
}
