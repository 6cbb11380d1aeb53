//! The table of settings on the page: what differs between bodies is a table, what they have in
//! common a list, so that the table is as narrow as it can be.

use super::{ReportPage, SettingsRow};
use crate::text::markup::escape;

/// The section of settings.
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
        (false, false) => "<h3>Alike for all bodies</h3>\n".into(),
    };
    format!(
        "<section aria-labelledby=\"settings\">\n<h2 id=\"settings\">Settings</h2>\n{table}{heading}{}</section>\n",
        list(page, first, &alike)
    )
}

/// The columns that differ, a row for each body.
fn table(page: &ReportPage, columns: &[usize]) -> String {
    let head: String = columns
        .iter()
        .map(|&column| format!("<th scope=\"col\">{}</th>", escape(page.columns[column])))
        .collect();
    let row = |row: &SettingsRow| {
        let cells = columns.iter().filter_map(|&column| row.cells.get(column));
        let cells: String = cells
            .map(|cell| {
                let class = if cell.differs { " class=\"differs\"" } else { "" };
                format!("<td{class}>{}</td>", escape(&cell.text))
            })
            .collect();
        format!(
            "<tr><th scope=\"row\"><span class=\"swatch\" style=\"background:{}\"></span>{}</th>{cells}</tr>\n",
            row.color,
            escape(&row.label)
        )
    };
    let rows: String = page.rows.iter().map(row).collect();
    let is_marked = page.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.differs);
    let marks = if is_marked {
        "<p class=\"muted\">Marked cells differ from the first row.</p>\n"
    } else {
        ""
    };
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table of settings\"><table class=\"settings\">\n\
         <thead><tr><th scope=\"col\">body</th>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n{marks}"
    )
}

/// What all bodies have in common, as the first one has it.
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
