//! Columns of a sweep's table, as in the report of a shard, and the files of a complete sweep. A
//! folder with foreign files of the same names is an error.

use crate::job::sweep::bunch::REFUSED;
use crate::shard::{IsOurs, ShardSource, refuse_other};
use catena_base::read;
use catena_output::OutputError;
use catena_scene::Scene;
use catena_scene::sweep::{Sweep, ValueKind};
use catena_study::sweep::measure::{Measure, Shape};
use catena_study::sweep::table::Column;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Columns of the table, and their origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepContent {
    /// Name of the sweep.
    pub name: String,
    /// Number of variants, including those that are excluded.
    pub variants: u64,
    /// Number of frames per variant.
    pub frames: u64,
    /// All columns in order.
    pub columns: Vec<Column>,
    /// Number of columns before the columns of axes.
    pub before_axes: usize,
    /// Fields that vary, with one column each.
    pub axes: Vec<SweptField>,
    /// Number of panels per variant.
    pub panels: u64,
    /// Whether a panel has several bodies, so that the panel alone does not identify a body.
    pub has_bodies: bool,
    /// Labels of panels that repeat the run of another panel. Figures omit them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated: Vec<String>,
}

/// A field that varies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweptField {
    /// Path of the field.
    pub path: String,
    /// Whether its values are a random sample.
    pub is_sampled: bool,
    /// Whether its numbers are spaced by equal factors. Absent if they are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_log: Option<bool>,
}

/// Columns before the columns of axes: the number of the variant, and labels.
const BEFORE_AXES: [&str; 3] = ["variant", "panel", "body"];
/// Columns after the columns of axes.
const AFTER_AXES: [&str; 2] = ["status", "message"];

impl SweepContent {
    /// Content for a sweep with these measures.
    pub(super) fn new(
        sweep: &Sweep,
        measures: &[Box<dyn Measure>],
        base: &Scene,
        frames: u64,
    ) -> Self {
        let shape = Shape::new(sweep, base, frames);
        let kinds = sweep.kinds().into_iter();
        let of_axis = |(path, kind): (&str, ValueKind)| match kind {
            ValueKind::Whole => Column::whole(path),
            ValueKind::Real => Column::real(path),
            ValueKind::Text => Column::text(path),
        };
        let [variant, panel, body] = BEFORE_AXES;
        let mut columns = vec![Column::whole(variant), Column::text(panel), Column::text(body)];
        columns.extend(sweep.paths().into_iter().zip(kinds).map(of_axis));
        columns.extend(AFTER_AXES.map(Column::text));
        columns.extend(measures.iter().flat_map(|measure| measure.columns(shape)));
        Self {
            name: sweep.name.clone(),
            variants: sweep.variants(),
            frames,
            columns,
            before_axes: BEFORE_AXES.len(),
            axes: fields(sweep),
            panels: base.panels.len() as u64,
            repeated: base
                .repeated_panels()
                .iter()
                .map(|at| base.panels[*at].table_label.clone())
                .collect(),
            has_bodies: base.panels.iter().any(|panel| panel.bodies.len() > 1),
        }
    }

    /// Index of the column `status`.
    pub fn status(&self) -> usize {
        self.before_axes + self.axes.len()
    }

    /// Index of the first column of a measure.
    pub fn measures(&self) -> usize {
        self.status() + AFTER_AXES.len()
    }
}

impl SweepContent {
    /// Whether the columns match the stored counts, so that rows can be read. A report may be
    /// damaged or forged.
    pub(super) fn is_sound(&self) -> bool {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let axes = self.axes.iter().map(|field| field.path.as_str());
        let expected = BEFORE_AXES.into_iter().chain(axes).chain(AFTER_AXES);
        let expected: Vec<&str> = expected.collect();
        self.before_axes == BEFORE_AXES.len() && names.starts_with(&expected)
    }
}

/// Fields that vary in a sweep.
fn fields(sweep: &Sweep) -> Vec<SweptField> {
    let axes = sweep.counts().into_iter().zip(sweep.log_axes()).zip(sweep.widths());
    let each = axes.flat_map(|((count, is_log), width)| vec![(count.is_none(), is_log); width]);
    let field = |(path, (is_sampled, is_log)): (&str, _)| SweptField {
        path: path.into(),
        is_sampled,
        is_log,
    };
    sweep.paths().into_iter().zip(each).map(field).collect()
}

/// Names of the files of a complete sweep.
pub(crate) const CSV: &str = "table.csv";

pub(crate) const PARQUET: &str = "table.parquet";

pub(crate) const MANIFEST: &str = "sweep.json";

/// Files of a complete sweep except its page.
pub(crate) const FILES: [&str; 3] = [CSV, PARQUET, MANIFEST];

/// First bytes of every Parquet file.
const PARQUET_START: &[u8] = b"PAR1";

/// Returns whether the table with this name may start with these bytes.
pub(crate) fn starts_as_ours(name: &str, start: &[u8]) -> bool {
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
    for (name, maximum, is_ours) in tests {
        let path = folder.join(name);
        refuse_other(&path, maximum, is_ours)?;
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
