//! Anchors of a body: pinned nodes that follow curves, velocities or bones, and free nodes that
//! springs pull.

use super::diagnostic::Fault;
use super::entries::AnchorEntry;
use super::error::SceneError;
use super::node::NodeName;
use super::over_time::{Changing, with_rows};
use super::rig::BuiltRig;
use super::rivals;
use super::schema::Settings;
use super::stack::{Stack, refuse, required};
use catena_sim::contact::{Contacts, StopSteps, Stopped};
use catena_sim::drive::rig::BonePin;
use catena_sim::drive::{Anchor, Driven, Velocity};
use catena_sim::force::SoftPin;
use catena_sim::glam::DVec3;
use catena_sim::{Curve, Model, State};
use std::collections::HashSet;
use std::sync::Arc;

/// Context in which an anchor entry is read.
struct Pinned<'a> {
    stack: &'a Stack<'a>,
    model: &'a Model,
    initial: &'a State,
    rig: Option<&'a BuiltRig>,
    contacts: &'a Contacts,
    /// Steps of the run. The first step begins when the body starts.
    steps: StopSteps,
}

/// Anchors of a body, by their kind.
#[derive(Default)]
pub(super) struct Anchored {
    /// Pinned nodes and their curves.
    pub(super) anchors: Vec<Anchor>,
    /// List entry index of each element of `anchors`.
    pub(super) entries: Vec<usize>,
    /// Free nodes that springs pull toward a curve.
    pub(super) soft: Vec<SoftPin>,
}

/// Reads the anchors of a body. Each node has at most one.
///
/// # Errors
/// Returns an error when an entry does not fit its node: it lacks a stiffness and the node is free,
/// or the reverse. Other causes are a repeated node, an unknown bone, an unsuitable curve, or
/// neither a curve nor a bone.
pub(super) fn anchored(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
    initial: &State,
    contacts: &Contacts,
    rig: Option<&BuiltRig>,
) -> Result<Anchored, SceneError> {
    let entries = settings.anchors.as_ref().map_or(&[][..], |list| &list.0);
    let start = rig.map_or(0.0, |rig| rig.start);
    let frame_time = required(stack, "frame_time", settings.frame_time.as_ref())?.0;
    let substeps = rivals::substeps(stack, settings, frame_time)?;
    let steps = StopSteps { start, dt: frame_time / substeps as f64 };
    let pinned = Pinned { stack, model, initial, rig, contacts, steps };
    let parts = model.part_list();
    let (mut all, mut moved) = (Anchored::default(), HashSet::new());
    for (index, entry) in entries.iter().enumerate() {
        let refused = |name: &str, fault| refuse(stack, &format!("anchors[{index}].{name}"), fault);
        let nodes = match &entry.node {
            None => pinned.others(index, entry, &mut moved)?,
            Some(name) => {
                let node = name.of(&parts).map_err(|fault| refused("node", fault))?;
                let is_pinned = model.pinned.get(node) == Some(&true);
                check_hold(entry, name, is_pinned, settings.events.is_some())
                    .map_err(|(field, fault)| refused(field, fault))?;
                if !moved.insert(node) {
                    let fault = Fault::new(format!("node {name} has two curves"));
                    return Err(refused("node", fault.help("remove one of them")));
                }
                vec![node]
            }
        };
        for node in nodes {
            let curve = pinned.curve(index, entry, node)?;
            let curve = pinned.stopped(index, entry, node, curve)?;
            let Some(stiffness) = entry.stiffness else {
                all.anchors.push(Anchor { node, curve });
                all.entries.push(index);
                continue;
            };
            let damping = entry.damping.map_or(0.0, |damping| damping.0);
            all.soft.push(SoftPin { node, target: curve, stiffness: stiffness.0, damping });
        }
    }
    Ok(all)
}

