//! Grid of plots: position of each plot, and groups of plots that share their labels.

use super::plot::{Chart, Plot};
use crate::figure::chart::axis::Axis;

/// Width of frames below which a main plot gets a separate row, in pixels.
const NARROW: f64 = 200.0;

/// Ratio of a wide frame's height to its width: in a normal figure, and in a compact figure.
const WIDE_ASPECT: [f64; 2] = [0.36, 0.17];

/// Plots row by row.
pub(super) struct PlotGrid {
    /// Number of plots side by side.
    pub columns: usize,
    /// Rows from top to bottom.
    pub rows: Vec<GridRow>,
}

/// Plots side by side.
pub(super) struct GridRow {
    /// Index of the first plot.
    pub first: usize,
    /// Number of plots.
    pub count: usize,
    /// Whether the row is one plot across all columns.
    pub is_wide: bool,
    /// Index of the group. In a compact figure all rows of a group share their labels.
    pub group: usize,
}

impl PlotGrid {
    pub fn new(chart: &Chart) -> Self {
        let columns = chart.columns.clamp(1, chart.plots.len().max(1));
        let mut grid = Self { columns, rows: Vec::new() };
        for (index, plot) in chart.plots.iter().enumerate() {
            let is_wide = is_wide(chart, plot);
            let starts_group = chart.is_compact
                && index.checked_sub(1).is_some_and(|last| !shares(&chart.plots[last], plot));
            match grid.rows.last_mut() {
                Some(row) if row.count < columns && !(row.is_wide || is_wide || starts_group) => {
                    row.count += 1;
                }
                last => {
                    let group = last.map_or(0, |row| row.group + usize::from(starts_group));
                    grid.rows.push(GridRow { first: index, count: 1, is_wide, group });
                }
            }
        }
        grid
    }

    /// Row and column of a plot.
    pub fn place(&self, index: usize) -> [usize; 2] {
        let row = self.rows.iter().rposition(|row| row.first <= index).unwrap_or(0);
        [row, index - self.rows.get(row).map_or(0, |row| row.first)]
    }

    /// Index of the plot below another one, in the same column.
    pub fn below(&self, index: usize) -> Option<usize> {
        let [row, column] = self.place(index);
        let [own, next] = [self.rows.get(row)?, self.rows.get(row + 1)?];
        (column < next.count && own.is_wide == next.is_wide).then_some(next.first + column)
    }

    /// Index of the plot left of another one, in the same row.
    pub fn left(&self, index: usize) -> Option<usize> {
        let [_, column] = self.place(index);
        (column > 0).then(|| index - 1)
    }

    /// Index of the group of a plot.
    pub fn group(&self, index: usize) -> usize {
        self.rows.get(self.place(index)[0]).map_or(0, |row| row.group)
    }

    /// Whether a plot is as wide as all columns.
    pub fn is_wide(&self, index: usize) -> bool {
        self.rows.get(self.place(index)[0]).is_some_and(|row| row.is_wide)
    }

    /// Whether the figure has a plot as wide as all columns.
    pub fn has_wide(&self) -> bool {
        self.rows.iter().any(|row| row.is_wide)
    }

    /// Rows of each group.
    pub fn groups(&self) -> impl Iterator<Item = &[GridRow]> {
        self.rows.chunk_by(|a, b| a.group == b.group)
    }

    /// Sizes of all frames. A frame across all columns is `wide` pixels wide.
    pub fn sizes(&self, chart: &Chart, wide: f64) -> Vec<[f64; 2]> {
        let [width, height] = chart.frame_size();
        let aspect = WIDE_ASPECT[usize::from(chart.is_compact)];
        let tall = (aspect * wide).max(height).min(320.0);
        let size = |index| if self.is_wide(index) { [wide, tall] } else { [width, height] };
        (0..chart.plots.len()).map(size).collect()
    }
}

/// Whether a plot gets a separate row.
fn is_wide(chart: &Chart, plot: &Plot) -> bool {
    let has_room = !chart.is_compact && chart.frame_size()[0] >= NARROW;
    plot.is_main && chart.columns > 1 && chart.plots.len() > 1 && !has_room
}

/// Whether two plots have the same quantities along their axes.
pub(super) fn shares(a: &Plot, b: &Plot) -> bool {
    let is_alike = |a: &Axis, b: &Axis| (&a.label, a.is_hidden) == (&b.label, b.is_hidden);
    a.is_main == b.is_main && is_alike(&a.x, &b.x) && is_alike(&a.y, &b.y)
}
