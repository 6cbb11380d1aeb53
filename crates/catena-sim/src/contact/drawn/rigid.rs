//! Rigid bodies in drawn contact. Each turns about its hub: its centre, or the node that is pinned.
//!
//! The hub represents the whole body, with its mass. Another node represents the rotation: its
//! positions are rotations since the start of the step, and its velocities are angular velocities.
//! Contacts act on both nodes through levers. The corners of the body follow during the solution,
//! and its nodes afterwards.

use super::settle::{RESTING_DISPLACEMENT, RESTING_VELOCITY};
use super::solids::{RigidSolid, SolidMotion};
use super::solve::{Contact, Lever};
use super::step::DrawnStep;
use super::zones::Rigid;
use crate::body::rigid;
use crate::body::vector::{Vec3, add, along, cross, dot, norm, scaled, sub};
use crate::body::{Model, State};
use crate::contact::{ContactForces, put};
use crate::drive::motion::Placement;

/// Effect of contacts on a rigid body: its hub, and its nodes with new positions and velocities.
pub(super) struct Carried {
    hub: usize,
    nodes: Vec<(usize, Vec3, Vec3)>,
}

impl DrawnStep {
    /// Index of the node that represents the rotation of the first rigid body.
    fn first_turn(&self) -> usize {
        self.body_nodes + self.pieces.places.len()
    }

    /// Loads the motions of rigid bodies in a step.
    pub(super) fn place_solids(&mut self, model: &Model, start: &State, end: &State) {
        self.solids.clear();
        self.nodes.turns.clear();
        let (n, first) = (self.body_nodes, self.first_turn());
        for (k, solid) in self.pieces.solids.iter().enumerate() {
            let (part, turn) = (&model.parts[solid.part], first + k);
            let centre = part.nodes[0];
            let hub = part.nodes.iter().copied().find(|&node| model.pinned[node]);
            let hub = hub.unwrap_or(centre);
            let [before, after] = [start, end].map(|state| rigid::about(model, part, state, hub));
            let [from, to] =
                [start, end].map(|state| rigid::frame(model, part, &state.x).unwrap_or(STILL));
            let nodes = &mut self.nodes;
            nodes.inverse[centre] = 1.0 / after.mass;
            if model.pinned[hub] {
                nodes.inverse[hub] = 0.0;
            }
            nodes.before[turn] = before.spin;
            nodes.v[turn] = after.spin;
            nodes.from[turn] = [0.0; 3];
            nodes.to[turn] = between(&from, &to);
            nodes.turns.push((turn, after.inertia));
            let [at, ended] = [start, end].map(|state| state.position(n, hub));
            for &corner in &solid.corners {
                let rest = self.pieces.places[corner - n];
                let place = |frame: &Placement| add(frame.place, frame.turned(rest));
                (nodes.from[corner], nodes.to[corner]) = (place(&from), place(&to));
                let swing = cross(before.spin, sub(nodes.from[corner], at));
                nodes.before[corner] = add(start.velocity(n, hub), swing);
                nodes.inverse[corner] = 1.0 / after.mass;
            }
            let arm = |&corner: &usize| sub(nodes.to[corner], ended);
            self.solids.push(SolidMotion {
                hub,
                inverse: after.inverse,
                turned: nodes.to[turn],
                spin: after.spin,
                arms: solid.corners.iter().map(arm).collect(),
                centre: (centre, sub(end.position(n, centre), ended)),
            });
        }
    }

    /// Updates the corners of rigid bodies to the positions and rotations after contacts.
    pub(super) fn turn_solids(&mut self) {
        let first = self.first_turn();
        for (k, (motion, solid)) in self.solids.iter().zip(&self.pieces.solids).enumerate() {
            let to = &mut self.nodes.to;
            let (at, turn) = (to[motion.hub], sub(to[first + k], motion.turned));
            for (corner, arm) in solid.corners.iter().zip(&motion.arms) {
                to[*corner] = add(at, rotated(turn, *arm));
            }
            let (centre, arm) = motion.centre;
            if centre != motion.hub {
                to[centre] = add(at, rotated(turn, arm));
            }
        }
    }

    /// Replaces the nodes of rigid bodies in a contact by their hubs with levers. The gap at the
    /// end of the step stays the same.
    pub(super) fn lever(&self, contact: &mut Contact) {
        contact.levers = None;
        let solids = [contact.pair.0, contact.pair.1].map(|piece| self.pieces.solid_of(piece));
        if solids == [None; 2] {
            return;
        }
        let (to, apart) = (&self.nodes.to, contact.relative(&self.nodes.to));
        let (mut levers, mut first) = ([None; 2], 0);
        for (side, (solid, sign)) in solids.into_iter().zip([1.0, -1.0]).enumerate() {
            let piece = [contact.pair.0, contact.pair.1][side];
            let count = self.pieces.all.get(piece).map_or(0, |piece| piece.count);
            if let Some(solid) = solid {
                let motion = &self.solids[solid];
                let of_piece = first..first + count;
                let point = of_piece.clone().fold([0.0; 3], |sum, k| {
                    along(sum, sign * contact.weights[k], to[contact.nodes[k]])
                });
                let arm = sub(point, to[motion.hub]);
                let arm = along(arm, -sign * self.pieces.all[piece].half, contact.normal);
                let (arm, inverse) = (scaled(arm, sign), motion.inverse);
                levers[side] = Some(Lever { node: self.first_turn() + solid, arm, inverse });
                for k in of_piece {
                    contact.nodes[k] = motion.hub;
                    contact.weights[k] = if k == first { sign } else { 0.0 };
                }
            }
            first += count;
        }
        for k in first..4 {
            (contact.nodes[k], contact.weights[k]) = (contact.nodes[0], 0.0);
        }
        contact.levers = Some(Box::new(levers));
        contact.minimum += dot(contact.normal, sub(contact.relative(to), apart));
    }

