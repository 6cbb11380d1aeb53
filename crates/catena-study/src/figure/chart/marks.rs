//! Draws the marks of a plot.

use super::cells::CellMap;
use super::frame::PlotFrame;
use super::path;
use super::path::{Point, number, runs};
use super::patterns::{Dash, Marker};
use super::plot::Mark;
use super::svg::{PageInk, SvgWriter, TextLine};
use crate::figure::chart::text_sizes::SMALL;
use catena_draw::{
    text::Align,
    theme::{Ink, mix},
};
use image::Rgb;

/// Draws the marks below the grid: areas and maps.
pub(super) fn draw_background(sheet: &mut SvgWriter<'_>, panel: &PlotFrame<'_>) {
    panel.plot.marks.iter().filter(is_background).for_each(|mark| draw(sheet, panel, mark));
}

fn is_background(mark: &&Mark) -> bool {
    matches!(mark, Mark::Area { .. } | Mark::Cells { .. } | Mark::Picture { .. })
}

/// Draws all other marks, starting with the bottom one, then the texts above them.
pub(super) fn draw_foreground(sheet: &mut SvgWriter<'_>, panel: &PlotFrame<'_>) {
    for mark in panel.plot.marks.iter().filter(|mark| !is_background(mark)) {
        draw(sheet, panel, mark);
    }
    for mark in &panel.plot.marks {
        if let Mark::Text { at, text, color } = mark
            && let Some([x, y]) = panel.place(*at)
            && panel.holds([x, y])
        {
            // Light text is on a dark picture, where a halo in the page's colour would hide it.
            let has_halo = color.0.iter().map(|&channel| u32::from(channel)).sum::<u32>() < 384;
            let line = TextLine { has_halo, ..TextLine::new(text, SMALL, Align::Center) };
            sheet.write_colored_text((x, y + 0.35 * SMALL), *color, line);
        }
    }
    if is_empty(panel) {
        let [width, height] = panel.size;
        let line = TextLine { has_halo: true, ..TextLine::new("no data", SMALL, Align::Center) };
        sheet.write_text((width / 2.0, height / 2.0), PageInk::Muted, line);
    }
}

/// Whether a plot has nothing to show.
fn is_empty(panel: &PlotFrame<'_>) -> bool {
    let has_place = |points: &[[f64; 2]]| points.iter().any(|point| panel.place(*point).is_some());
    !panel.plot.marks.iter().any(|mark| match mark {
        Mark::Line { points, .. } | Mark::Points { points, .. } => has_place(points),
        Mark::Area { upper, lower, .. } => has_place(upper) || has_place(lower),
        Mark::Rule { .. } | Mark::Picture { .. } | Mark::Text { .. } => true,
        Mark::Cells { values, .. } => !values.is_empty(),
    })
}

fn draw(sheet: &mut SvgWriter<'_>, panel: &PlotFrame<'_>, mark: &Mark) {
    match mark {
        Mark::Line { points, color, dash, width, .. } => {
            let width = width.clamp(0.1, 20.0);
            let mut path = String::new();
            let mut lonely = Vec::new();
            for run in runs(panel.line(points).into_iter()) {
                match run[..] {
                    [point] if panel.holds(point) => lonely.push(point),
                    _ => path += &path::line(&run, panel.size),
                }
            }
            sheet.draw_stroke(*color, width, *dash, &path);
            // A line of a single point would be invisible.
            if !lonely.is_empty() {
                sheet.draw_markers(Marker::Disc, 2.0 * width + 1.0, *color, &lonely);
            }
        }
        Mark::Points { points, color, shape, size, .. } => {
            let placed = panel.line(points).into_iter().flatten();
            let shown: Vec<Point> = placed.filter(|point| panel.holds(*point)).collect();
            if !shown.is_empty() {
                sheet.draw_markers(*shape, size.clamp(0.5, 100.0), *color, &shown);
            }
        }
        Mark::Area { upper, lower, color, .. } => {
            // Areas are lighter than lines, so that lines are visible on them.
            let light = mix(*color, Rgb([255; 3]), 64);
            sheet.draw_area(light, false, &area(panel, upper, lower));
        }
        Mark::Rule { at, is_horizontal, color, dash, .. } => {
            draw_rule(sheet, panel, *at, *is_horizontal, *color, *dash);
        }
        Mark::Cells { x_edges, y_edges, values, classes } => {
            CellMap { edges: [x_edges, y_edges], values, classes }.draw(sheet, panel);
        }
        Mark::Picture { corners, png } => {
            if let [Some([left, bottom]), Some([right, top])] =
                corners.map(|corner| panel.place(corner))
            {
                sheet.draw_picture([left, top], [right - left, bottom - top], png);
            }
        }
        Mark::Text { .. } => {}
    }
}

fn draw_rule(
    sheet: &mut SvgWriter<'_>,
    panel: &PlotFrame<'_>,
    at: f64,
    is_horizontal: bool,
    ink: Ink,
    dash: Dash,
) {
    let [width, height] = panel.size;
    let share = panel.spans[usize::from(is_horizontal)].share(at);
    if let Some(share) = share.filter(|share| (0.0..=1.0).contains(share)) {
        let path = if is_horizontal {
            format!("M0 {}H{}", number((1.0 - share) * height), number(width))
        } else {
            format!("M{} 0V{}", number(share * width), number(height))
        };
        sheet.draw_stroke(ink, 1.2, dash, &path);
    }
}

/// Path of the area between two lines, where points of both have positions.
fn area(panel: &PlotFrame<'_>, upper: &[[f64; 2]], lower: &[[f64; 2]]) -> String {
    let mut path = String::new();
    let mut pieces: Vec<[Vec<Point>; 2]> = vec![Default::default()];
    for (a, b) in upper.iter().zip(lower) {
        match (panel.place_low(*a), panel.place_low(*b), pieces.last_mut()) {
            (Some(a), Some(b), Some([above, below])) => {
                above.push(a);
                below.push(b);
            }
            _ => pieces.push(Default::default()),
        }
    }
    for [above, below] in pieces {
        let mut around = path::simplified(&above);
        around.extend(path::simplified(&below).into_iter().rev());
        path += &path::polygon(&around, panel.size);
    }
    path
}
