//! Meaning of columns without names, from the numbers in them.

use super::table::Table;
use crate::recorded::role::{LIST, Role};
use crate::shape::data_file::DataError;

/// Known facts about the body that a file describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hint {
    /// Number of nodes.
    pub nodes: Option<usize>,
    /// Number of axes, 2 or 3.
    pub axes: Option<usize>,
}

/// Numbers of the first rows.
struct Sample(Vec<Vec<Option<f64>>>);

impl Sample {
    fn column(&self, index: usize) -> impl Iterator<Item = Option<f64>> {
        self.0.iter().map(move |row| row[index])
    }

    /// Whether all cells of a column are integers of at least 0.
    fn is_whole(&self, index: usize) -> bool {
        self.column(index)
            .all(|cell| cell.is_some_and(|value| value >= 0.0 && value.fract() == 0.0))
    }

    /// Whether all pairs of consecutive numbers in a column satisfy a condition.
    fn are_pairs(&self, index: usize, is_fine: impl Fn(f64, f64) -> bool) -> bool {
        let numbers: Option<Vec<f64>> = self.column(index).collect();
        numbers.is_some_and(|numbers| numbers.windows(2).all(|pair| is_fine(pair[0], pair[1])))
    }

    fn rises(&self, index: usize) -> bool {
        self.are_pairs(index, |a, b| a < b)
    }

    /// Whether the numbers of a column increase by a constant amount, up to rounding.
    fn rises_evenly(&self, index: usize) -> bool {
        let mut ends = self.column(index).flatten().take(2);
        let step = ends.next().zip(ends.next()).map_or(0.0, |(a, b)| b - a);
        self.are_pairs(index, |a, b| b > a && (b - a - step).abs() <= 0.02 * step)
    }

    /// Whether the numbers of a column increase from block to block and are equal within blocks.
    fn has_blocks(&self, index: usize) -> bool {
        self.are_pairs(index, |a, b| a <= b) && !self.rises(index)
    }

    /// Whether a column of integers increases within each block of the column `block`.
    fn counts_within(&self, index: usize, block: usize) -> bool {
        let rows = self.0.windows(2);
        let is_new = |pair: &[Vec<Option<f64>>]| pair[0][block] != pair[1][block];
        self.is_whole(index)
            && rows.into_iter().all(|pair| is_new(pair) || pair[0][index] < pair[1][index])
    }

    /// Returns the role of an increasing column: frame for consecutive integers, otherwise time.
    fn clock(&self, index: usize) -> Role {
        let by_one = self.are_pairs(index, |a, b| b - a == 1.0);
        if self.is_whole(index) && by_one { Role::Frame } else { Role::Time(1.0) }
    }
}

/// Returns the roles of columns without names.
///
/// # Errors
/// Returns an error when the numbers allow several meanings.
pub(super) fn guess(table: &Table<'_>, hint: Hint) -> Result<Vec<Role>, DataError> {
    let sample = Sample(table.sample()?);
    let width = table.width;
    let places = |count| (0..count).map(|axis| Role::Coordinate { axis, node: None });
    let after = |first: &[Role]| -> Vec<Role> {
        first.iter().copied().chain(places(width - first.len())).collect()
    };
    let is_point = |first: usize| matches!(width.checked_sub(first), Some(2 | 3));
    if sample.0.len() > 1 {
        if is_point(2) && sample.has_blocks(0) && sample.counts_within(1, 0) {
            let clock = if sample.is_whole(0) { Role::Frame } else { Role::Time(1.0) };
            return Ok(after(&[clock, Role::Node]));
        }
        if is_point(1) && sample.has_blocks(0) {
            let clock = if sample.is_whole(0) { Role::Frame } else { Role::Time(1.0) };
            return Ok(after(&[clock]));
        }
        if is_point(1) && sample.rises(0) && hint.nodes != Some(2) {
            return Ok(after(&[sample.clock(0)]));
        }
    }
    let is_block = |rows: usize| hint.nodes.is_none_or(|nodes| nodes == rows);
    let lists_nodes = || hint.nodes.is_some_and(|nodes| table.lists_nodes(nodes));
    if is_point(0) && (table.block().is_some_and(is_block) || lists_nodes()) {
        return Ok(after(&[]));
    }
    if let (true, Some(rows), Some(nodes)) = (is_point(0), table.block(), hint.nodes) {
        let what =
            format!("empty lines divide blocks of {rows} rows, but the body has {nodes} nodes");
        let wrong = DataError::at(String::new(), what);
        return Err(wrong
            .help("change the number of nodes in the scene, for example with --set rope.nodes=N"));
    }
    wide(&sample, width, hint).ok_or_else(|| {
        let what = format!("the {width} columns have no names, and their meaning is ambiguous");
        DataError::at(String::new(), what).help(LIST)
    })
}

/// Returns the roles of rows with many nodes, if exactly one division into columns fits.
fn wide(sample: &Sample, width: usize, hint: Hint) -> Option<Vec<Role>> {
    let mut fits = Vec::new();
    let has_clock = sample.0.len() > 1 && sample.rises(0);
    // A coordinate does not increase by a constant amount per row.
    let clocks: &[usize] = match (has_clock, sample.rises_evenly(0)) {
        (true, true) => &[1],
        (true, false) => &[1, 0],
        (false, _) => &[0],
    };
    for axes in hint.axes.map_or(vec![2, 3], |axes| if axes == 2 { vec![2, 3] } else { vec![3] }) {
        for &clock in clocks {
            let places = width - clock;
            let nodes = places / axes;
            let is_whole = places.is_multiple_of(axes) && nodes > 1;
            let is_count = hint.nodes.is_none_or(|count| count == nodes);
            if is_whole && is_count {
                fits.push((clock, axes, nodes));
            }
        }
    }
    let [(clock, axes, nodes)] = fits[..] else { return None };
    let nodes = u32::try_from(nodes).ok()?;
    let places = (0..nodes)
        .flat_map(|node| (0..axes).map(move |axis| Role::Coordinate { axis, node: Some(node) }));
    Some((0..clock).map(|_| sample.clock(0)).chain(places).collect())
}
