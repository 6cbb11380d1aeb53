//! The anchors of a body: pinned nodes that move along curves, and free ones that springs draw
//! along.

use super::diagnostic::Fault;
use super::entries::AnchorEntry;
use super::error::SceneError;
use super::schema::Settings;
use super::stack::{Stack, refuse};
use crate::sim::{Model, Part, drive::Anchor, force::SoftPin};
use std::collections::HashSet;

/// What anchors make of a body.
#[derive(Default)]
pub(super) struct Anchored {
    /// The nodes that are held.
    pub(super) anchors: Vec<Anchor>,
    /// The entry of the list that each of them has.
    pub(super) entries: Vec<usize>,
    /// The nodes that are drawn.
    pub(super) soft: Vec<SoftPin>,
}

/// The anchors of the body, each node with one.
///
/// # Errors
/// At an entry that names no node of the body, one with two curves, one that is not pinned and has
/// no stiffness or is and has one, or a curve that does not fit.
pub(super) fn anchored(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
    parts: &[Part],
) -> Result<Anchored, SceneError> {
    let (mut all, mut moved) = (Anchored::default(), HashSet::new());
    for (index, entry) in settings.anchors.iter().flat_map(|list| &list.0).enumerate() {
        let path = |field: &str| format!("anchors[{index}].{field}");
        let node = entry.node.of(parts).map_err(|fault| refuse(stack, &path("node"), fault))?;
        let is_pinned = model.pinned.get(node) == Some(&true);
        check_hold(entry, is_pinned, settings.events.is_some())
            .map_err(|(field, fault)| refuse(stack, &path(field), fault))?;
        if !moved.insert(node) {
            let fault = Fault::new(format!("node {} has two curves", entry.node));
            return Err(refuse(stack, &path("node"), fault.help("leave one of them out")));
        }
        let curve = entry.curve.read_for(model.axes, model.nodes());
        let curve = curve.map_err(|fault| refuse(stack, &path("curve"), fault))?.into();
        match entry.stiffness {
            None => {
                all.anchors.push(Anchor { node, curve });
                all.entries.push(index);
            }
            Some(stiffness) => {
                let damping = entry.damping.map_or(0.0, |damping| damping.0);
                all.soft.push(SoftPin { node, target: curve, stiffness: stiffness.0, damping });
            }
        }
    }
    Ok(all)
}

/// Refuses an anchor that does not go with how its node is held: a field, and what is wrong. An
/// event may pin the node; the setup knows.
fn check_hold(
    entry: &AnchorEntry,
    is_pinned: bool,
    has_events: bool,
) -> Result<(), (&'static str, Fault)> {
    let name = &entry.node;
    if entry.stiffness.is_none() && !is_pinned && !has_events {
        let fault = Fault::new(format!("node {name} cannot be moved: it is not pinned"));
        return Err(("node", fault.help("add it to `pins`, or draw it with a `stiffness`")));
    }
    if entry.stiffness.is_some() && is_pinned {
        let fault = Fault::new(format!("node {name} is pinned, so no spring can draw it"));
        return Err(("stiffness", fault.help("take the node from `pins`, or leave this out")));
    }
    if entry.stiffness.is_none() && entry.damping.is_some() {
        let fault = Fault::new("`damping` goes with a `stiffness`, and there is none");
        return Err(("damping", fault.help("a pin without a stiffness is rigid")));
    }
    Ok(())
}
