//! Draws a figure.

use super::axes::{axes, grid, title_and_notes, words};
use super::ends::{LEADER, Names};
use super::layout::{Layout, layout};
use super::legend::leader;
use super::marks::{ground, marks};
use super::panel::{LARGE, LINE, Panel, SMALL};
use super::plot::Chart;
use super::svg::{Role, Sheet, Words};
use super::typeface::Typeface;
use crate::render::text::Align;
use crate::render::theme::Theme;

pub(super) fn draw(chart: &Chart, name: &str, typeface: &Typeface, theme: &Theme) -> String {
    let Layout { size, title, title_at, cells, legend, legend_at, missing, missing_at } =
        layout(chart, typeface);
    let mut sheet = Sheet::new(name, typeface, theme);
    let mut lines = |lines: &[String], [x, y]: [f64; 2], size: f64, step: f64, role: Role| {
        for (index, text) in lines.iter().enumerate() {
            let at = (x, y + index as f64 * step);
            sheet.text(at, role, words(text, size, Align::Left));
        }
    };
    lines(&title, title_at, LARGE, LARGE * 1.35, Role::Text);
    lines(&missing, missing_at, SMALL, LINE, Role::Alarm);
    for cell in &cells {
        sheet.open(cell.at[0], cell.at[1]);
        ground(&mut sheet, &cell.panel);
        grid(&mut sheet, cell);
        marks(&mut sheet, &cell.panel);
        axes(&mut sheet, cell);
        title_and_notes(&mut sheet, cell);
        names(&mut sheet, &cell.panel, &cell.names);
        sheet.close();
    }
    legend.draw(&mut sheet, legend_at);
    sheet.finish(size, &chart.title, &chart.caption)
}

/// The names of marks, in the frame and beside it.
fn names(sheet: &mut Sheet<'_>, panel: &Panel<'_>, names: &Names) {
    let right = panel.size[0];
    for at_end in &names.at_end {
        let at = [right + LEADER, at_end.y];
        leader(sheet, &at_end.name.swatch, [at_end.end, at], right);
        let words = words(&at_end.name.text, SMALL, Align::Left);
        sheet.text((at[0] + 2.0, at[1] + 0.35 * SMALL), Role::Text, words);
    }
    for inside in &names.inside {
        let words = Words { has_halo: true, ..words(&inside.text, SMALL, Align::Left) };
        sheet.text((inside.at[0], inside.at[1] + 0.35 * SMALL), Role::Text, words);
    }
}
