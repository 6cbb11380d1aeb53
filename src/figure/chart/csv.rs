//! The numbers of a chart as csv.

use super::plot::{Chart, Mark};
use crate::text::csv;

/// One or two points of a row: x, y, x2, y2.
type Numbers = [Option<f64>; 4];

/// The header and a row for each point.
pub(super) fn rows(chart: &Chart) -> String {
    let mut out = String::from("plot,title,mark,kind,label,x,y,x2,y2\n");
    for (plot_index, plot) in chart.plots.iter().enumerate() {
        let title = csv::cell(plot.title.as_deref().unwrap_or_default());
        for (index, mark) in plot.marks.iter().enumerate() {
            let start = format!("{},{title},{},{}", plot_index + 1, index + 1, kind(mark));
            visit(mark, &mut |label, numbers| {
                out += &format!("{start},{}", csv::cell(label));
                for number in numbers {
                    out += &number.map_or(",".into(), |value| format!(",{}", csv::Number(value)));
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

fn visit(mark: &Mark, row: &mut dyn FnMut(&str, Numbers)) {
    let name = |label: &Option<String>| label.clone().unwrap_or_default();
    match mark {
        Mark::Line { points, label, .. } | Mark::Points { points, label, .. } => {
            for [x, y] in points {
                row(&name(label), [Some(*x), Some(*y), None, None]);
            }
        }
        Mark::Area { upper, lower, label, .. } => {
            for index in 0..upper.len().max(lower.len()) {
                let part = |line: &[[f64; 2]], axis: usize| line.get(index).map(|p| p[axis]);
                let (upper, lower) = (upper.as_slice(), lower.as_slice());
                row(&name(label), [part(upper, 0), part(upper, 1), part(lower, 0), part(lower, 1)]);
            }
        }
        Mark::Rule { at, is_horizontal: true, label, .. } => {
            row(&name(label), [None, Some(*at), None, None]);
        }
        Mark::Rule { at, label, .. } => row(&name(label), [Some(*at), None, None, None]),
        Mark::Cells { x_edges, y_edges, values, classes } => {
            let cells = y_edges.windows(2).flat_map(|y| x_edges.windows(2).map(move |x| (x, y)));
            for ((x, y), value) in cells.zip(values) {
                let class = classes.get(*value).map_or("", |(name, _)| name);
                row(class, [Some(x[0]), Some(y[0]), Some(x[1]), Some(y[1])]);
            }
        }
        Mark::Picture { corners: [[x, y], [x2, y2]], .. } => {
            row("", [*x, *y, *x2, *y2].map(Some));
        }
        Mark::Text { at: [x, y], text, .. } => row(text, [Some(*x), Some(*y), None, None]),
    }
}
