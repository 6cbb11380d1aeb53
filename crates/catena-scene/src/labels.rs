//! What panels and bodies are called wherever words name them: in pictures, figures, tables and
//! messages.
//!
//! A body has the label that the scene gives it, or its method's title. Outside of its own panel it
//! goes by [`Scene::body_labels`], so that no two bodies have the same name unless the scene itself
//! gives them one: a single body has its panel's label, and where a panel has several, each has its
//! own, or `panel: body` where something else in the scene has that label too.

use super::parts::{Body, Panel, Scene};
use super::schema::Layer;
use catena_sim::method::MethodInfo;
use std::collections::HashMap;

/// The label of a body: the scene's, or the title of its method.
pub(super) fn of_body(given: Option<String>, method: &MethodInfo) -> String {
    given.unwrap_or_else(|| method.title.into())
}

/// The label of a panel, and whether the scene gave it; otherwise it is made of its bodies' labels.
pub(super) fn of_panel(given: Option<String>, bodies: &[Body]) -> (String, bool) {
    match given.filter(|label| !label.trim().is_empty()) {
        Some(label) => (label, true),
        None => {
            let label = match bodies {
                [a] => a.label.clone(),
                [a, b] => format!("{} and {}", a.label, b.label),
                many => format!("{} ropes", many.len()),
            };
            (label, false)
        }
    }
}

/// Name of a panel in messages before it is built: its label in quotes, or its number from 1.
pub(super) fn of_layers(given: Option<&str>, index: usize) -> String {
    match given.filter(|label| !label.trim().is_empty()) {
        Some(label) => format!("panel \"{label}\""),
        None => format!("panel {}", index + 1),
    }
}

/// The label of a row or column of a grid, by its place where the scene gives none: `row 1`.
pub(super) fn of_grid_line(layer: &Layer, kind: &str, index: usize) -> String {
    layer.label.clone().unwrap_or_else(|| format!("{kind} {}", index + 1))
}

impl Scene {
    /// The label of every body, panel by panel and in the order of the bodies.
    pub fn body_labels(&self) -> Vec<String> {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for label in self.panels.iter().flat_map(short_labels) {
            *uses.entry(label).or_default() += 1;
        }
        let full = |panel: &Panel, label: &str| match &panel.bodies[..] {
            [_] => label.to_owned(),
            _ if uses.get(label) == Some(&1) => label.to_owned(),
            _ => format!("{}: {label}", panel.label),
        };
        let of_panel =
            |panel| short_labels(panel).into_iter().map(|label| full(panel, label)).collect();
        self.panels.iter().flat_map(|panel| -> Vec<String> { of_panel(panel) }).collect()
    }
}

/// The panel's label where it has one body, otherwise the bodies' own.
fn short_labels(panel: &Panel) -> Vec<&str> {
    match &panel.bodies[..] {
        [_] => vec![&panel.label],
        many => many.iter().map(|body| body.label.as_str()).collect(),
    }
}
