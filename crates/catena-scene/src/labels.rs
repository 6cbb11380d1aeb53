//! Labels of panels and bodies in pictures, figures, tables and messages.
//!
//! A body is labelled by the scene or by its method's title. Outside its panel, the label from
//! [`Scene::body_labels`] is used, so that bodies are distinguishable unless the scene repeats
//! labels. A single body has its panel's label. In a panel with several bodies, each has its own
//! label, or `panel: body` if another body of the scene has that label too.

use super::parts::{Body, Panel, Scene};
use super::schema::Layer;
use catena_sim::Setup;
use catena_sim::method::MethodInfo;
use std::collections::HashMap;

/// Returns the title of a method, followed by the slips of a setup.
pub(super) fn title(method: &MethodInfo, setup: &Setup) -> String {
    let titles = std::iter::once(method.title);
    titles.chain(setup.slips.iter().map(|slip| slip.info().title)).collect::<Vec<_>>().join(", ")
}

/// Returns a label followed by the slips of a body that it does not name.
pub(super) fn with_slips(label: &str, body: &Body) -> String {
    let lower = label.to_lowercase();
    let slips = body.setup.slips.iter().map(|slip| slip.info().title);
    let missing = slips.filter(|slip| !lower.contains(&slip.to_lowercase()));
    std::iter::once(label).chain(missing).collect::<Vec<_>>().join(", ")
}

/// Returns the label of a panel and whether the scene set it. The default is derived from the
/// labels of its bodies.
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

/// Returns the name of a panel in messages before it is built: its quoted label, or its number from
/// 1.
pub(super) fn of_layers(given: Option<&str>, index: usize) -> String {
    match given.filter(|label| !label.trim().is_empty()) {
        Some(label) => format!("panel \"{label}\""),
        None => format!("panel {}", index + 1),
    }
}

/// Returns the label of a row or column of a grid. The default is its number, such as `row 1`.
pub(super) fn of_grid_line(layer: &Layer, kind: &str, index: usize) -> String {
    layer.label.clone().unwrap_or_else(|| format!("{kind} {}", index + 1))
}

impl Scene {
    /// Returns the label of every body, panel by panel.
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

/// Returns the panel's label if it has one body, otherwise the labels of its bodies.
fn short_labels(panel: &Panel) -> Vec<&str> {
    match &panel.bodies[..] {
        [_] => vec![&panel.label],
        many => many.iter().map(|body| body.label.as_str()).collect(),
    }
}
