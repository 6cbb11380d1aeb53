//! Ranges of axes, from a chart's settings and its data, and positions along them.

use super::plot::{Chart, Mark, Plot};
use crate::figure::chart::axis::Scale;
use crate::figure::chart::span::{AxisSpan, axis_value, span};

/// Ends of the data along both axes of a plot, if there are data.
type AxisRanges = [Option<[f64; 2]>; 2];

/// Horizontal and vertical ranges of all plots; `sizes` are the sizes of their frames.
pub(super) fn spans(chart: &Chart, sizes: &[[f64; 2]]) -> Vec<[AxisSpan; 2]> {
    let ranges: Vec<AxisRanges> =
        chart.plots.iter().map(|plot| [0, 1].map(|axis| data_range(plot, axis))).collect();
    // Axes of different scales cannot share a range.
    let shared = |axis: usize, scale: Scale| {
        let alike = chart.plots.iter().zip(&ranges);
        let known = alike.filter_map(|(plot, ranges)| {
            if [&plot.x, &plot.y][axis].scale == scale { ranges[axis] } else { None }
        });
        known.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    };
    let of = |((plot, ranges), size): ((&Plot, &AxisRanges), &[f64; 2])| {
        let mut spans = [0, 1].map(|index| {
            let axis = [&plot.x, &plot.y][index];
            let data = if chart.one_scale { shared(index, axis.scale) } else { ranges[index] };
            span(axis, data, plot.equal_aspect)
        });
        if plot.equal_aspect {
            equalise_units(&mut spans, *size);
        }
        spans
    };
    chart.plots.iter().zip(&ranges).zip(sizes).map(of).collect()
}

/// Minimum and maximum of a plot's data along an axis, in the units of its span.
fn data_range(plot: &Plot, axis: usize) -> Option<[f64; 2]> {
    let scale = [&plot.x, &plot.y][axis].scale;
    let mut found: Option<[f64; 2]> = None;
    let mut see = |value: f64| {
        if let Some(place) = axis_value(scale, value) {
            let [minimum, maximum] = found.unwrap_or([place; 2]);
            found = Some([minimum.min(place), maximum.max(place)]);
        }
    };
    for mark in &plot.marks {
        match mark {
            Mark::Line { points, .. } | Mark::Points { points, .. } => {
                points.iter().filter(|p| is_finite(p)).for_each(|p| see(p[axis]));
            }
            Mark::Area { upper, lower, .. } => {
                upper.iter().chain(lower).filter(|p| is_finite(p)).for_each(|p| see(p[axis]));
            }
            Mark::Rule { at, is_horizontal, .. } => {
                if *is_horizontal == (axis == 1) {
                    see(*at);
                }
            }
            Mark::Cells { x_edges, y_edges, .. } => {
                [x_edges, y_edges][axis].iter().for_each(|edge| see(*edge));
            }
            Mark::Picture { corners, .. } => corners.iter().for_each(|corner| see(corner[axis])),
            Mark::Text { at, .. } => see(at[axis]),
        }
    }
    found
}

fn is_finite(point: &[f64; 2]) -> bool {
    point.iter().all(|value| value.is_finite())
}

/// Extends one of the ranges so that a unit has the same length along both.
fn equalise_units(spans: &mut [AxisSpan; 2], size: [f64; 2]) {
    let length = |span: &AxisSpan| (span.to - span.from).abs();
    let a_pixel = (length(&spans[0]) / size[0]).max(length(&spans[1]) / size[1]);
    for (span, pixels) in spans.iter_mut().zip(size) {
        let (middle, half) = ((span.from + span.to) / 2.0, a_pixel * pixels / 2.0);
        let half = if span.from < span.to { half } else { -half };
        (span.from, span.to) = (middle - half, middle + half);
    }
}
