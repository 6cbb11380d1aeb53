//! Reading of the rows of a complete sweep.

use super::{MergedSweep, merge::CSV};
use crate::job::RunError;
use catena_base::read;
use catena_output::OutputError;
use catena_study::sweep::table::{Value, read_cells};
use std::{io, path::Path};

/// Passes the rows of the table in a folder to `take` in order, with one value per column of
/// `merged.content`. Numbers have exactly the measured bits.
///
/// # Errors
/// The table cannot be read, or has other columns.
pub fn sweep_rows(
    merged: &MergedSweep,
    folder: &Path,
    take: &mut dyn FnMut(Vec<Value>),
) -> Result<(), RunError> {
    let path = folder.join(CSV);
    let refuse = |cause: io::Error| OutputError::new("read", &path, cause);
    let of_csv = |cause: csv::Error| refuse(io::Error::other(cause));
    let mut reader = csv::Reader::from_reader(read::open(&path, u64::MAX).map_err(refuse)?.0);
    for record in reader.records() {
        let cells = read_cells(&record.map_err(of_csv)?, &merged.content.columns);
        take(cells.ok_or_else(|| refuse(io::Error::other("a row has other columns")))?);
    }
    Ok(())
}
