//! Files of a table. A folder with foreign files of the same names is an error.

use crate::job::sweep::SweepContent;
use crate::job::sweep::bunch::REFUSED;
use crate::shard::{IsOurs, ShardSource, refuse_other};
use catena_base::read;
use catena_output::OutputError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Names of the files of a complete sweep.
pub(crate) const CSV: &str = "table.csv";

pub(crate) const PARQUET: &str = "table.parquet";

pub(crate) const MANIFEST: &str = "sweep.json";

/// Files of a complete sweep except its page.
pub(crate) const FILES: [&str; 3] = [CSV, PARQUET, MANIFEST];

/// First bytes of every Parquet file.
const PARQUET_START: &[u8] = b"PAR1";

/// Returns whether the table with this name may start with these bytes.
pub(crate) fn begins_as_ours(name: &str, start: &[u8]) -> bool {
    if name == CSV { is_table(start) } else { start.starts_with(PARQUET_START) }
}

/// Whether a file starts like the table of a sweep.
pub(crate) fn is_table(start: &[u8]) -> bool {
    start.starts_with(b"variant,panel,body,")
}

/// Returns an error if foreign files occupy the names of a sweep's files, which are never
/// overwritten.
///
/// # Errors
/// The first such file, or one that cannot be read.
pub(crate) fn refuse_foreign(folder: &Path) -> Result<(), OutputError> {
    let tests: [(&str, u64, IsOurs); 3] = [
        (CSV, 64, is_table),
        (PARQUET, 4, |start| start == PARQUET_START),
        (MANIFEST, read::LARGE, |bytes| serde_json::from_slice::<MergedSweep>(bytes).is_ok()),
    ];
    for (name, most, is_ours) in tests {
        let path = folder.join(name);
        refuse_other(&path, most, is_ours)?;
    }
    Ok(())
}

/// A complete sweep, as described by `sweep.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergedSweep {
    /// Source of the table.
    pub source: ShardSource,
    /// Columns of the table.
    #[serde(flatten)]
    pub content: SweepContent,
    /// Text of the sweep file or scene.
    pub text: String,
    /// Command that repeats the sweep; empty if a program called the job.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Number of rows.
    pub rows: u64,
    /// Number of rows per status.
    pub statuses: BTreeMap<String, u64>,
    /// SHA-256 of each file.
    pub files: BTreeMap<String, String>,
}

impl MergedSweep {
    /// Whether all variants were invalid.
    pub fn is_all_refused(&self) -> bool {
        self.rows > 0 && self.statuses.keys().all(|status| status == REFUSED)
    }
}
