//! Bodies that start at rest.
//!
//! A rope of the shape `Rest`, or `starts_at_rest`, moves the whole body to its equilibrium when
//! the scene is built, so every command, sweep and fit has the same initial state.

use super::assembly::PartLayers;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::schema::Settings;
use super::stack::{Stack, refuse};
use catena_analysis::statics::{max_quick_nodes, rest_at_start};
use catena_sim::{Setup, State};
use std::sync::Arc;

/// Field that makes a body start at rest.
#[derive(Clone, Copy, Debug)]
enum AtRest {
    /// `starts_at_rest`.
    Body,
    /// Shape of the rope in a body without parts.
    Rope,
    /// Shape of a rope in the list of parts, with the index of the part.
    Part(usize),
}

/// Moves a body to its equilibrium if its settings request it.
///
/// # Errors
/// Returns an error when the body has no equilibrium, or it was not found.
pub(super) fn started(
    stack: &Stack<'_>,
    settings: &Settings,
    setup: Arc<Setup>,
) -> Result<Arc<Setup>, SceneError> {
    let Some(field) = field(stack, settings) else { return Ok(setup) };
    let refused = |fault: Fault| {
        let mut entries = settings.parts.iter().flat_map(|list| &list.0);
        match field {
            AtRest::Body => refuse(stack, "starts_at_rest", fault),
            AtRest::Rope => refuse(stack, SHAPE, fault),
            AtRest::Part(index) => match entries.nth(index) {
                Some(entry) => refuse(&PartLayers::new(stack).stack(index, entry), SHAPE, fault),
                None => refuse(stack, SHAPE, fault),
            },
        }
    };
    let (nodes, maximum) = (setup.model.nodes(), max_quick_nodes(&setup.model));
    if nodes > maximum {
        let message = format!(
            "finding the equilibrium of {nodes} nodes would take too long while the scene is read"
        );
        let help = format!("use at most {maximum} nodes, or another shape");
        return Err(refused(Fault::new(message).help(help)));
    }
    let rest = rest_at_start(&setup).map_err(|reason| {
        let fault = Fault::new(format!("the body has no equilibrium to start from: {reason}"));
        let instead = match field {
            AtRest::Body => "remove `starts_at_rest`",
            AtRest::Rope | AtRest::Part(_) => "choose another shape, such as Straight",
        };
        refused(fault.help(format!("{}; or {instead}", reason.help_at_start())))
    })?;
    let initial = State { x: rest.x, ..setup.initial.clone() };
    let started = Arc::unwrap_or_clone(setup).starting_at(initial);
    started.map(Arc::new).map_err(|bad| {
        refused(Fault::new(format!("the body cannot start in its equilibrium: {}", bad.message)))
    })
}

const SHAPE: &str = "rope.shape";

/// Returns the field that makes the body start at rest, if there is one.
fn field(stack: &Stack<'_>, settings: &Settings) -> Option<AtRest> {
    if settings.starts_at_rest == Some(true) {
        return Some(AtRest::Body);
    }
    let rests = |settings: &Settings| {
        let shape = settings.rope.as_ref().and_then(|rope| rope.shape.as_ref());
        shape.and_then(|shape| shape.read().ok()).is_some_and(|shape| shape.rests())
    };
    match &settings.parts {
        Some(list) if !list.0.is_empty() => {
            let layers = PartLayers::new(stack);
            let part = list.0.iter().position(|entry| is_rope(&layers.settings(entry), rests));
            part.map(AtRest::Part)
        }
        _ => is_rope(settings, rests).then_some(AtRest::Rope),
    }
}

/// Whether settings describe a rope that meets a condition. Other shapes hide the default rope.
fn is_rope(settings: &Settings, condition: impl Fn(&Settings) -> bool) -> bool {
    let is_other = settings.cloth.is_some()
        || settings.mesh.is_some()
        || settings.graph.is_some()
        || settings.solid.is_some()
        || settings.net.is_some();
    !is_other && condition(settings)
}
