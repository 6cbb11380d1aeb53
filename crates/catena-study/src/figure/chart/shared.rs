//! Labels and notes that the plots of a compact figure share.

use super::grid::{GridRow, PlotGrid};
use super::path::Point;
use super::plot::{Chart, Plot};
use super::typeface::Typeface;
use crate::figure::chart::axis::Axis;
use crate::figure::chart::cell::PlotCell;
use crate::figure::chart::text_sizes::SMALL;
use catena_base::text::list::listed;
use catena_draw::text::Align;

/// Distance between lines of a label, in pixels.
const STEP: f64 = 1.3 * SMALL;

/// Labels of groups of plots.
pub(super) struct SharedLabels {
    /// Labels of each group, from top to bottom. Empty in a figure that is not compact.
    pub groups: Vec<GroupLabels>,
}

/// Lines of the labels of a group.
pub(super) struct GroupLabels {
    /// Label of the horizontal axes, below the last row.
    x: Vec<String>,
    /// Label of the vertical axes, above the first row.
    y: Vec<String>,
}

/// Line of a label, positioned by the left end or the middle of its baseline.
pub(super) struct PlacedLabel {
    pub text: String,
    pub at: Point,
    pub align: Align,
}

impl SharedLabels {
    pub fn new(chart: &Chart, grid: &PlotGrid, typeface: &Typeface) -> Self {
        if !chart.is_compact {
            return Self { groups: Vec::new() };
        }
        let room = chart.room().unwrap_or(f64::INFINITY);
        let label = |axis: &Axis| match axis.is_hidden {
            true => Vec::new(),
            false => typeface.wrap(&axis.label, SMALL, 0.9 * room),
        };
        let all: Vec<_> = grid.groups().collect();
        let first = |rows: &&[GridRow]| chart.plots.get(rows.first()?.first);
        let plots: Vec<&Plot> = all.iter().filter_map(first).collect();
        // A label of adjacent groups is written above the first of them, or below the last.
        let group = |(index, plot): (usize, &&Plot)| {
            let has = |other: Option<&&Plot>, pick: fn(&Plot) -> &Axis| {
                other.is_some_and(|other| pick(other).label == pick(plot).label)
            };
            let before = index.checked_sub(1).and_then(|index| plots.get(index));
            let is_known = [
                has(plots.get(index + 1), |plot| &plot.x),
                has(before, |plot| &plot.y) && !plot.is_main,
            ];
            let of = |axis: &Axis, is_known: bool| if is_known { Vec::new() } else { label(axis) };
            GroupLabels { x: of(&plot.x, is_known[0]), y: of(&plot.y, is_known[1]) }
        };
        Self { groups: plots.iter().enumerate().map(group).collect() }
    }
}

impl GroupLabels {
    /// Places the label of the vertical axes above the first row, from a corner. Returns its
    /// height.
    pub fn place_above(&self, [left, top]: Point, labels: &mut Vec<PlacedLabel>) -> f64 {
        for (index, text) in self.y.iter().enumerate() {
            let at = [left, top + SMALL + index as f64 * STEP];
            labels.push(PlacedLabel { text: text.clone(), at, align: Align::Left });
        }
        if self.y.is_empty() { 0.0 } else { self.y.len() as f64 * STEP + 3.0 }
    }

    /// Places the label of the horizontal axes below the last row, which ends at `below`. Returns
    /// the height that the label takes there.
    pub fn place_below(
        self,
        [left, right]: [f64; 2],
        below: f64,
        labels: &mut Vec<PlacedLabel>,
    ) -> f64 {
        let height = self.x.len() as f64 * STEP;
        for (index, text) in self.x.into_iter().enumerate() {
            let at = [(left + right) / 2.0, below + 0.6 * SMALL + index as f64 * STEP];
            labels.push(PlacedLabel { text, at, align: Align::Center });
        }
        height
    }
}

/// Notes of all plots without duplicates, each with the titles of its plots, wrapped to a width.
pub(super) fn notes(cells: &[PlotCell<'_>], width: f64, typeface: &Typeface) -> Vec<String> {
    let mut known: Vec<(&str, Vec<String>)> = Vec::new();
    for cell in cells {
        let is_titled = !cell.title.is_empty();
        let title = cell.panel.plot.title.clone().filter(|_| is_titled).unwrap_or_default();
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
