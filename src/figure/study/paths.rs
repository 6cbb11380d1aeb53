//! The path of a node, and its phase portrait.

use super::{Study, Subject};
use crate::analysis::node_path::NodeMoment;
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot};
use crate::text::number::short;

/// The motion of a node of a body.
pub struct NodePath<'a> {
    /// The body.
    pub subject: Subject<'a>,
    /// The index of the node.
    pub node: usize,
    /// Its position and velocity in each frame.
    pub moments: Vec<NodeMoment>,
}

/// The path in x and y; `None` where no run has a second frame.
pub fn path(paths: &[NodePath<'_>]) -> Option<Study> {
    let plot = |path: &NodePath<'_>| Plot {
        title: Some(path.subject.label.clone()),
        x: Axis { label: "x".into(), ..Axis::default() },
        y: Axis { label: "y".into(), ..Axis::default() },
        marks: path_marks(path, |moment| [moment.x[0], moment.x[1]]),
        equal_aspect: true,
        ..Plot::default()
    };
    let finding = format!("Where the node goes, from the ring on. {}", sentences(paths));
    study("path", "Path of a node", paths, &plot, finding)
}

/// Vertical velocity over height; `None` where no run has a second frame.
pub fn portrait(paths: &[NodePath<'_>]) -> Option<Study> {
    let plot = |path: &NodePath<'_>| Plot {
        title: Some(path.subject.label.clone()),
        x: Axis { label: "y".into(), ..Axis::default() },
        y: Axis { label: "velocity along y".into(), ..Axis::default() },
        marks: path_marks(path, |moment| [moment.x[1], moment.v[1]]),
        ..Plot::default()
    };
    let finding = format!(
        "Height and vertical velocity of the node, frame by frame: a curve that winds inwards loses energy, one that winds outwards gains it. {}",
        sentences(paths)
    );
    study("phase_portrait", "Phase portrait of a node", paths, &plot, finding)
}

fn path_marks(path: &NodePath<'_>, of: impl Fn(&NodeMoment) -> [f64; 2]) -> Vec<Mark> {
    let points: Vec<[f64; 2]> = path.moments.iter().map(of).collect();
    let start = points.first().copied().into_iter().collect();
    let color = path.subject.color;
    vec![
        Mark::Line { points, color, label: None, dash: Dash::Solid, width: 1.0 },
        Mark::Points { points: start, color, label: None, shape: Marker::Ring, size: 8.0 },
    ]
}

fn sentences(paths: &[NodePath<'_>]) -> String {
    let one = |path: &NodePath<'_>| {
        let speed = |m: &NodeMoment| m.v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let fastest = path.moments.iter().map(speed).fold(0.0, f64::max);
        let last = path.moments.last().map_or([0.0; 3], |moment| moment.x);
        format!(
            "{}: node {} is at ({}, {}) where the curve ends, at t = {}, and at no frame faster than {}.",
            path.subject.label,
            path.node,
            short(last[0]),
            short(last[1]),
            short(path.moments.last().map_or(0.0, |moment| moment.t)),
            short(fastest)
        )
    };
    paths.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn study(
    name: &str,
    title: &str,
    paths: &[NodePath<'_>],
    plot: &dyn Fn(&NodePath<'_>) -> Plot,
    finding: String,
) -> Option<Study> {
    if paths.iter().all(|path| path.moments.len() < 2) {
        return None;
    }
    let chart = Chart {
        title: title.into(),
        caption: finding.clone(),
        columns: paths.len().min(3),
        plots: paths.iter().map(plot).collect(),
        plot_size: [300.0, 280.0],
        one_scale: true,
    };
    Some(Study { name: name.into(), chart, finding })
}
