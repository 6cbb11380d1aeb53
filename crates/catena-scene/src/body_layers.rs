//! Layers of one body, and the same body built with other settings.

use super::error::SceneError;
use super::files::Files;
use super::layered::{FieldValue, join};
use super::limits::{Limits, too_many};
use super::load::parse;
use super::panel_layers::panel_layers;
use super::parts::{Body, Scene};
use super::rivals::{faults, rival};
use super::schema::Settings;
use super::source::Source;
use super::stack::{ParsedScene, PlacedSettings, Stack, merged, over, refuse};
use super::{body, totals};
use crate::grammar::Scope;
use crate::layer_faults::check_layer;
use catena_ron::one_line;
use std::sync::Arc;

/// Layers of one body, from which it can be built with other settings.
pub(super) struct BodyLayers<'a> {
    /// Layers below the command line.
    pub(super) lower: Stack<'a>,
    /// Whether each element of `lower` belongs to this body alone.
    pub(super) is_own: Vec<bool>,
    /// Layers of the command line.
    pub(super) overrides: Stack<'a>,
    /// Files of the scene.
    pub(super) files: &'a Arc<Files>,
    pub(super) axes: usize,
}

impl<'a> BodyLayers<'a> {
    /// Returns the text of a field on one line, or `None` if no layer sets it.
    pub(super) fn field(&self, path: &str) -> Option<String> {
        let layers = self.lower.iter().chain(&self.overrides);
        let in_layer = |layer: &PlacedSettings<'a>, path: &str| {
            layer.source.root().locate(&join(&layer.prefix, path))
        };
        // A field below a layer that sets its rival has no effect.
        let decides = |layer: &&PlacedSettings<'a>| {
            let rival = rival(path).and_then(|rival| in_layer(layer, rival));
            in_layer(layer, path).or(rival).is_some()
        };
        let layer = layers.rev().find(decides)?;
        in_layer(layer, path).map(|node| one_line(node.text()))
    }

    /// Whether a layer above the base sets a field. Layers of the command line do not count.
    pub(super) fn sets_itself(&self, path: &str) -> bool {
        self.lower.iter().skip(2).any(|layer| {
            let mut set = Vec::new();
            layer.settings.set_paths("", Scope::Body, &mut set);
            set.iter().any(|(own, _)| own == path)
        })
    }

    /// Builds the body with additional settings, as if they were in its own `with`. Fields at the
    /// paths `left_out` are removed from the body's own layers.
    ///
    /// # Errors
    /// Returns an error when the settings cannot be read or used, or the body would have more than
    /// `max_nodes` nodes.
    pub(super) fn build(
        &self,
        settings: &str,
        left_out: &[String],
        max_nodes: u64,
    ) -> Result<Body, SceneError> {
        let source = Source::new("settings", format!("({settings})"), self.files);
        let settings: Settings = parse(&source, &Limits::unlimited())?;
        let more = PlacedSettings { source: &source, prefix: String::new(), settings: &settings };
        check_layer(&more, Scope::Body)?;
        let mut cleared = self.cleared(left_out);
        // The body's own `with` and the settings are merged into one layer. In separate layers, a
        // field such as a material would hide the fields that contradict it, instead of being
        // rejected.
        let has_own_with = self.is_own.last() == Some(&true);
        if let (true, Some(top), Some(last)) = (has_own_with, self.lower.last(), cleared.last_mut())
        {
            last.get_or_insert_with(|| top.settings.clone()).overlay(&settings);
        }
        let layers = self.lower.iter().zip(&cleared);
        let lower: Stack<'_> = layers
            .map(|(layer, cleared)| PlacedSettings {
                settings: cleared.as_ref().unwrap_or(layer.settings),
                ..layer.clone()
            })
            .collect();
        if let Some(fault) = lower.iter().flat_map(faults).next() {
            return Err(fault);
        }
        let above: &[PlacedSettings<'_>] = if has_own_with { &[] } else { &[more] };
        let stack = over(&lower, above, &self.overrides);
        let nodes = totals::nodes(&stack, &merged(&stack))?;
        if nodes > max_nodes {
            return Err(refuse(&stack, "", too_many(nodes, "nodes", max_nodes)));
        }
        body::build(None, &stack, self.axes, None)
    }

    /// Returns the settings of each of the body's own layers, without the fields at `left_out`.
    fn cleared(&self, left_out: &[String]) -> Vec<Option<Settings>> {
        let without = |(layer, is_own): (&PlacedSettings<'_>, &bool)| {
            (*is_own && !left_out.is_empty()).then(|| {
                let mut settings = layer.settings.clone();
                left_out.iter().for_each(|path| settings.leave_out(path));
                settings
            })
        };
        self.lower.iter().zip(&self.is_own).map(without).collect()
    }
}

