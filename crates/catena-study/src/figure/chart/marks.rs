//! Draws the marks of a plot.

use super::{
    frame::{PlotFrame, SMALL},
    path::{self, Point, number, runs},
    plot::{Dash, Mark, Marker},
    svg::{PageInk, SvgWriter, TextLine},
};
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
            for (class, (_, ink)) in classes.iter().enumerate() {
                let path = cells(panel, [x_edges, y_edges], values, class);
                sheet.draw_area(*ink, true, &path);
            }
            let page = sheet.theme.page;
            sheet.draw_stroke(page, 1.0, Dash::Solid, &borders(panel, [x_edges, y_edges]));
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

/// Minimum width and height of cells with borders, in pixels.
const BORDERED: f64 = 14.0;

/// Path of the lines between the columns and rows of a map; empty if cells are small.
fn borders(panel: &PlotFrame<'_>, edges: [&[f64]; 2]) -> String {
    let places = [0, 1].map(|axis| -> Vec<f64> {
        let length = panel.size[axis];
        let place = |edge: &f64| panel.spans[axis].share(*edge).map(|share| share * length);
        edges[axis].iter().filter_map(place).collect()
    });
    let is_large =
        |places: &Vec<f64>| places.windows(2).all(|pair| (pair[1] - pair[0]).abs() >= BORDERED);
    if !places.iter().all(is_large) {
        return String::new();
    }
    let [width, height] = panel.size;
    let within = |place: &f64, length: f64| (0.5..length - 0.5).contains(place);
    let mut path = String::new();
    for x in places[0].iter().filter(|x| within(x, width)) {
        path += &format!("M{} 0V{}", number(*x), number(height));
    }
    for y in places[1].iter().filter(|y| within(y, height)) {
        path += &format!("M0 {}H{}", number(height - y), number(width));
    }
    path
}

/// Path of the cells of one class, with neighbours in a row joined into one rectangle.
fn cells(panel: &PlotFrame<'_>, [x, y]: [&[f64]; 2], values: &[usize], class: usize) -> String {
    let [width, height] = panel.size;
    let edge = |axis: usize, value: f64, length: f64| {
        panel.spans[axis].share(value).map(|share| share.clamp(0.0, 1.0) * length)
    };
    let columns = x.len().saturating_sub(1);
    let mut path = String::new();
    for (row, low) in y.windows(2).enumerate() {
        let (Some(bottom), Some(top)) = (edge(1, low[0], height), edge(1, low[1], height)) else {
            continue;
        };
        let of = |column: usize| values.get(row * columns + column).copied();
        let mut column = 0;
        while column < columns {
            let start = column;
            while column < columns && of(column) == Some(class) {
                column += 1;
            }
            if column > start {
                if let (Some(left), Some(right)) =
                    (edge(0, x[start], width), edge(0, x[column], width))
                {
                    path += &format!(
                        "M{} {}H{}V{}H{}Z",
                        number(left),
                        number(height - bottom),
                        number(right),
                        number(height - top),
                        number(left)
                    );
                }
            } else {
                column += 1;
            }
        }
    }
    path
}
