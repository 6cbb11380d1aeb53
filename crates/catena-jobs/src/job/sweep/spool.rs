//! Temporary storage of a shard's rows on disk until they are written in order. A million rows with
//! all measures take some gigabytes.

use catena_output::OutputError;
use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// Rows in the order of their arrival, in an unnamed temporary file.
pub(super) struct RowSpool {
    folder: PathBuf,
    file: BufWriter<File>,
    /// Variant of each row, and the offset of its line.
    rows: Vec<(u64, u64)>,
    end: u64,
}

impl RowSpool {
    /// An empty spool, on the disk of an existing folder.
    pub(super) fn new(folder: &Path) -> Result<Self, OutputError> {
        let file = tempfile::tempfile_in(folder)
            .map_err(|cause| OutputError::new("write a file in", folder, cause))?;
        let file = BufWriter::new(file);
        Ok(Self { folder: folder.into(), file, rows: Vec::new(), end: 0 })
    }

    fn error(&self, cause: io::Error) -> OutputError {
        OutputError::new("write a file in", &self.folder, cause)
    }

    /// Adds the line of a row of this variant.
    pub(super) fn add(&mut self, variant: u64, line: &str) -> Result<(), OutputError> {
        self.rows.push((variant, self.end));
        self.end += line.len() as u64 + 1;
        writeln!(self.file, "{line}").map_err(|cause| self.error(cause))
    }

    /// Number of rows.
    pub(super) fn count(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Passes all lines to `then` in the order of variants. Lines of one variant keep their order.
    pub(super) fn for_each(
        mut self,
        mut then: impl FnMut(&str) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let folder = self.folder.clone();
        let refuse = |cause| OutputError::new("read a file in", &folder, cause);
        self.file.flush().map_err(refuse)?;
        self.rows.sort_unstable();
        let mut lines = BufReader::new(self.file.get_mut());
        let (mut at, mut line) = (lines.seek(SeekFrom::Start(0)).map_err(refuse)?, String::new());
        for (_, start) in &self.rows {
            // A relative seek keeps the buffer if the next line is close.
            lines.seek_relative(*start as i64 - at as i64).map_err(refuse)?;
            line.clear();
            at = start + lines.read_line(&mut line).map_err(refuse)? as u64;
            then(line.strip_suffix('\n').unwrap_or(&line))?;
        }
        Ok(())
    }
}
