//! Lines and widths of labels and legends.

use crate::font::Font;
use crate::notes::MAX_LINES;
use crate::rect::Rect;
use crate::sizes::Sizes;

/// Length of the stroke before a label, relative to the text size.
pub(crate) const STROKE: f64 = 1.2;

/// Length of the stroke and the gap after it, relative to the text size.
const WITH_STROKE: f64 = STROKE + 0.5;

/// Gap between two labels, relative to the text size.
const LABEL_GAP: f64 = 1.5;

/// Total margin at both ends of a line, relative to the text size.
const LABEL_ENDS: f64 = 1.1;

/// Maximum number of lines of a title, label, or note below a title.
pub(crate) const MAX_WRAPPED: usize = 2;

/// Number of lines of this text size that fit into a strip.
fn lines_in(area: Rect, size: f64) -> usize {
    (1..=MAX_WRAPPED).rev().find(|lines| Sizes::strip_of(size, *lines) <= area.h).unwrap_or(1)
}

/// Lines of the label of a row.
pub(crate) fn row_lines(font: &Font, sizes: Sizes, area: Rect, name: &str) -> Vec<String> {
    let maximum = (area.h / Sizes::line(sizes.label)).clamp(1, MAX_LINES as i32) as usize;
    font.wrap(name, sizes.label, area.w - sizes.gap / 2, maximum)
}

/// Lines of the label of a column.
pub(crate) fn column_lines(font: &Font, size: f64, area: Rect, name: &str) -> Vec<String> {
    font.wrap(name, size, area.w, lines_in(area, size))
}

/// Lines of a single label, with or without a stroke before it.
pub(crate) fn label_lines(
    font: &Font,
    size: f64,
    area: Rect,
    text: &str,
    has_ink: bool,
) -> Vec<String> {
    font.wrap(text, size, label_room(area.w, size, 1, has_ink), lines_in(area, size))
}

/// Labels side by side in one or two lines, cut where necessary.
pub(crate) fn legend_rows(font: &Font, size: f64, area: Rect, labels: &[&str]) -> Vec<Vec<String>> {
    let row = |row: &[&str]| {
        let is_whole = labels_fit_side_by_side(font, size, area.w, row);
        let room = if is_whole { area.w } else { label_room(area.w, size, row.len(), true) };
        row.iter().map(|text| font.fit(text, size, room)).collect()
    };
    labels.chunks(labels.len().div_ceil(lines_in(area, size))).map(row).collect()
}

/// Width for each of `count` labels side by side.
pub(crate) fn label_room(width: i32, size: f64, count: usize, has_ink: bool) -> i32 {
    let before = if has_ink { WITH_STROKE } else { 0.0 };
    width / count.max(1) as i32 - (size * (before + LABEL_ENDS)) as i32
}

/// Distance from the left end of a label's stroke to the label.
pub(crate) fn label_indent(size: f64) -> i32 {
    (size * WITH_STROKE) as i32
}

/// Distance from the end of a label to the next one.
pub(crate) fn label_gap(size: f64) -> i32 {
    (size * LABEL_GAP) as i32
}

/// Whether labels with strokes fit side by side without cuts.
fn labels_fit_side_by_side(font: &Font, size: f64, width: i32, labels: &[&str]) -> bool {
    let each = |label: &&str| label_indent(size) + font.width(label, size);
    let all: i32 = labels.iter().map(each).sum();
    all + (labels.len() as i32 - 1) * label_gap(size) <= width - (size * LABEL_ENDS) as i32
}

/// Number of lines of a legend: two if a single line would cut a label.
pub(crate) fn legend_lines(font: &Font, size: f64, width: i32, labels: &[&str]) -> usize {
    if labels.len() < 2 || labels_fit_side_by_side(font, size, width, labels) { 1 } else { 2 }
}
