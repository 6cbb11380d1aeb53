//! What a kind of trace is: columns, and the cells of a row.

use crate::sim::{Setup, Simulation};

/// What is in a cell.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Whole(u64),
    Real(f64),
    /// Only in tables that are written as csv.
    Text(String),
}

/// A column: its name, and what its cells hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: ColumnKind,
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Whole,
    Real,
    Text,
}

impl Column {
    pub(super) const fn whole(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Whole }
    }

    pub(super) const fn real(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Real }
    }

    pub(super) const fn text(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Text }
    }
}

/// A kind of trace: its columns, and the rows of a body in a frame. Frame, time, panel and body
/// stand in front of them in every kind.
pub(super) trait Table {
    /// The columns behind those that all have.
    fn columns(&self) -> Vec<Column>;

    /// Prepares a simulation, at frame 0.
    fn prepare(&self, _simulation: &mut Simulation) {}

    /// How many rows a body has in a frame at the most.
    fn rows(&self, setup: &Setup) -> usize;

    /// How many it has now. In tables that can be NumPy arrays, all of them.
    fn rows_now(&self, simulation: &Simulation) -> usize {
        self.rows(simulation.setup())
    }

    /// Appends the cells of a row, in the order of the columns.
    fn cells(&self, simulation: &Simulation, row: usize, cells: &mut Vec<Cell>);
}
