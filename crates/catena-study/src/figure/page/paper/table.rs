//! Lays out a table: computes the widths of columns and wraps long cells.

use crate::figure::page::paper::text_size::TextSize;
use crate::figure::{chart::Typeface, study::NumberTable};
use catena_base::text::number::counted;

/// Gap between columns in CSS pixels.
const GAP: f64 = 12.0;

/// Minimum width of a column in CSS pixels.
const MIN: f64 = 34.0;

/// Lines of a table.
pub(super) struct TableLayout {
    pub lines: Vec<TableLine>,
    /// Height of the table in CSS pixels.
    pub height: f64,
}

/// Line of text of a row.
pub(super) struct TableLine {
    /// Baseline, from the top of the table.
    pub y: f64,
    /// Left end and text of each cell.
    pub cells: Vec<(f64, String)>,
    pub is_head: bool,
    /// Whether this is the last line of the head.
    pub is_head_end: bool,
}

/// Lays out a table with at most `maximum` rows in a width.
pub(super) fn lay_out(
    table: &NumberTable,
    maximum: usize,
    width: f64,
    typeface: &Typeface,
) -> TableLayout {
    let size = TextSize::Small.pixels();
    let shown = &table.rows[..table.rows.len().min(maximum)];
    let rows: Vec<&Vec<String>> = [&table.head].into_iter().chain(shown).collect();
    let widths = widths(&rows, width, typeface);
    let (mut lines, mut y) = (Vec::new(), 0.0);
    for (index, row) in rows.iter().enumerate() {
        let wrapped: Vec<Vec<String>> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| typeface.wrap(cell, size, *width))
            .collect();
        let count = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..count {
            let mut x = 0.0;
            let mut cells = Vec::new();
            for (cell, width) in wrapped.iter().zip(&widths) {
                cells.extend(cell.get(line).map(|text| (x, text.clone())));
                x += width + GAP;
            }
            y += 1.25 * size;
            let is_head = index == 0;
            lines.push(TableLine { y, cells, is_head, is_head_end: is_head && line + 1 == count });
        }
        y += if index == 0 { 4.0 } else { 1.0 };
    }
    let more = table.rows.len().saturating_sub(maximum);
    if more > 0 {
        y += 1.25 * size;
        let text = format!("and {} on the page of the report", counted(more as u64, "more row"));
        lines.push(TableLine { y, cells: vec![(0.0, text)], is_head: true, is_head_end: false });
    }
    TableLayout { lines, height: y + 4.0 }
}

/// Width of a table whose cells are one line each.
pub(super) fn natural_width(table: &NumberTable, maximum: usize, typeface: &Typeface) -> f64 {
    let shown = table.rows.iter().take(maximum);
    let rows: Vec<&Vec<String>> = [&table.head].into_iter().chain(shown).collect();
    let widths = widths(&rows, f64::INFINITY, typeface);
    widths.iter().sum::<f64>() + GAP * widths.len().saturating_sub(1) as f64
}

/// Widths of the columns. If their sum is too wide, the widest columns become narrower.
fn widths(rows: &[&Vec<String>], width: f64, typeface: &Typeface) -> Vec<f64> {
    let size = TextSize::Small.pixels();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let natural = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| typeface.width(cell, size)).fold(MIN, f64::max).ceil() + 1.0
    };
    let mut widths: Vec<f64> = (0..columns).map(natural).collect();
    let room = width - GAP * columns.saturating_sub(1) as f64;
    while widths.iter().sum::<f64>() > room {
        let widest = widths.iter().copied().fold(0.0, f64::max);
        if widest <= MIN {
            break;
        }
        widths.iter_mut().filter(|width| **width >= widest - 0.5).for_each(|width| *width -= 4.0);
    }
    widths
}
