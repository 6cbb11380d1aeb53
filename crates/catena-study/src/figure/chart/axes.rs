//! Draws the grid, the axes and their text.

use super::legend::draw_swatch;
use super::path::number;
use super::plot::Mark;
use super::svg::{PageInk, SvgWriter, TextLine};
use crate::figure::chart::axis::Axis;
use crate::figure::chart::axis::Scale;
use crate::figure::chart::cell::{ABOVE, PlotCell};
use crate::figure::chart::text_sizes::{LINE, MEDIUM, SMALL};
use catena_draw::{is_right_to_left, text::Align};

/// Lengths of a tick with a label and of a tick without, in pixels.
const TICKS: [f64; 2] = [4.5, 2.5];

/// Width of the sample of a line in a corner of a frame, in pixels.
const SAMPLE: f64 = 24.0;

/// Draws the grid, above areas and below lines.
pub(super) fn draw_grid(sheet: &mut SvgWriter<'_>, cell: &PlotCell<'_>) {
    let panel = &cell.panel;
    let [width, height] = panel.size;
    // Maps fill their frame, and grid lines would cross their cells.
    if has_cells(cell) {
        return;
    }
    let mut path = String::new();
    if panel.plot.x.categories.is_empty() {
        for tick in &panel.ticks[0].major {
            path += &format!("M{} 0V{}", number(tick.share * width), number(height));
        }
    }
    for tick in &panel.ticks[1].major {
        path += &format!("M0 {}H{}", number((1.0 - tick.share) * height), number(width));
    }
    if !path.is_empty() {
        sheet.draw_rule(PageInk::Grid, 0.8, &path);
    }
    draw_zero_line(sheet, cell);
}

fn has_cells(cell: &PlotCell<'_>) -> bool {
    let fills = |mark: &Mark| matches!(mark, Mark::Cells { .. } | Mark::Picture { .. });
    cell.panel.plot.marks.iter().any(fills)
}

/// Draws a line at 0 if 0 is well inside the range.
fn draw_zero_line(sheet: &mut SvgWriter<'_>, cell: &PlotCell<'_>) {
    let panel = &cell.panel;
    let [width, height] = panel.size;
    let y = &panel.plot.y;
    let share = panel.spans[1].share(0.0).filter(|share| (0.02..0.98).contains(share));
    if let Some(share) = share
        && y.scale != Scale::Log
        && y.categories.is_empty()
        && !y.is_hidden
    {
        let path = format!("M0 {}H{}", number((1.0 - share) * height), number(width));
        sheet.draw_rule(PageInk::Axis, 0.8, &path);
    }
}

/// Draws the axes with their ticks, above the marks.
pub(super) fn draw_axes(sheet: &mut SvgWriter<'_>, cell: &PlotCell<'_>) {
    let panel = &cell.panel;
    let [width, height] = panel.size.map(number);
    let is_hidden = [panel.plot.x.is_hidden, panel.plot.y.is_hidden];
    if is_hidden == [true, true] {
        sheet.draw_rule(PageInk::Grid, 1.0, &format!("M0 0H{width}V{height}H0Z"));
        return;
    }
    let mut path = match is_hidden {
        [false, false] => format!("M0 0V{height}H{width}"),
        [false, true] => format!("M0 {height}H{width}"),
        _ => format!("M0 0V{height}"),
    };
    // Maps have a border on all sides.
    if is_hidden == [false, false] && has_cells(cell) {
        path += "V0H0";
    }
    let has_names = |axis: &Axis| !axis.categories.is_empty();
    for (axis, ticks) in panel.ticks.iter().enumerate() {
        if has_names([&panel.plot.x, &panel.plot.y][axis]) {
            continue;
        }
        let major = ticks.major.iter().map(|tick| (tick.share, TICKS[0]));
        let minor = ticks.minor.iter().map(|share| (*share, TICKS[1]));
        for (share, length) in major.chain(minor) {
            path += &if axis == 0 {
                format!("M{} {height}v{}", number(share * panel.size[0]), number(length))
            } else {
                format!("M0 {}h-{}", number((1.0 - share) * panel.size[1]), number(length))
            };
        }
    }
    sheet.draw_rule(PageInk::Axis, 1.0, &path);
    draw_numbers(sheet, cell);
    draw_labels(sheet, cell);
}

