//! Pinned nodes that move: along curves, or with bones.

use super::build::BuiltRig;
use crate::scene::diagnostic::Fault;
use crate::scene::entries::AnchorEntry;
use crate::scene::error::SceneError;
use crate::scene::schema::Settings;
use crate::scene::stack::{Stack, refuse};
use crate::sim::drive::Anchor;
use crate::sim::drive::rig::BonePin;
use crate::sim::glam::DVec3;
use crate::sim::{Curve, Model, Part, State};
use std::collections::HashSet;
use std::sync::Arc;

/// What an entry is read against.
struct Pinned<'a> {
    stack: &'a Stack<'a>,
    model: &'a Model,
    initial: &'a State,
    rig: Option<&'a BuiltRig>,
    /// The time at which the body starts.
    start: f64,
}

/// The curves of pinned nodes that move, each node with one.
///
/// # Errors
/// Where an entry names a node that is not pinned, twice one node, a bone that is not there, or
/// neither a curve nor a bone.
pub(in crate::scene) fn anchors(
    stack: &Stack<'_>,
    settings: &Settings,
    ((model, initial), parts): ((&Model, &State), &[Part]),
    rig: Option<&BuiltRig>,
) -> Result<Vec<Anchor>, SceneError> {
    let entries = settings.anchors.as_ref().map_or(&[][..], |list| &list.0);
    let start = rig.map_or(0.0, |rig| rig.start);
    let pinned = Pinned { stack, model, initial, rig, start };
    let mut anchors: Vec<Anchor> = Vec::with_capacity(entries.len());
    let mut moved = HashSet::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let Some(name) = &entry.node else {
            if index + 1 == entries.len() {
                continue;
            }
            let fault = Fault::new("an entry without a `node`, for all other pins, comes last");
            let help = "move it to the end of the list, or name the node";
            return Err(refuse(stack, &format!("anchors[{index}]"), fault.help(help)));
        };
        let path = format!("anchors[{index}].node");
        let node = name.of(parts).map_err(|fault| refuse(stack, &path, fault))?;
        // An event may pin it; the setup knows.
        if model.pinned.get(node) != Some(&true) && settings.events.is_none() {
            let fault = Fault::new(format!("node {name} cannot be moved: it is not pinned"));
            return Err(refuse(stack, &path, fault.help("add it to `pins`")));
        }
        if !moved.insert(node) {
            let fault = Fault::new(format!("node {name} has two curves"));
            return Err(refuse(stack, &path, fault.help("leave one of them out")));
        }
        anchors.push(Anchor { node, curve: pinned.curve(index, entry, node)? });
    }
    for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.node.is_none()) {
        let rest: Vec<usize> =
            (0..model.nodes()).filter(|node| model.pinned[*node] && moved.insert(*node)).collect();
        if rest.is_empty() {
            let fault = Fault::new("no pinned node is left for an entry without a `node`");
            let help = "pin nodes, or name the node";
            return Err(refuse(stack, &format!("anchors[{index}]"), fault.help(help)));
        }
        for node in rest {
            anchors.push(Anchor { node, curve: pinned.curve(index, entry, node)? });
        }
    }
    Ok(anchors)
}

impl Pinned<'_> {
    /// What a node moves along.
    fn curve(
        &self,
        index: usize,
        entry: &AnchorEntry,
        node: usize,
    ) -> Result<Arc<dyn Curve>, SceneError> {
        let path = |name: &str| format!("anchors[{index}].{name}");
        let refused = |name: &str, fault: Fault| refuse(self.stack, &path(name), fault);
        match (&entry.curve.0, &entry.bone) {
            (Some(curve), None) => {
                if entry.offset.is_some() {
                    let fault = Fault::new("an offset is measured from a bone, and here is none");
                    return Err(refused("offset", fault.help("leave it out")));
                }
                let curve = curve.read_for(self.model.axes, self.model.nodes());
                curve.map(Arc::from).map_err(|fault| refused("curve", fault))
            }
            (None, Some(bone)) => self.on_bone(bone, entry, node, refused),
            (given, _) => {
                let message = match given {
                    Some(_) => "a node moves along a curve or with a bone, and this says both",
                    None => "nothing says how the node moves",
                };
                let help = "write either `curve: …` or `bone: \"…\"`";
                Err(refuse(
                    self.stack,
                    &format!("anchors[{index}]"),
                    Fault::new(message).help(help),
                ))
            }
        }
    }

    /// A point of a bone.
    fn on_bone(
        &self,
        bone: &str,
        entry: &AnchorEntry,
        node: usize,
        refused: impl Fn(&str, Fault) -> SceneError,
    ) -> Result<Arc<dyn Curve>, SceneError> {
        let Some(built) = self.rig else {
            let fault = Fault::new("the body has no rig, and so no bones");
            return Err(refused("bone", fault.help("add `rig: (bones: […])` to the body")));
        };
        let animation = &built.shown.rig.animation;
        let pin = |offset: DVec3| BonePin::new(Arc::clone(animation), bone, offset);
        let names = || {
            let names: Vec<_> =
                animation.skeleton().names().iter().map(|name| format!("\"{name}\"")).collect();
            format!("there are {}", names.join(", "))
        };
        let unknown =
            |bad: crate::sim::BadSetup| refused("bone", Fault::new(bad.message).help(names()));
        let offset = match &entry.offset {
            Some(offset) => DVec3::from_array(offset.xyz()),
            None => {
                let place = self.initial.position(self.model.nodes(), node);
                let origin = pin(DVec3::ZERO).map_err(unknown)?;
                origin.offset_of(DVec3::from_array(place), self.start)
            }
        };
        let pin = pin(offset).map_err(unknown)?;
        pin.fits(self.model.axes, self.model.nodes())
            .map_err(|bad| refused("bone", Fault::new(format!("expected {}", bad.expected))))?;
        Ok(Arc::new(pin))
    }
}