/// Returns the layers of a body below the command line, and whether each belongs to this body
/// alone. Returns `None` if there is no such body.
fn lower_layers(parsed: &ParsedScene, panel: usize, body: usize) -> Option<(Stack<'_>, Vec<bool>)> {
    let (panels, _) = panel_layers(parsed, &Limits::unlimited()).ok()?;
    let lower = parsed.lower();
    let mut layers = over(&lower, &panels.get(panel)?.layers, &[]);
    let is_of_one_panel = |layer: &PlacedSettings<'_>| {
        let is_it = |other: &PlacedSettings<'_>| std::ptr::eq(other.settings, layer.settings);
        match lower.iter().any(is_it) {
            true => panels.len() == 1 && !std::ptr::eq(layer.settings, &parsed.defaults.settings),
            false => panels.iter().filter(|panel| panel.layers.iter().any(is_it)).count() == 1,
        }
    };
    let mut is_own: Vec<bool> = layers.iter().map(is_of_one_panel).collect();
    let overrides = parsed.overrides();
    let all = layers.iter().chain(&overrides).rev();
    let owner = all.clone().find(|layer| layer.settings.bodies.is_some()).cloned();
    let list = owner.as_ref().and_then(|owner| owner.settings.bodies.as_ref());
    match list.map_or(&[][..], |list| &list.0) {
        [] => (body == 0).then_some((layers, is_own)),
        list => {
            let (owner, layer) = (owner?, list.get(body)?);
            // Layers below the list belong to all of its bodies.
            if list.len() > 1 {
                is_own.fill(false);
            }
            is_own.push(is_of_one_panel(&owner));
            // If the command line sets the bodies, its other settings are still above them.
            let prefix = join(&owner.prefix, &format!("bodies[{body}].with"));
            layers.push(PlacedSettings { source: owner.source, prefix, settings: &layer.with });
            Some((layers, is_own))
        }
    }
}

impl Scene {
    /// Builds a body with additional settings, as if they were in its own `with`. Fields at the
    /// paths `left_out` are removed where they are set for this body alone. Settings of the command
    /// line override both.
    ///
    /// # Errors
    /// Returns an error when the settings cannot be read or contradict others.
    pub fn body_with(
        &self,
        panel: usize,
        body: usize,
        settings: &str,
        left_out: &[String],
    ) -> Result<Body, SceneError> {
        self.layers_of(panel, body).build(settings, left_out, u64::MAX)
    }

    /// Returns the layers of the body with index `body` of a panel.
    pub(super) fn layers_of(&self, panel: usize, body: usize) -> BodyLayers<'_> {
        // The file also counts panels and bodies that are not shown.
        let place = self.shown.get(panel);
        let bodies = place.and_then(|place| place.bodies.as_ref());
        let in_file = [
            place.map_or(panel, |place| place.index),
            bodies.and_then(|bodies| bodies.get(body).copied()).unwrap_or(body),
        ];
        let [in_panel, of_body] = in_file;
        let (lower, is_own) = lower_layers(&self.parsed, in_panel, of_body).unwrap_or_default();
        let overrides = self.parsed.overrides();
        let files = &self.parsed.source.files;
        BodyLayers { lower, is_own, overrides, files, axes: self.axes }
    }
}
