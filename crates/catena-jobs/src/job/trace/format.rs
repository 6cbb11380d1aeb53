//! Output of tables as csv and as NumPy arrays.

use super::table::{Cell, Column, ColumnKind};
use catena_base::text::csv;
use std::io::{self, Write};

/// Writes the names of the columns.
pub(super) fn csv_header(columns: &[Column], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    writeln!(out, "{}", names.join(","))
}

/// Writes a row. `{:?}` prints the shortest digits that read back to the same bits.
pub(super) fn csv_row(cells: &[Cell], out: &mut dyn Write) -> io::Result<()> {
    for (index, cell) in cells.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        match cell {
            Cell::Whole(value) => write!(out, "{comma}{value}")?,
            Cell::Real(value) => write!(out, "{comma}{:?}", canonical(*value))?,
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
            Cell::Text(_) => {}
        }
    }
    Ok(())
}

/// Replaces every NaN by the same one, since their bits differ between processors.
fn canonical(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}
