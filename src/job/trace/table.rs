//! What a kind of trace is: columns, and the cells of a row.

use crate::sim::{Setup, Simulation};

/// What is in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    Whole(u64),
    Real(f64),
}

/// A column: its name, and whether its cells are whole numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) is_whole: bool,
}

impl Column {
    pub(super) const fn whole(name: &'static str) -> Self {
        Self { name, is_whole: true }
    }

    pub(super) const fn real(name: &'static str) -> Self {
        Self { name, is_whole: false }
    }
}

/// A kind of trace: its columns, and the rows of a body in a frame. Frame, time, panel and body
/// stand in front of them in every kind.
pub(super) trait Table {
    /// The columns behind those that all have.
    fn columns(&self) -> Vec<Column>;

    /// Prepares a simulation, at frame 0.
    fn prepare(&self, _simulation: &mut Simulation) {}

    /// How many rows a body has in a frame.
    fn rows(&self, setup: &Setup) -> usize;

    /// Appends the cells of a row, in the order of the columns.
    fn cells(&self, simulation: &Simulation, row: usize, cells: &mut Vec<Cell>);
}
