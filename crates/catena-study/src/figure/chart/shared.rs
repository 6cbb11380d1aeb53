//! Labels and notes that the plots of a compact figure share.

use super::{
    frame::{LINE, SMALL},
    grid::PlotGrid,
    layout::PlotCell,
    path::Point,
    plot::{Axis, Chart},
    typeface::Typeface,
};
use catena_base::text::list::listed;

/// Distance between lines of a label, in pixels.
const STEP: f64 = 1.3 * SMALL;

/// Labels of groups of plots.
pub(super) struct SharedLabels {
    /// Width of the vertical labels on the left.
    pub beside: f64,
    /// Labels of each group, from top to bottom. Empty in a figure that is not compact.
    pub groups: Vec<GroupLabels>,
}

/// Lines of the labels of a group.
pub(super) struct GroupLabels {
    /// Label of the horizontal axes, below the last row.
    x: Vec<String>,
    /// Label of the vertical axes, beside all rows.
    y: Vec<String>,
}

/// Line of a label with its middle, on the baseline.
pub(super) struct PlacedLabel {
    pub text: String,
    pub at: Point,
    /// Whether the line is rotated.
    pub is_upright: bool,
}

impl SharedLabels {
    pub fn new(chart: &Chart, grid: &PlotGrid, typeface: &Typeface) -> Self {
        if !chart.is_compact {
            return Self { beside: 0.0, groups: Vec::new() };
        }
        let [_, height] = chart.frame_size();
        let room = chart.room().unwrap_or(f64::INFINITY);
        let label = |axis: &Axis, length: f64| match axis.is_hidden {
            true => Vec::new(),
            false => typeface.wrap(&axis.label, SMALL, length),
        };
        let mut groups: Vec<GroupLabels> = Vec::new();
        let mut last: Option<&str> = None;
        // From bottom to top: a label is written below the last of the groups that share it.
        let all: Vec<_> = grid.groups().collect();
        for rows in all.into_iter().rev() {
            let Some(plot) = rows.first().and_then(|row| chart.plots.get(row.first)) else {
                continue;
            };
            let tall = if rows[0].is_wide { 1.5 * height } else { height };
            let length = rows.len() as f64 * (tall + 1.5 * LINE);
            let is_known = last == Some(&*plot.x.label);
            let x = if is_known { Vec::new() } else { label(&plot.x, 0.8 * room) };
            last = Some(&plot.x.label);
            groups.push(GroupLabels { x, y: label(&plot.y, length) });
        }
        groups.reverse();
        let lines = groups.iter().map(|group| group.y.len()).max().unwrap_or(0);
        Self { beside: if lines == 0 { 0.0 } else { lines as f64 * STEP + 4.0 }, groups }
    }
}

impl GroupLabels {
    /// Places the labels of a group, whose frames extend over a vertical and a horizontal range.
    /// `below` is the end of its last row. Returns the height that the labels take there.
    pub fn place(
        self,
        [top, bottom]: [f64; 2],
        [left, right]: [f64; 2],
        below: f64,
        labels: &mut Vec<PlacedLabel>,
    ) -> f64 {
        let count = self.y.len() as f64;
        for (index, text) in self.y.into_iter().enumerate() {
            let x = left - 6.0 - (count - 1.0 - index as f64) * STEP;
            labels.push(PlacedLabel { text, at: [x, (top + bottom) / 2.0], is_upright: true });
        }
        let height = self.x.len() as f64 * STEP;
        for (index, text) in self.x.into_iter().enumerate() {
            let y = below + 0.6 * SMALL + index as f64 * STEP;
            labels.push(PlacedLabel { text, at: [(left + right) / 2.0, y], is_upright: false });
        }
        height
    }
}

/// Notes of all plots, each once and with the titles of its plots, as lines of a width.
pub(super) fn notes(cells: &[PlotCell<'_>], width: f64, typeface: &Typeface) -> Vec<String> {
    let mut known: Vec<(&str, Vec<String>)> = Vec::new();
    for cell in cells {
        let title = cell.panel.plot.title.clone().unwrap_or_default();
        for note in &cell.notes {
            match known.iter_mut().find(|(other, _)| other == note) {
                Some((_, titles)) if titles.contains(&title) => {}
                Some((_, titles)) => titles.push(title.clone()),
                None => known.push((note, vec![title.clone()])),
            }
        }
    }
    let line = |(note, titles): (&str, Vec<String>)| {
        let titles: Vec<String> = titles.into_iter().filter(|title| !title.is_empty()).collect();
        match titles.len() {
            0 => note.to_owned(),
            count if count == cells.len() && count > 1 => note.to_owned(),
            _ => format!("{}: {note}", listed(&titles)),
        }
    };
    known.into_iter().flat_map(|it| typeface.wrap(&line(it), SMALL, width)).collect()
}
