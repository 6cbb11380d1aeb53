//! What a kind of trace is: columns, and the cells of a row.

use catena_analysis::topology::Passage;
use catena_sim::{Setup, Simulation};
use std::io;

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

/// A kind of trace: its columns, and the rows of a body at a moment. Frame, time, panel and body
/// stand in front of them in every kind.
pub(super) trait Table {
    /// The columns behind those that all have.
    fn columns(&self) -> Vec<Column>;

    /// Prepares a simulation, at frame 0.
    fn prepare(&self, _simulation: &mut Simulation) {}

    /// When it has rows.
    fn moments(&self) -> Moments {
        Moments::Frames
    }

    /// How many rows a body has at a moment; `None` where that differs.
    fn rows(&self, setup: &Setup) -> Option<usize>;

    /// Hands out the rows of a body at a moment, with what passed through what since the last one.
    fn write(
        &self,
        simulation: &Simulation,
        passages: &[Passage],
        rows: &mut Rows<'_>,
    ) -> io::Result<()>;
}

/// When a table has rows, and whether passages are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moments {
    /// At each frame.
    Frames,
    /// At each frame; every step is watched.
    WatchedFrames,
    /// At each step, which is watched.
    WatchedSteps,
}

/// Where the rows of a body go.
pub(super) struct Rows<'a> {
    /// Frame, time, panel and body.
    pub(super) place: [Cell; 4],
    pub(super) take: &'a mut dyn FnMut(&[Cell]) -> io::Result<()>,
    pub(super) cells: &'a mut Vec<Cell>,
}

impl Rows<'_> {
    /// Hands out a row, in the order of the columns.
    pub(super) fn row(&mut self, fill: impl FnOnce(&mut Vec<Cell>)) -> io::Result<()> {
        self.cells.clear();
        self.cells.extend(self.place.iter().cloned());
        fill(self.cells);
        (self.take)(self.cells)
    }
}
