//! Data of a chart as CSV.

use super::plot::{Chart, Mark, Plot};
use crate::figure::chart::axis::Axis;
use catena_base::text::csv;

/// One or two points of a row: x, y, x2, y2.
type RowCoordinates<'a> = [Option<Coordinate<'a>>; 4];

/// Coordinate in a row.
enum Coordinate<'a> {
    Number(f64),
    /// Name on an axis of names.
    Name(&'a str),
}

impl Coordinate<'_> {
    fn cell(&self) -> String {
        match self {
            Self::Number(value) => csv::Number(*value).to_string(),
            Self::Name(name) => csv::cell(name),
        }
    }
}

/// Wraps an optional number.
fn place<'a>(value: impl Into<Option<f64>>) -> Option<Coordinate<'a>> {
    value.into().map(Coordinate::Number)
}

/// Formats the header and one row per point.
pub(super) fn rows(chart: &Chart) -> String {
    let mut out = String::from("plot,title,mark,kind,label,x,y,x2,y2\n");
    for (plot_index, plot) in chart.plots.iter().enumerate() {
        let title = csv::cell(plot.title.as_deref().unwrap_or_default());
        for (index, mark) in plot.marks.iter().enumerate() {
            let start = format!("{},{title},{},{}", plot_index + 1, index + 1, kind(mark));
            visit(plot, mark, &mut |label, numbers| {
                out += &format!("{start},{}", csv::cell(label));
                for number in numbers {
                    out += &number.map_or(",".into(), |place| format!(",{}", place.cell()));
                }
                out.push('\n');
            });
        }
    }
    out
}

fn kind(mark: &Mark) -> &'static str {
    match mark {
        Mark::Line { .. } => "line",
        Mark::Points { .. } => "points",
        Mark::Area { .. } => "area",
        Mark::Rule { .. } => "rule",
        Mark::Cells { .. } => "cells",
        Mark::Picture { .. } => "picture",
        Mark::Text { .. } => "text",
    }
}

fn visit(plot: &Plot, mark: &Mark, row: &mut dyn FnMut(&str, RowCoordinates<'_>)) {
    let name = |label: &Option<String>| label.clone().unwrap_or_default();
    match mark {
        Mark::Line { points, label, .. } | Mark::Points { points, label, .. } => {
            for [x, y] in points {
                row(&name(label), [place(*x), place(*y), None, None]);
            }
        }
        Mark::Area { upper, lower, label, .. } => {
            for index in 0..upper.len().max(lower.len()) {
                let part = |line: &[[f64; 2]], axis: usize| line.get(index).map(|p| p[axis]);
                let (upper, lower) = (upper.as_slice(), lower.as_slice());
                let sides = [part(upper, 0), part(upper, 1), part(lower, 0), part(lower, 1)];
                row(&name(label), sides.map(place));
            }
        }
        Mark::Rule { at, is_horizontal: true, label, .. } => {
            row(&name(label), [None, place(*at), None, None]);
        }
        Mark::Rule { at, label, .. } => row(&name(label), [place(*at), None, None, None]),
        Mark::Cells { x_edges, y_edges, values, classes } => {
            let cells = y_edges.windows(2).flat_map(|y| x_edges.windows(2).map(move |x| (x, y)));
            for ((x, y), value) in cells.zip(values) {
                let class = classes.get(*value).map_or("", |class| &class.name);
                let [[x, x2], [y, y2]] = [edges_of(&plot.x, x), edges_of(&plot.y, y)];
                row(class, [x, y, x2, y2]);
            }
        }
        Mark::Picture { corners: [[x, y], [x2, y2]], .. } => {
            row("", [*x, *y, *x2, *y2].map(place));
        }
        Mark::Text { at: [x, y], text, .. } => row(text, [place(*x), place(*y), None, None]),
    }
}

/// Edges of a cell along an axis; on an axis of names only the name.
fn edges_of<'a>(axis: &'a Axis, edges: &[f64]) -> [Option<Coordinate<'a>>; 2] {
    let [low, high] = [0, 1].map(|index| edges.get(index).copied());
    let name = low.filter(|low| *low >= 0.0).and_then(|low| axis.categories.get(low as usize));
    match name {
        Some(name) => match name.parse() {
            Ok(number) => [Some(Coordinate::Number(number)), None],
            Err(_) => [Some(Coordinate::Name(name)), None],
        },
        None => [low, high].map(place),
    }
}