/// Rejects an anchor that contradicts how its node is held, with the field at fault. With events, a
/// free node is accepted, because an event may pin it; the setup checks that.
fn check_hold(
    entry: &AnchorEntry,
    name: &NodeName,
    is_pinned: bool,
    has_events: bool,
) -> Result<(), (&'static str, Fault)> {
    if entry.stiffness.is_none() && !is_pinned && !has_events {
        let fault = Fault::new(format!("node {name} cannot be moved: it is not pinned"));
        return Err(("node", fault.help("add it to `pins`, or set `stiffness`")));
    }
    if entry.stiffness.is_some() && is_pinned {
        let fault = Fault::new(format!("node {name} is pinned, so a spring cannot pull it"));
        return Err(("stiffness", fault.help("remove the node from `pins`, or remove this entry")));
    }
    if entry.stiffness.is_none() && entry.damping.is_some() {
        let fault = Fault::new("`damping` needs `stiffness`, which is not set");
        return Err((
            "damping",
            fault.help("set `stiffness`, or remove `damping`: a pin without `stiffness` is rigid"),
        ));
    }
    Ok(())
}

impl Pinned<'_> {
    /// Returns the pinned nodes that no earlier entry names, for an entry without a node.
    fn others(
        &self,
        index: usize,
        entry: &AnchorEntry,
        moved: &mut HashSet<usize>,
    ) -> Result<Vec<usize>, SceneError> {
        let refused = |message: &str, help: &str| {
            let fault = Fault::new(message.to_owned()).help(help);
            refuse(self.stack, &format!("anchors[{index}]"), fault)
        };
        if entry.stiffness.is_some() {
            let message = "an entry with `stiffness` needs a `node`: the nodes without an entry \
                           are pinned";
            return Err(refused(message, "set `node`, or remove `stiffness`"));
        }
        let is_other = |node: &usize| self.model.pinned[*node] && moved.insert(*node);
        let rest: Vec<usize> = (0..self.model.nodes()).filter(is_other).collect();
        if rest.is_empty() {
            let message = "an entry without a `node` has no effect here: no pinned node is left";
            return Err(refused(
                message,
                "set `node`, or pin more nodes; earlier entries take the nodes that they name",
            ));
        }
        Ok(rest)
    }

    /// Returns the curve that a node follows.
    fn curve(
        &self,
        index: usize,
        entry: &AnchorEntry,
        node: usize,
    ) -> Result<Arc<dyn Curve>, SceneError> {
        let path = |name: &str| format!("anchors[{index}].{name}");
        let refused = |name: &str, fault: Fault| refuse(self.stack, &path(name), fault);
        if entry.offset.is_some() && entry.bone.is_none() {
            let fault = Fault::new("`offset` needs `bone`, which is not set");
            return Err(refused("offset", fault.help("set `bone`, or remove `offset`")));
        }
        let limits = [("from", entry.from.is_some()), ("until", entry.until.is_some())];
        if let (None, Some((name, _))) = (&entry.velocity.0, limits.iter().find(|limit| limit.1)) {
            let message = format!("`{name}` needs `velocity`, which is not set");
            let help = "set `velocity`, or remove this; the keys of a curve set its times";
            return Err(refused(name, Fault::new(message).help(help)));
        }
        match (&entry.curve.0, &entry.bone) {
            (None, None) if entry.velocity.0.is_some() => self.driven(entry, node, refused),
            (Some(_), _) | (_, Some(_)) if entry.velocity.0.is_some() => {
                let fault =
                    Fault::new("an anchor can have only one of `velocity`, `curve` and `bone`");
                let help = "keep one of them and remove the others";
                Err(refused("velocity", fault.help(help)))
            }
            (Some(curve), None) => {
                let axes = self.model.axes;
                let curve = curve.read_for(axes, self.model.nodes());
                let curve = curve.and_then(|curve| with_rows(curve.into(), axes, self.stack));
                curve.map_err(|fault| refused("curve", fault))
            }
            (None, Some(bone)) => self.on_bone(bone, entry, node, refused),
            (given, _) => {
                let message = match given {
                    Some(_) => "a node moves along a curve or with a bone, not both",
                    None => "the entry needs `curve` or `bone`",
                };
                let help = "write one of `curve: …`, `velocity: …` and `bone: \"…\"`";
                Err(refuse(
                    self.stack,
                    &format!("anchors[{index}]"),
                    Fault::new(message).help(help),
                ))
            }
        }
    }

    /// Returns the curve of a node that starts where it is and follows a velocity.
    fn driven(
        &self,
        entry: &AnchorEntry,
        node: usize,
        refused: impl Fn(&str, Fault) -> SceneError,
    ) -> Result<Arc<dyn Curve>, SceneError> {
        let axes = self.model.axes;
        let given =
            entry.velocity.0.as_ref().map(|velocity| velocity.on(axes, self.stack)).transpose();
        let velocity = match given.map_err(|fault| refused("velocity", fault))? {
            Some(Changing::OverTime(curve)) => Velocity::Curve(curve),
            Some(Changing::Never(all)) => {
                Velocity::Constant([0, 1, 2].map(|axis| all.get(axis).copied().unwrap_or(0.0)))
            }
            None => Velocity::Constant([0.0; 3]),
        };
        if entry.stiffness.is_none() && !self.model.pinned[node] {
            let fault = Fault::new("`velocity` needs a node that is pinned from the start");
            let help = "write a `curve` for a node that an event pins";
            return Err(refused("velocity", fault.help(help)));
        }
        let start = self.initial.position(self.model.nodes(), node);
        let from = entry.from.map_or(self.steps.start, |from| from.0);
        let driven = Driven::new(start, velocity, from, entry.until.map(|until| until.0));
        driven
            .check()
            .map_err(|bad| refused(bad.option, Fault::new(format!("expected {}", bad.expected))))?;
        Ok(Arc::new(driven))
    }

    /// Returns a curve that stops at the colliders of the body, if the entry asks for that.
    fn stopped(
        &self,
        index: usize,
        entry: &AnchorEntry,
        node: usize,
        curve: Arc<dyn Curve>,
    ) -> Result<Arc<dyn Curve>, SceneError> {
        if entry.stops_at_colliders != Some(true) {
            return Ok(curve);
        }
        let Contacts { colliders, radius, drawn, .. } = self.contacts;
        if colliders.is_empty() {
            let fault = Fault::new("`stops_at_colliders` has no effect: the body has no colliders");
            let path = format!("anchors[{index}].stops_at_colliders");
            return Err(refuse(
                self.stack,
                &path,
                fault.help("add `colliders`, or remove `stops_at_colliders`"),
            ));
        }
        let part = self.model.part_list().iter().position(|part| part.nodes.contains(&node));
        let drawn = drawn.as_ref().zip(part).and_then(|(drawn, part)| drawn.parts.get(part));
        let radius = drawn.map_or(*radius, |part| 0.5 * part.thickness);
        let steps = entry.velocity.0.is_some().then_some(self.steps);
        Ok(Arc::new(Stopped::new(curve, colliders.clone(), radius, steps)))
    }

    /// Returns a curve that follows a point of a bone.
    fn on_bone(
        &self,
        bone: &str,
        entry: &AnchorEntry,
        node: usize,
        refused: impl Fn(&str, Fault) -> SceneError,
    ) -> Result<Arc<dyn Curve>, SceneError> {
        let Some(built) = self.rig else {
            let fault = Fault::new("the body has no rig and therefore no bones");
            return Err(refused("bone", fault.help("add `rig: (bones: […])` to the body")));
        };
        let animation = &built.shown.rig.animation;
        let pin = |offset: DVec3| BonePin::new(Arc::clone(animation), bone, offset);
        built.bone(bone).map_err(|fault| refused("bone", fault))?;
        let unknown = |bad: catena_sim::BadSetup| refused("bone", Fault::new(bad.message));
        let offset = match &entry.offset {
            Some(offset) => DVec3::from_array(offset.xyz()),
            None => {
                let place = self.initial.position(self.model.nodes(), node);
                let origin = pin(DVec3::ZERO).map_err(unknown)?;
                origin.offset_of(DVec3::from_array(place), self.steps.start)
            }
        };
        let pin = pin(offset).map_err(unknown)?;
        pin.fits(self.model.axes, self.model.nodes())
            .map_err(|bad| refused("bone", Fault::new(format!("expected {}", bad.expected))))?;
        Ok(Arc::new(pin))
    }
}
