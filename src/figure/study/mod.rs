//! The figures of a report: one file each. A figure is a chart, and what it says in words and numbers.

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

/// Names of all figures.
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

/// A figure, ready to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Name of its files, without the ending.
    pub name: String,
    /// What is drawn.
    pub chart: Chart,
    /// What it shows, in words and with numbers of the run.
    pub finding: String,
}

/// A body of a scene, as figures call it.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The place of its panel.
    pub panel: usize,
    /// What it is called; see [`Scene::body_labels`].
    pub label: String,
    /// Its colour: that of its method where every body has another one, else one for each body.
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
