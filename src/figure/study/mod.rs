//! The figures of a report, one file each. A figure is a chart with a finding in words and numbers.

pub mod dispersion;
pub mod energy;
pub mod modes;
pub mod order;
pub mod paths;
pub mod settling;
pub mod shape;
pub mod stability;
pub mod strip;

use super::chart::Chart;
use crate::render::theme::{Ink, method_color, nth_color};
use crate::scene::{Body, Scene};

/// The names of all figures.
pub const NAMES: [&str; 11] = [
    "strip",
    "stability_map",
    "order",
    "work_precision",
    "modes",
    "dispersion",
    "shape",
    "settling",
    "energy",
    "path",
    "phase_portrait",
];

/// A figure that can be written: a chart and a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The name of its files without extension.
    pub name: String,
    /// The chart that is drawn.
    pub chart: Chart,
    /// What the chart shows, in words and with numbers of the run.
    pub finding: String,
}

/// A body of a scene with its label and colour in figures.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The index of its panel.
    pub panel: usize,
    /// Its label; see [`Scene::body_labels`].
    pub label: String,
    /// Its colour: that of its method where all methods differ, else one for each body.
    pub color: Ink,
    /// The body.
    pub body: &'a Body,
}

/// All bodies of a scene, in order.
pub fn subjects(scene: &Scene) -> Vec<Subject<'_>> {
    let bodies = scene
        .panels
        .iter()
        .enumerate()
        .flat_map(|(panel, it)| it.bodies.iter().map(move |body| (panel, body)));
    let bodies: Vec<_> = bodies
        .zip(scene.body_labels())
        .map(|((panel, body), label)| (panel, label, body))
        .collect();
    let is_alone =
        |name: &str| bodies.iter().filter(|(_, _, body)| body.method.name == name).count() == 1;
    let all_differ = bodies.iter().all(|(_, _, body)| is_alone(body.method.name));
    let color = |(index, (_, _, body)): (usize, &(usize, String, &Body))| {
        if all_differ { method_color(body.method.name) } else { nth_color(index) }
    };
    let colors: Vec<Ink> = bodies.iter().enumerate().map(color).collect();
    bodies
        .into_iter()
        .zip(colors)
        .map(|((panel, label, body), color)| Subject { panel, label, color, body })
        .collect()
}
