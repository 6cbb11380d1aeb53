//! What the report of a sweep's shard says beside its rows: all that putting them together needs.

use catena_scene::{
    Scene,
    sweep::{Sweep, ValueKind},
};
use catena_study::sweep::{
    measure::{Measure, Shape},
    table::Column,
};
use serde::{Deserialize, Serialize};

/// The columns of the table, and where they come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepContent {
    /// The name of the sweep.
    pub name: String,
    /// How many variants there are, left-out ones counted.
    pub variants: u64,
    /// How many frames each has.
    pub frames: u64,
    /// All columns, in order.
    pub columns: Vec<Column>,
    /// How many columns stand before those of the axes.
    pub before_axes: usize,
    /// The fields that vary; each is a column.
    pub axes: Vec<SweptField>,
    /// How many panels a variant has.
    pub panels: u64,
    /// Whether a panel has several bodies, so that panels alone do not name them.
    pub has_bodies: bool,
    /// Labels of panels that repeat the run of another; figures leave them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated: Vec<String>,
}

/// A field that varies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweptField {
    /// Its path.
    pub path: String,
    /// Whether a sample has chosen its values.
    pub is_sampled: bool,
    /// Whether its numbers lie by equal factors; left out where they are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_log: Option<bool>,
}

/// The columns before those of the axes: the number of the variant, and labels.
const BEFORE: [&str; 3] = ["variant", "panel", "body"];
/// The columns behind those of the axes.
const BEHIND: [&str; 2] = ["status", "message"];

impl SweepContent {
    /// That of a sweep with these measures.
    pub(super) fn new(
        sweep: &Sweep,
        measures: &[Box<dyn Measure>],
        (base, frames): (&Scene, u64),
    ) -> Self {
        let shape = Shape::new(sweep, base, frames);
        let kinds = sweep.kinds().into_iter();
        let of_axis = |(path, kind): (&str, ValueKind)| match kind {
            ValueKind::Whole => Column::whole(path),
            ValueKind::Real => Column::real(path),
            ValueKind::Text => Column::text(path),
        };
        let [variant, panel, body] = BEFORE;
        let mut columns = vec![Column::whole(variant), Column::text(panel), Column::text(body)];
        columns.extend(sweep.paths().into_iter().zip(kinds).map(of_axis));
        columns.extend(BEHIND.map(Column::text));
        columns.extend(measures.iter().flat_map(|measure| measure.columns(shape)));
        Self {
            name: sweep.name.clone(),
            variants: sweep.variants(),
            frames,
            columns,
            before_axes: BEFORE.len(),
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

    /// The place of the column `status`.
    pub fn status(&self) -> usize {
        self.before_axes + self.axes.len()
    }

    /// The place of the first column that is a measure.
    pub fn measures(&self) -> usize {
        self.status() + BEHIND.len()
    }
}

impl SweepContent {
    /// Whether the columns are where the numbers say, so that rows can be read by them. A report
    /// may be damaged or forged.
    pub(super) fn is_sound(&self) -> bool {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let axes = self.axes.iter().map(|field| field.path.as_str());
        let expected = BEFORE.into_iter().chain(axes).chain(BEHIND);
        let expected: Vec<&str> = expected.collect();
        self.before_axes == BEFORE.len() && names.starts_with(&expected)
    }
}

/// The fields that vary.
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
