//! Legend lines: labels, each after a stroke in its colour. Computes their room, and the number of
//! lines.

use super::text::Font;

/// Length of the stroke before a label, relative to the text size; and the same with the gap after
/// it.
pub(super) const STROKE: f64 = 1.2;
const WITH_STROKE: f64 = STROKE + 0.5;
/// Gap between two labels, relative to the text size.
const GAP: f64 = 1.5;
/// Total margin at both ends of a line, relative to the text size.
const ENDS: f64 = 1.1;

/// Width for each of `count` labels side by side.
pub(super) fn room(width: i32, size: f64, count: usize, has_ink: bool) -> i32 {
    let before = if has_ink { WITH_STROKE } else { 0.0 };
    width / count.max(1) as i32 - (size * (before + ENDS)) as i32
}

/// Distance from the left end of a label's stroke to the label.
pub(super) fn indent(size: f64) -> i32 {
    (size * WITH_STROKE) as i32
}

/// Distance from the end of a label to the next one.
pub(super) fn gap(size: f64) -> i32 {
    (size * GAP) as i32
}

/// Whether labels with strokes fit side by side without cuts.
pub(super) fn fit(font: &Font, size: f64, width: i32, labels: &[&str]) -> bool {
    let each = |label: &&str| indent(size) + font.width(label, size);
    let all: i32 = labels.iter().map(each).sum();
    all + (labels.len() as i32 - 1) * gap(size) <= width - (size * ENDS) as i32
}

/// Number of lines of a legend: two if a single line would cut a label.
pub(super) fn lines(font: &Font, size: f64, width: i32, labels: &[&str]) -> usize {
    if labels.len() < 2 || fit(font, size, width, labels) { 1 } else { 2 }
}
