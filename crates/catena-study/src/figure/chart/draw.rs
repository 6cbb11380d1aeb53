//! Draws a chart as SVG.

use super::axes::{draw_axes, draw_grid, draw_title_and_notes};
use super::frame::{LARGE, PlotFrame};
use super::layout::{FigureLayout, layout};
use super::legend::draw_leader;
use super::marks::{draw_background, draw_foreground};
use super::names::{LEADER, PlotNames};
use super::plot::Chart;
use super::shared::PlacedLabel;
use super::svg::{PageInk, SvgWriter, TextLine};
use super::typeface::Typeface;
use crate::figure::chart::text_sizes::{LINE, SMALL};
use catena_draw::text::Align;
use catena_draw::theme::Theme;

pub(super) fn draw(chart: &Chart, name: &str, typeface: &Typeface, theme: &Theme) -> String {
    let FigureLayout {
        size,
        needed: _,
        title,
        title_at,
        cells,
        rows: _,
        labels,
        foot,
        foot_at,
        legend,
        legend_at,
        bar,
        missing,
        missing_at,
    } = layout(chart, typeface);
    let mut sheet = SvgWriter::new(name, typeface, theme);
    let mut lines = |lines: &[String], [x, y]: [f64; 2], size: f64, step: f64, role: PageInk| {
        for (index, text) in lines.iter().enumerate() {
            let at = (x, y + index as f64 * step);
            sheet.write_text(at, role, TextLine::new(text, size, Align::Left));
        }
    };
    lines(&title, title_at, LARGE, LARGE * 1.35, PageInk::Text);
    lines(&missing, missing_at, SMALL, LINE, PageInk::Alarm);
    lines(&foot, foot_at, SMALL, LINE, PageInk::Muted);
    for PlacedLabel { text, at: [x, y], align } in &labels {
        sheet.write_text((*x, *y), PageInk::Text, TextLine::new(text, SMALL, *align));
    }
    for cell in &cells {
        sheet.open(cell.at[0], cell.at[1]);
        draw_background(&mut sheet, &cell.panel);
        draw_grid(&mut sheet, cell);
        draw_foreground(&mut sheet, &cell.panel);
        draw_axes(&mut sheet, cell);
        draw_title_and_notes(&mut sheet, cell);
        draw_names(&mut sheet, &cell.panel, &cell.names);
        sheet.close();
    }
    if let Some((bar, at)) = bar {
        bar.draw(&mut sheet, at);
    }
    legend.draw(&mut sheet, legend_at);
    let zoom = chart.width.map(|_| chart.zoom());
    sheet.finish(size, zoom, &chart.title, &chart.caption)
}

/// Draws the names of marks, inside the frame and next to it.
fn draw_names(sheet: &mut SvgWriter<'_>, panel: &PlotFrame<'_>, names: &PlotNames) {
    let right = panel.size[0];
    for at_end in &names.at_end {
        let at = [right + LEADER, at_end.y];
        draw_leader(sheet, &at_end.name.swatch, [at_end.end, at], right);
        let line = TextLine::new(&at_end.name.text, SMALL, Align::Left);
        sheet.write_text((at[0] + 2.0, at[1] + 0.35 * SMALL), PageInk::Text, line);
    }
    for inside in &names.inside {
        let line = TextLine { has_halo: true, ..TextLine::new(&inside.text, SMALL, Align::Left) };
        sheet.write_text((inside.at[0], inside.at[1] + 0.35 * SMALL), PageInk::Text, line);
    }
}