/// Draws the numbers at ticks, and their common factors.
fn draw_numbers(sheet: &mut SvgWriter<'_>, cell: &PlotCell<'_>) {
    let panel = &cell.panel;
    let [width, height] = panel.size;
    if panel.is_written[0] {
        for tick in &panel.ticks[0].major {
            let x = tick.share * width;
            if panel.is_turned {
                let turned =
                    TextLine { eighths: 1, ..TextLine::new(&tick.label, SMALL, Align::Right) };
                sheet.write_text((x + 4.0, height + 6.0 + 0.6 * SMALL), PageInk::Text, turned);
            } else {
                let at = (x, height + 6.0 + SMALL);
                sheet.write_text(
                    at,
                    PageInk::Text,
                    TextLine::new(&tick.label, SMALL, Align::Center),
                );
            }
        }
        if let Some(factor) = &panel.ticks[0].factor {
            let y = height + cell.numbers[1] + MEDIUM + cell.factor_line as f64 * 1.3 * MEDIUM;
            sheet.write_text((width, y), PageInk::Text, TextLine::new(factor, SMALL, Align::Right));
        }
    }
    if panel.is_written[1] {
        for tick in &panel.ticks[1].major {
            let y = (1.0 - tick.share) * height + 0.35 * SMALL;
            sheet.write_text(
                (-8.0, y),
                PageInk::Text,
                TextLine::new(&tick.label, SMALL, Align::Right),
            );
        }
        if let Some(factor) = panel.ticks[1].factor.as_ref().filter(|_| cell.labels[1].is_empty()) {
            sheet.write_text((0.0, -5.0), PageInk::Text, TextLine::new(factor, SMALL, Align::Left));
        }
    }
}

/// Draws the labels of the axes.
fn draw_labels(sheet: &mut SvgWriter<'_>, cell: &PlotCell<'_>) {
    let [width, height] = cell.panel.size;
    let line = MEDIUM * 1.3;
    let mut y = height + cell.numbers[1] + MEDIUM;
    for text in &cell.labels[0] {
        sheet.write_text(
            (width / 2.0, y),
            PageInk::Text,
            TextLine::new(text, MEDIUM, Align::Center),
        );
        y += line;
    }
    let count = cell.labels[1].len() as f64;
    for (index, text) in cell.labels[1].iter().enumerate() {
        let y = -ABOVE - 3.0 - (count - 1.0 - index as f64) * line;
        let above = TextLine::new(text, MEDIUM, Align::Left);
        sheet.write_text((-cell.numbers[0], y), PageInk::Text, above);
    }
}

/// Draws the title above the frame and the notes below it.
pub(super) fn draw_title_and_notes(sheet: &mut SvgWriter<'_>, cell: &PlotCell<'_>) {
    let line = cell.title_size * 1.3;
    let foot = -6.0 - cell.title_lift;
    let left = cell.title_left;
    if let Some(swatch) = &cell.title_swatch {
        let is_mirrored = cell.title.first().is_some_and(|text| is_right_to_left(text));
        let x = if is_mirrored { cell.panel.size[0] - SAMPLE - 4.0 } else { 4.0 };
        draw_swatch(sheet, swatch, SAMPLE, [x, 7.0]);
    }
    let count = cell.title.len() as f64;
    for (index, text) in cell.title.iter().enumerate() {
        let y = foot - (count - 1.0 - index as f64) * line;
        // Words from right to left begin at the right end of the frame.
        let (x, align) = match is_right_to_left(text) {
            true => (cell.panel.size[0], Align::Right),
            false => (left, Align::Left),
        };
        sheet.write_text((x, y), PageInk::Text, TextLine::new(text, cell.title_size, align));
    }
    // A compact figure has the notes of all plots below its last row.
    if cell.panel.is_compact {
        return;
    }
    let label_height = cell.lines_below() as f64 * MEDIUM * 1.3;
    let mut y = cell.panel.size[1] + cell.numbers[1] + label_height + 4.0 + 0.9 * SMALL;
    for note in &cell.notes {
        sheet.write_text((0.0, y), PageInk::Muted, TextLine::new(note, SMALL, Align::Left));
        y += LINE;
    }
}
