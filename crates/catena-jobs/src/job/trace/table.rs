//! Interface of a kind of table: its columns, and the cells of a row.

use catena_analysis::topology::Passage;
use catena_sim::{Setup, Simulation};
use std::io;

/// Content of a cell.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Whole(u64),
    Real(f64),
    /// Only in tables that are written as csv.
    Text(String),
}

/// Name of a column, and the type of its cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: ColumnKind,
}

/// Type of the cells of a column.
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

/// A kind of table: its columns, and the rows of a body at a moment. Every kind starts with the
/// columns frame, time, panel and body.
pub(super) trait TableWriter {
    /// Columns after those that all tables have.
    fn columns(&self) -> Vec<Column>;

    /// Prepares a simulation at frame 0.
    fn prepare(&self, _simulation: &mut Simulation) {}

    /// Moments that have rows.
    fn moments(&self) -> Moments {
        Moments::Frames
    }

    /// Number of rows of a body at a moment. `None` if it varies.
    fn rows(&self, setup: &Setup) -> Option<usize>;

    /// Writes the rows of a body at a moment. `passages` are those since the previous rows.
    fn write(
        &self,
        simulation: &Simulation,
        passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()>;
}

/// Moments that have rows, and whether steps are checked for passages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moments {
    /// Each frame.
    Frames,
    /// Each frame; every step is checked.
    WatchedFrames,
    /// Each step, which is checked.
    WatchedSteps,
}

/// Receiver of the rows of a body.
pub(super) struct RowSink<'a> {
    /// Frame, time, panel and body.
    pub(super) place: [Cell; 4],
    pub(super) take: &'a mut dyn FnMut(&[Cell]) -> io::Result<()>,
    pub(super) cells: &'a mut Vec<Cell>,
}

impl RowSink<'_> {
    /// Writes a row with the cells that `fill` adds, in the order of the columns.
    pub(super) fn row(&mut self, fill: impl FnOnce(&mut Vec<Cell>)) -> io::Result<()> {
        self.cells.clear();
        self.cells.extend(self.place.iter().cloned());
        fill(self.cells);
        (self.take)(self.cells)
    }
}
