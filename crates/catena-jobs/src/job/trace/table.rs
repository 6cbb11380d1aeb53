//! Interface of a kind of table, and output as csv and as NumPy arrays.

use catena_analysis::topology::Passage;
use catena_base::text::csv;
use catena_sim::{Setup, Simulation};
use std::io::{self, Write};

/// Content of a cell.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Whole(u64),
    Real(f64),
    /// A real number that does not exist: an empty cell in csv, NaN in NumPy's format.
    Missing,
    /// Text, which only csv tables contain.
    Text(String),
}

impl Cell {
    /// Returns the cell of a real number. NaN is a missing number.
    pub(super) fn defined(value: f64) -> Self {
        if value.is_nan() { Self::Missing } else { Self::Real(value) }
    }
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
    /// Columns after the common columns of all tables.
    fn columns(&self) -> Vec<Column>;

    /// Prepares a simulation at frame 0.
    fn prepare(&self, _simulation: &mut Simulation) {}

    /// Returns the moments that have rows.
    fn moments(&self) -> Moments {
        Moments::Frames
    }

    /// Number of rows of a body at a moment. `None` if it varies.
    fn rows(&self, setup: &Setup) -> Option<usize>;

    /// Writes the rows of a body at a moment. `passages` has the passages since the previous rows
    /// of the body.
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
    /// Each frame has rows.
    Frames,
    /// Each frame has rows, and every step is checked.
    WatchedFrames,
    /// Each step has rows, and every step is checked.
    WatchedSteps,
}

/// Receiver of the rows of a body.
pub(super) struct RowSink<'a> {
    /// Frame, time, panel and body.
    pub(super) place: [Cell; 4],
    pub(super) receive: &'a mut dyn FnMut(&[Cell]) -> io::Result<()>,
    pub(super) cells: &'a mut Vec<Cell>,
}

impl RowSink<'_> {
    /// Numbers of the panel and of the body.
    pub(super) fn numbers(&self) -> [u64; 2] {
        [2, 3].map(|index| match self.place[index] {
            Cell::Whole(number) => number,
            Cell::Real(_) | Cell::Missing | Cell::Text(_) => 0,
        })
    }

    /// Writes a row with the cells that `fill` adds, in the order of the columns.
    pub(super) fn row(&mut self, fill: impl FnOnce(&mut Vec<Cell>)) -> io::Result<()> {
        self.cells.clear();
        self.cells.extend(self.place.iter().cloned());
        fill(self.cells);
        (self.receive)(self.cells)
    }
}

/// Writes the names of the columns.
pub(super) fn csv_header(columns: &[Column], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    writeln!(out, "{}", names.join(","))
}

/// Writes a row. `{:?}` prints the fewest digits that read back as the same number.
pub(super) fn csv_row(cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
    for (index, cell) in cells.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        match cell {
            Cell::Whole(value) => write!(out, "{comma}{value}")?,
            Cell::Real(value) => write!(out, "{comma}{:?}", canonical(*value))?,
            Cell::Missing => write!(out, "{comma}")?,
            Cell::Text(text) => write!(out, "{comma}{}", csv::cell(text))?,
        }
    }
    writeln!(out)
}

/// Writes the header of an array of records, in version 1.0 of NumPy's format:
/// <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.
///
/// The header has magic bytes, a version, a length and a Python dictionary. Padding aligns the data
/// to a multiple of 64 bytes.
pub(super) fn npy_header(columns: &[Column], rows: u64, out: &mut dyn Write) -> io::Result<()> {
    let record: String = columns
        .iter()
        .map(|Column { name, kind }| match kind {
            ColumnKind::Whole => format!("('{name}', '<u8'), "),
            ColumnKind::Real => format!("('{name}', '<f8'), "),
            // `Trace::new` refuses text in this format.
            ColumnKind::Text => String::new(),
        })
        .collect();
    let record = record.trim_end();
    let mut text = format!("{{'descr': [{record}], 'fortran_order': False, 'shape': ({rows},), }}");
    const BEFORE: usize = 10;
    let padded = (BEFORE + text.len() + 1).next_multiple_of(64) - BEFORE;
    text.extend(std::iter::repeat_n(' ', padded - 1 - text.len()));
    text.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(padded as u16).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// Writes a record.
pub(super) fn npy_row(cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
    for cell in cells {
        match cell {
            Cell::Whole(value) => out.write_all(&value.to_le_bytes())?,
            Cell::Real(value) => out.write_all(&canonical(*value).to_le_bytes())?,
            Cell::Missing => out.write_all(&f64::NAN.to_le_bytes())?,
            Cell::Text(_) => {}
        }
    }
    Ok(())
}

/// Replaces every NaN by the same NaN, since the bits of NaN differ between processors.
fn canonical(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}
