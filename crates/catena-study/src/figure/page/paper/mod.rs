//! Report on paper: A4 pages with findings, figures in two columns, and tables. No figure or table
//! is divided between pages.

mod flow;
mod table;
mod text_size;

use super::ReportPage;
use crate::figure::page::paper::text_size::TextSize;
use crate::figure::{
    chart::{Typeface, paper},
    export::{self, ExportError},
    findings::HEADINGS,
    study::{NumberTable, Study},
};
use flow::{FigureBlock, Flow};

/// Width and height of a page in CSS pixels: A4.
const PAGE: [f64; 2] = [793.7, 1122.52];
/// Margin on each side of a page, in CSS pixels: 14 mm.
const MARGIN: f64 = 52.9;

/// Width of the text of a page, in CSS pixels: 182 mm.
const WIDE: f64 = PAGE[0] - 2.0 * MARGIN;
/// Width of a column, in CSS pixels: 85 mm.
const COLUMN: f64 = 321.26;

/// Maximum number of rows of a table on paper.
const MAX_ROWS: usize = 40;

/// Formats a report as a PDF file. Words are text, with the subset of the typeface that they need.
/// `studies` are the figures of the page.
///
/// # Errors
/// A figure cannot be drawn.
pub fn pdf(
    page: &ReportPage,
    studies: &[Study],
    typeface: &Typeface,
) -> Result<Vec<u8>, ExportError> {
    export::pdf_of_pages(&pages(page, studies, typeface), typeface.faces().first_file())
}

/// Pages of a report as SVG.
pub fn pages(page: &ReportPage, studies: &[Study], typeface: &Typeface) -> Vec<String> {
    let mut flow = Flow::new(typeface);
    flow.text(&page.title, TextSize::Title);
    let [found, open] = HEADINGS;
    sentences(&mut flow, found, &page.findings);
    sentences(&mut flow, open, &page.open);
    sentences(&mut flow, "Read this first", &page.notes);
    let figure = |(index, study)| figure(&flow, page, study, index + 1, typeface);
    let blocks = studies.iter().enumerate().map(figure).collect();
    flow.figures("Figures", blocks);
    flow.end_columns();
    let table = settings(page);
    flow.heading_of("Settings", None, &table, MAX_ROWS);
    flow.table(None, &table, MAX_ROWS);
    let numbers: Vec<(usize, &Study)> =
        studies.iter().enumerate().filter(|(_, study)| !study.table.rows.is_empty()).collect();
    for (place, (index, study)) in numbers.into_iter().enumerate() {
        let name = format!("Figure {}: {}", index + 1, study.chart.title);
        if place == 0 {
            flow.heading_of("Numbers", Some(&name), &study.table, MAX_ROWS);
        }
        flow.table(Some(&name), &study.table, MAX_ROWS);
    }
    sentences(&mut flow, "Missing figures", &page.gaps);
    if !page.command.is_empty() {
        flow.heading("This command creates the report again");
        flow.text(&page.command, TextSize::Text);
    }
    flow.text(&page.program, TextSize::Small);
    flow.pages(&page.title)
}

fn sentences(flow: &mut Flow<'_>, heading: &str, all: &[String]) {
    if all.is_empty() {
        return;
    }
    flow.heading(heading);
    all.iter().for_each(|text| flow.item(&text.replace('`', "")));
}

/// Lays out a figure with its caption: across the page for pictures, otherwise in a column.
fn figure(
    flow: &Flow<'_>,
    page: &ReportPage,
    study: &Study,
    number: usize,
    typeface: &Typeface,
) -> FigureBlock {
    let is_wide = study.chart.pictures().next().is_some();
    let chart = study.chart.fitted(if is_wide { WIDE } else { COLUMN }, typeface);
    let svg = chart.svg(&study.name, typeface, &paper());
    let left_out = page.figures.iter().find(|figure| figure.name == study.name);
    let left_out = left_out.map_or(&[][..], |figure| &figure.left_out).join(" ");
    let caption = format!("Figure {number}. {} {left_out}", study.caption);
    let height = chart.height(typeface);
    flow.block(svg, height, is_wide, [caption.trim_end(), &study.remarks])
}

/// Settings of the bodies: a row per quantity.
fn settings(page: &ReportPage) -> NumberTable {
    let head = ["quantity".to_owned()].into_iter();
    let head = head.chain(page.rows.iter().map(|row| row.label.clone())).collect();
    let row = |(column, name): (usize, &&'static str)| {
        let cells = page.rows.iter().map(move |row| row.cells.get(column));
        let cells = cells.map(|cell| cell.map_or(String::new(), |cell| cell.text.clone()));
        [(*name).to_owned()].into_iter().chain(cells).collect()
    };
    NumberTable { head, rows: page.columns.iter().enumerate().map(row).collect() }
}