    /// Returns the node that moves a node in rigid zones.
    pub(super) fn hub_of(&self, node: usize) -> usize {
        let is_it = |(solid, motion): &(&_, &SolidMotion)| is_of(solid, motion, node);
        let solids = self.pieces.solids.iter().zip(&self.solids);
        solids.clone().find(is_it).map_or(node, |(_, motion)| motion.hub)
    }

    /// Resets rigid bodies in zones to their orientation at the start of the step.
    pub(super) fn keep_turned(&mut self, zones: &Rigid) {
        let first = self.first_turn();
        for (k, motion) in self.solids.iter().enumerate() {
            if zones.has_joined(motion.hub) {
                self.nodes.to[first + k] = [0.0; 3];
            }
        }
        self.turn_solids();
    }

    /// Stops rigid bodies that contacts only shake. The hub of such a body does not move in this
    /// step. The motion of its surface is at most a small fraction of the change by contacts at the
    /// hub. `free` is the end of the step without contacts.
    pub(super) fn rest_solids(&mut self, free: &State) {
        let (n, first) = (self.body_nodes, self.first_turn());
        for (k, motion) in self.solids.iter().enumerate() {
            let (nodes, hub) = (&mut self.nodes, motion.hub);
            let reach = motion.arms.iter().map(|arm| norm(*arm)).fold(0.0, f64::max);
            let pushed = norm(sub(nodes.to[hub], free.position(n, hub)));
            let change = norm(sub(nodes.v[hub], free.velocity(n, hub)));
            let spin = norm(nodes.v[first + k]).max(norm(nodes.before[first + k]));
            let is_still = nodes.to[hub] == nodes.from[hub]
                && reach * spin <= RESTING_VELOCITY * change
                && reach * norm(nodes.to[first + k]) <= RESTING_DISPLACEMENT * pushed;
            if is_still {
                nodes.to[first + k] = [0.0; 3];
            }
        }
    }

    /// Returns the effect of contacts on each rigid body that they moved. `end` is the end of the
    /// step without contacts.
    pub(super) fn carried_nodes(&self, model: &Model, start: &State, end: &State) -> Vec<Carried> {
        let (n, first, nodes) = (self.body_nodes, self.first_turn(), &self.nodes);
        let mut all = Vec::new();
        for (k, (motion, solid)) in self.solids.iter().zip(&self.pieces.solids).enumerate() {
            let (hub, turn) = (motion.hub, first + k);
            let is_free = nodes.to[hub] == end.position(n, hub)
                && nodes.v[hub] == end.velocity(n, hub)
                && nodes.to[turn] == motion.turned
                && nodes.v[turn] == motion.spin;
            if is_free {
                continue;
            }
            let rests = nodes.to[hub] == nodes.from[hub] && nodes.to[turn] == [0.0; 3];
            let more = sub(nodes.to[turn], motion.turned);
            let of_part = model.parts[solid.part].nodes.iter().copied();
            let moved = of_part.filter(|&node| !model.pinned[node]).map(|node| {
                let arm = match rests {
                    true => sub(start.position(n, node), nodes.from[hub]),
                    false => rotated(more, sub(end.position(n, node), end.position(n, hub))),
                };
                let x = if rests { start.position(n, node) } else { add(nodes.to[hub], arm) };
                (node, x, add(nodes.v[hub], cross(nodes.v[turn], arm)))
            });
            all.push(Carried { hub, nodes: moved.collect() });
        }
        all
    }
}

/// Whether a node belongs to the pieces of a rigid body.
fn is_of(solid: &RigidSolid, motion: &SolidMotion, node: usize) -> bool {
    solid.corners.contains(&node) || motion.centre.0 == node
}

/// Moves the nodes of rigid bodies. The pin of a pinned hub absorbs the change of the body's
/// momentum.
pub(super) fn carry(
    all: &[Carried],
    model: &Model,
    state: &mut State,
    displaced: &mut Vec<usize>,
    forces: &mut ContactForces,
) {
    let (n, axes) = (model.nodes(), model.axes);
    for Carried { hub, nodes } in all {
        let mut gained = [0.0; 3];
        for &(node, x, v) in nodes {
            gained = along(gained, model.mass[node], sub(v, state.velocity(n, node)));
            put(&mut state.x, n, axes, node, x);
            put(&mut state.v, n, axes, node, v);
            displaced.push(node);
        }
        if model.pinned[*hub] {
            forces.push_pin(model, *hub, scaled(gained, -1.0));
        }
    }
}

/// Frame of a body without a frame of its own.
const STILL: Placement = Placement::STILL;

/// Returns the rotation from one frame to another.
fn between(from: &Placement, to: &Placement) -> Vec3 {
    let (mut sine, mut cosine) = ([0.0; 3], -0.5);
    for (a, b) in from.axes.into_iter().zip(to.axes) {
        sine = along(sine, 0.5, cross(a, b));
        cosine += 0.5 * dot(a, b);
    }
    let size = norm(sine);
    if size == 0.0 { sine } else { scaled(sine, libm::atan2(size, cosine) / size) }
}

/// Returns a vector rotated by the rotation vector `turn`.
fn rotated(turn: Vec3, vector: Vec3) -> Vec3 {
    let angle = norm(turn);
    if angle == 0.0 {
        return vector;
    }
    let (axis, (sin, cos)) = (scaled(turn, 1.0 / angle), libm::sincos(angle));
    let kept = along(scaled(vector, cos), sin, cross(axis, vector));
    along(kept, dot(axis, vector) * (1.0 - cos), axis)
}
