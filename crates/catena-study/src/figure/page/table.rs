//! Table of settings on the page. Settings that differ between bodies form a table, and common ones
//! a list, which keeps the table narrow.

use super::{ReportPage, SettingsRow};
use catena_base::text::markup::escape;

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
        (false, false) => "<h3>Alike for all bodies</h3>\n".into(),
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
        "<p class=\"muted\">Marked cells differ from the first body.</p>\n"
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
