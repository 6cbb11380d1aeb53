//! Data of a node, the fitted run, and their residuals.

use super::{DARK, Look, NumberTable, Study, TIME, nth_look};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot};
use catena_analysis::fit::Fitted;
use catena_base::text::number::{digits, short};

/// Data and the fitted run.
pub struct FitCurves<'a> {
    /// Label of the body.
    pub label: &'a str,
    /// Estimated values of the fields.
    pub fitted: &'a Fitted,
    /// Positions of nodes in the data and in the fitted run, in the order of time.
    pub moments: Vec<FitMoment>,
    /// Number of axes.
    pub axes: usize,
}

/// Position of a node at a time, by data and by the fitted run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitMoment {
    /// Index of the node.
    pub node: usize,
    /// Simulated time.
    pub t: f64,
    /// Position in the data.
    pub data: [f64; 3],
    /// Position in the fitted run.
    pub run: [f64; 3],
}

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Figure of the node that moves farthest, and of the residuals of all nodes. Returns `None` if
/// there are no data.
pub fn study(curves: &FitCurves<'_>) -> Option<Study> {
    let node = farthest(&curves.moments)?;
    let own: Vec<&FitMoment> = curves.moments.iter().filter(|it| it.node == node).collect();
    let mut plots: Vec<Plot> = (0..curves.axes).map(|axis| coordinate(&own, axis, node)).collect();
    plots.push(residuals(curves));
    let caption = caption(curves, node);
    let chart = Chart {
        title: format!("Fit of {}", curves.label),
        caption: caption.clone(),
        columns: 1,
        plots,
        plot_size: [620.0, 200.0],
        ..Chart::default()
    };
    let remarks = "Residuals are the data minus the fitted run. They should look like noise: a \
                   pattern shows that the model is incomplete and that the intervals are too \
                   narrow."
        .into();
    Some(Study { name: "fit".into(), chart, caption, remarks, table: table(curves.fitted) })
}

/// Node whose data extend farthest.
fn farthest(moments: &[FitMoment]) -> Option<usize> {
    let mut nodes: Vec<usize> = moments.iter().map(|it| it.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let extent = |node: usize| {
        let range = |axis: usize| {
            let values = moments.iter().filter(|it| it.node == node).map(|it| it.data[axis]);
            let extremes = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], value| {
                [a.min(value), b.max(value)]
            });
            extremes[1] - extremes[0]
        };
        (0..3).map(range).fold(0.0, f64::max)
    };
    nodes.into_iter().max_by(|a, b| extent(*a).total_cmp(&extent(*b)))
}

/// One coordinate over time: data as points, the run as a line.
fn coordinate(own: &[&FitMoment], axis: usize, node: usize) -> Plot {
    let points = |of: fn(&FitMoment) -> [f64; 3]| -> Vec<[f64; 2]> {
        own.iter().map(|it| [it.t, of(it)[axis]]).collect()
    };
    let data = Look { color: DARK, dash: Dash::Solid, marker: Marker::Ring };
    let run = Look { dash: Dash::Solid, ..nth_look(0) };
    Plot {
        x: Axis { label: TIME.into(), ..Axis::default() },
        y: Axis { label: format!("{} of node {node}", AXES[axis]), ..Axis::default() },
        marks: vec![
            run.line(points(|it| it.run), Some("fit".into()), 1.6),
            data.points(points(|it| it.data), Some("data".into()), 3.6),
        ],
        ..Plot::default()
    }
}

/// Residuals of all nodes over time.
fn residuals(curves: &FitCurves<'_>) -> Plot {
    let of = |axis: usize| -> Mark {
        let all = curves.moments.iter();
        let points = all.map(|it| [it.t, it.data[axis] - it.run[axis]]).collect();
        nth_look(axis).points(points, Some(AXES[axis].into()), 3.0)
    };
    Plot {
        x: Axis { label: TIME.into(), ..Axis::default() },
        y: Axis { label: "residual".into(), ..Axis::default() },
        marks: (0..curves.axes).map(of).collect(),
        ..Plot::default()
    }
}

fn caption(curves: &FitCurves<'_>, node: usize) -> String {
    let one = |it: &catena_analysis::fit::Estimate| match it.interval {
        Some(bounds) => format!("{} = {} ({})", it.name, digits(it.value, 6), interval(bounds, 6)),
        None => format!("{} = {} (no interval)", it.name, digits(it.value, 6)),
    };
    let all: Vec<String> = curves.fitted.estimates.iter().map(one).collect();
    format!(
        "{}. Top: node {node}, which moves farthest. Bottom: residuals of all nodes, with a root \
         mean square of {}.",
        all.join(", "),
        short(curves.fitted.rms)
    )
}

/// Interval in words: its ends, or half its width if its ends have the same digits.
pub fn interval([low, high]: [f64; 2], count: usize) -> String {
    match [low, high].map(|end| digits(end, count)) {
        [low, high] if low != high => format!("{low} to {high}"),
        _ if low == high => "± less than rounding".into(),
        _ => format!("± {}", short(0.5 * (high - low))),
    }
}

/// Both ends of an interval, with enough digits to distinguish them.
fn apart([low, high]: [f64; 2]) -> [String; 2] {
    let ends = (6..17).map(|count| [low, high].map(|end| digits(end, count)));
    ends.into_iter()
        .find(|[low, high]| low != high)
        .unwrap_or([low, high].map(|end| digits(end, 6)))
}

fn table(fitted: &Fitted) -> NumberTable {
    let mut table =
        NumberTable::new(&["field", "start", "estimate", "standard error", "low", "high"]);
    for it in &fitted.estimates {
        let number = |value: Option<f64>| value.map_or("-".into(), |value| digits(value, 6));
        table.rows.push(vec![
            it.name.clone(),
            digits(it.start, 6),
            digits(it.value, 6),
            number(it.error),
        ]);
        let bounds = it.interval.map_or(["-".into(), "-".into()], apart);
        table.rows.last_mut().into_iter().for_each(|row| row.extend(bounds.clone()));
    }
    table
}
