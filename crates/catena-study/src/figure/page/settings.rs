//! Table of settings: one row per body, with marks where it differs from the first one.
//!
//! Every quantity that affects the physics has a column, unless no body has it.

use crate::figure::study::Subject;
use catena_base::text::{markup::color, number::short};
use catena_scene::comparability::{QUANTITIES, QuantityValue};

/// Row of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsRow {
    /// Label of the body.
    pub label: String,
    /// Colour of the body as CSS.
    pub color: String,
    /// Settings of the body, in the order of the columns.
    pub cells: Vec<SettingsCell>,
}

/// Setting of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsCell {
    /// Value as text.
    pub text: String,
    /// Whether the value differs from that in the first row.
    pub differs: bool,
}

/// Creates the column names, and one row per body.
pub fn settings(subjects: &[Subject<'_>]) -> (Vec<&'static str>, Vec<SettingsRow>) {
    let mut columns = vec!["method", "substeps", "frame time"];
    let mut cells: Vec<Vec<SettingsCell>> =
        subjects.iter().map(|subject| of_run(subject)).collect();
    if let Some((first, rest)) = cells.split_first_mut() {
        for row in rest {
            // Panels exist to compare methods, so their difference gets no mark.
            let columns = row.iter_mut().zip(&*first).skip(1);
            columns.for_each(|(cell, first)| cell.differs = cell.text != first.text);
        }
    }
    for quantity in QUANTITIES {
        let values: Vec<QuantityValue> = subjects.iter().map(|it| quantity.of(it.body)).collect();
        if !values.iter().any(QuantityValue::is_present) {
            continue;
        }
        columns.push(quantity.name);
        let lead = values.iter().find(|value| value.is_meaningful());
        for (row, value) in cells.iter_mut().zip(&values) {
            let differs = lead.is_some_and(|lead| !value.equals(lead));
            row.push(SettingsCell { text: value.text.clone(), differs });
        }
    }
    let row = |(subject, cells): (&Subject<'_>, Vec<SettingsCell>)| SettingsRow {
        label: subject.label.clone(),
        color: color(subject.look.color.0),
        cells,
    };
    (columns, subjects.iter().zip(cells).map(row).collect())
}

/// Method, substeps and frame time.
fn of_run(subject: &Subject<'_>) -> Vec<SettingsCell> {
    let setup = &*subject.body.setup;
    let substeps = match setup.method.inner_steps() {
        1 => setup.substeps.to_string(),
        inner => format!("{} × {inner}", setup.substeps),
    };
    let texts = [subject.body.method.title.into(), substeps, short(setup.frame_time)];
    texts.map(|text| SettingsCell { text, differs: false }).into()
}
