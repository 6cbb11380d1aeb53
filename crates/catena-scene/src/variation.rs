//! Repeated building of a body with other values of some fields, for fits.
//!
//! The texts of the scene are parsed once. Each setup equals the setup that `--set` gives with the
//! same values.

use super::body;
use super::body_layers::BodyLayers;
use super::error::SceneError;
use super::limits::{Limits, too_many};
use super::parts::Scene;
use super::patch::layer_text;
use super::read::FromRon;
use super::schema::Settings;
use super::source::Source;
use super::stack::{PlacedSettings, Stack, merged, over, refuse};
use super::totals;
use catena_sim::{Budget, Setup};
use std::sync::Arc;

/// Body of a scene that can be built with other values of its fields.
pub struct Variation<'a> {
    layers: BodyLayers<'a>,
    budget: Budget,
    max_nodes: u64,
}

impl Scene {
    /// Returns a body that can be built with other values of its fields. Returns `None` if there is
    /// no such body.
    pub fn variation(&self, panel: usize, body: usize, limits: &Limits) -> Option<Variation<'_>> {
        let budget = self.panels.get(panel)?.bodies.get(body)?.setup.budget;
        let layers = self.layers_of(panel, body);
        Some(Variation { layers, budget, max_nodes: limits.nodes })
    }
}

impl Variation<'_> {
    /// Builds the setup with values of fields above all layers of the scene. Each value has the
    /// path of its field.
    ///
    /// # Errors
    /// Returns an error when a value is invalid or does not fit the scene.
    pub fn setup(&self, values: &[(&str, String)]) -> Result<Arc<Setup>, SceneError> {
        let BodyLayers { lower, overrides, .. } = &self.layers;
        let source = |(path, value): &(&str, String)| {
            let (text, _) = layer_text(path, value, [0, 0]);
            Source::new(format!("{path}={value}"), text, self.layers.files)
        };
        let sources: Vec<Source> = values.iter().map(source).collect();
        let read = |source: &Source| {
            Settings::from_ron(source.root()).map_err(|fault| source.error(fault))
        };
        let settings: Vec<Settings> = sources.iter().map(read).collect::<Result<_, _>>()?;
        let values = sources.iter().zip(&settings).map(|(source, settings)| {
            let prefix = String::new();
            PlacedSettings { source, prefix, settings }
        });
        let stack: Stack<'_> = over(lower, overrides, &values.collect::<Vec<_>>());
        let nodes = totals::nodes(&stack, &merged(&stack))?;
        if nodes > self.max_nodes {
            return Err(refuse(&stack, "", too_many(nodes, "nodes", self.max_nodes)));
        }
        let mut setup = body::build(None, &stack, self.layers.axes, None)?.setup;
        if setup.budget != self.budget {
            Arc::make_mut(&mut setup).budget = self.budget;
        }
        Ok(setup)
    }
}
