//! What a body is called wherever words name it: in pictures, figures, tables and messages.
//!
//! A panel with one body lends it the panel's label. Where a panel has several, each goes by its
//! own label, and by `panel: body` where something else in the scene has that label too.

use super::build::{Panel, Scene};
use std::collections::HashMap;

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
