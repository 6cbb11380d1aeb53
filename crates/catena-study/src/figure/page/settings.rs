//! Table of settings and its HTML: one row per body, with marks where it differs from the first
//! one.
//!
//! Every quantity that affects the physics has a column, unless no body has it.

use super::ReportPage;
use crate::figure::study::Subject;
use catena_base::text::{
    markup::{color, escape},
    number::short,
};
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
    /// Whether the value differs from the value in the first row.
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

/// Section of settings.
pub(super) fn settings_table(page: &ReportPage) -> String {
    let [first, others @ ..] = page.rows.as_slice() else { return String::new() };
    let is_alike = |column: &usize| {
        let text = |row: &SettingsRow| row.cells.get(*column).map(|cell| cell.text.clone());
        others.iter().all(|row| text(row) == text(first))
    };
    let (alike, different): (Vec<usize>, Vec<usize>) = (0..page.columns.len()).partition(is_alike);
    let table = if others.is_empty() { String::new() } else { table(page, &different) };
    let heading = match (others.is_empty(), alike.is_empty()) {
        (true, _) | (_, true) => String::new(),
        (false, false) => "<h3>The same for all bodies</h3>\n".into(),
    };
    format!(
        "<section aria-labelledby=\"settings\">\n<h2 id=\"settings\">Settings</h2>\n{table}{heading}{}</section>\n",
        list(page, first, &alike)
    )
}

/// Table of differing settings: one row per body, or one per quantity if there are more quantities,
/// since paper and phones are narrow.
fn table(page: &ReportPage, columns: &[usize]) -> String {
    let body = |row: &SettingsRow, scope: &str| {
        format!(
            "<th scope=\"{scope}\"><svg class=\"swatch\" width=\"13\" height=\"13\" viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect width=\"1\" \
             height=\"1\" fill=\"{}\"/></svg>{}</th>",
            row.color,
            escape(&row.label)
        )
    };
    let quantity = |&column: &usize, scope: &str| {
        format!("<th scope=\"{scope}\">{}</th>", escape(page.columns[column]))
    };
    let cell = |row: &SettingsRow, &column: &usize| {
        row.cells.get(column).map_or_else(String::new, |cell| {
            let class = if cell.differs { " class=\"differs\"" } else { "" };
            format!("<td{class}>{}</td>", escape(&cell.text))
        })
    };
    let (corner, head, rows): (&str, String, Vec<String>) = if columns.len() > page.rows.len() {
        let of = |column: &usize| page.rows.iter().map(|row| cell(row, column)).collect::<String>();
        (
            "quantity",
            page.rows.iter().map(|row| body(row, "col")).collect(),
            columns.iter().map(|column| quantity(column, "row") + &of(column)).collect(),
        )
    } else {
        let of =
            |row: &SettingsRow| columns.iter().map(|column| cell(row, column)).collect::<String>();
        (
            "body",
            columns.iter().map(|column| quantity(column, "col")).collect(),
            page.rows.iter().map(|row| body(row, "row") + &of(row)).collect(),
        )
    };
    let rows: String = rows.iter().map(|row| format!("<tr>{row}</tr>\n")).collect();
    let is_marked = page.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.differs);
    let marks = if is_marked {
        "<p class=\"muted\">Marked cells differ from those of the first body.</p>\n"
    } else {
        ""
    };
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table of settings\"><table class=\"settings\">\n\
         <thead><tr><th scope=\"col\">{corner}</th>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n{marks}"
    )
}

/// List of the settings that all bodies share.
fn list(page: &ReportPage, first: &SettingsRow, columns: &[usize]) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let entry = |&column: &usize| {
        let text = first.cells.get(column).map_or("", |cell| &cell.text);
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(page.columns[column]), escape(text))
    };
    let entries: String = columns.iter().map(entry).collect();
    format!("<dl class=\"alike\">\n{entries}</dl>\n")
}
