//! A body and itself: nodes that no spring joins keep the thickness from each other, at any time of a step.
//!
//! The relative way of a pair is straight in a step, so the moment when it comes too close is the root of a quadratic. Hits
//! are resolved pair by pair in the order (moment, i, j), in several passes; what is left is for the rigid zones. Impulses
//! and shifts are shared by inverse mass: momentum and centre of mass stay, and kinetic energy never grows. Pairs that are
//! too close at the start, as an initial shape or a collider may force them to be, come no closer and part slowly.
//! Source: Bridson, Fedkiw, Anderson 2002, "Robust Treatment of Collisions, Contact and Friction for Cloth Animation".

use super::impact::{grip, rebound};
use super::{SelfContact, hash, put};
use crate::sim::collider::geometry::{along, dot, greatest, length, minus, reach};
use crate::sim::{Model, State};

/// Passes over all hits before the rest is made rigid.
const PASSES: usize = 8;

/// The share of an overlap that a contact takes away in a step.
const PARTING: f64 = 0.1;

/// Two nodes that come too close, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) share: f64,
    pub(super) i: usize,
    pub(super) j: usize,
}

/// One step of a body that touches itself.
pub(super) struct Own<'a> {
    pub(super) model: &'a Model,
    pub(super) start: &'a State,
    contact: SelfContact,
    /// Pairs that a spring joins, sorted.
    joined: Vec<(usize, usize)>,
}

impl<'a> Own<'a> {
    pub(super) fn new(contact: SelfContact, model: &'a Model, start: &'a State) -> Self {
        let pair = |spring: &crate::sim::Spring| (spring.a.min(spring.b), spring.a.max(spring.b));
        let mut joined: Vec<_> = model.springs.iter().map(pair).collect();
        joined.sort_unstable();
        Self { model, start, contact, joined }
    }

    /// Takes all hits out of the motion from the start to `state`; says whether there were any.
    pub(super) fn resolve(&self, state: &mut State, displaced: &mut Vec<usize>) -> bool {
        for pass in 0..PASSES {
            let hits = self.hits(state, |_, _| true);
            if hits.is_empty() {
                return pass > 0;
            }
            for hit in hits {
                // An earlier one of this pass may have moved it out of the way.
                if let Some(share) = self.meet(state, hit.i, hit.j) {
                    self.respond(state, Hit { share, ..hit });
                    displaced.extend([hit.i, hit.j].into_iter().filter(|&k| !self.model.pinned[k]));
                }
            }
        }
        self.make_rigid(state, displaced);
        true
    }

    /// Pairs that come too close on their ways from the start to `state`, in the order (moment, i, j).
    pub(super) fn hits(&self, state: &State, counts: impl Fn(usize, usize) -> bool) -> Vec<Hit> {
        let mut hits = Vec::new();
        let (n, axes) = (self.model.nodes(), self.model.axes);
        hash::near_pairs(n, axes, self.start, state, self.contact.thickness, |i, j| {
            let is_held = self.model.pinned[i] && self.model.pinned[j];
            if is_held || !counts(i, j) || self.joined.binary_search(&(i, j)).is_ok() {
                return;
            }
            if let Some(share) = self.meet(state, i, j) {
                hits.push(Hit { share, i, j });
            }
        });
        hits.sort_unstable_by(|a, b| a.share.total_cmp(&b.share).then((a.i, a.j).cmp(&(b.i, b.j))));
        hits
    }

    /// From node i to node j.
    fn apart(&self, state: &State, i: usize, j: usize) -> [f64; 3] {
        let n = self.model.nodes();
        minus(state.position(n, j), state.position(n, i))
    }

    /// The share of the step after which two nodes are too close, if they come to be so.
    fn meet(&self, state: &State, i: usize, j: usize) -> Option<f64> {
        let from = self.apart(self.start, i, j);
        let way = minus(self.apart(state, i, j), from);
        reach(from, way, self.contact.thickness.min(length(from)))
    }

    /// Restitution, friction, and a distance that is at least the thickness.
    fn respond(&self, state: &mut State, Hit { share, i, j }: Hit) {
        let (n, surface) = (self.model.nodes(), self.contact.surface);
        let from = self.apart(self.start, i, j);
        let to = self.apart(state, i, j);
        let way = minus(to, from);
        let met = along(from, share, way);
        let gap = length(met);
        if gap == 0.0 {
            return;
        }
        let normal = met.map(|value| value / gap);

        let begun = minus(self.start.velocity(n, j), self.start.velocity(n, i));
        let v = minus(state.velocity(n, j), state.velocity(n, i));
        let change = minus(v, begun);
        let now = dot(normal, v);
        let at_hit = dot(normal, along(begun, share, change));
        let after = rebound(surface.restitution, at_hit, now, dot(normal, change));
        let tangent = along(v, -now, normal);
        let kept = grip(surface.friction, after - now, length(tangent));
        let kick = along(normal.map(|value| value * (after - now)), kept - 1.0, tangent);

        let left = way.map(|value| value * (1.0 - share));
        let slide = along(left, -dot(normal, left), normal).map(|value| value * kept);
        let end = along(slide, self.target(state, length(from), i, j), normal);
        self.push(state, i, j, minus(end, to), kick);
    }

    /// The distance at the end of a contact: a little over the thickness, so that rounding does not make it another hit.
    fn target(&self, state: &State, before: f64, i: usize, j: usize) -> f64 {
        let (n, thickness) = (self.model.nodes(), self.contact.thickness);
        let coordinates = greatest(state.position(n, i)).max(greatest(state.position(n, j)));
        let slack = 1e-12 * thickness + 8.0 * f64::EPSILON * coordinates;
        let overlap = (thickness - before).max(0.0);
        thickness.min(before + PARTING * overlap) + slack
    }

    /// Changes the relative position and velocity of two nodes, sharing by inverse mass.
    fn push(&self, state: &mut State, i: usize, j: usize, shift: [f64; 3], kick: [f64; 3]) {
        let (n, axes) = (self.model.nodes(), self.model.axes);
        let inverse = |k: usize| if self.model.pinned[k] { 0.0 } else { 1.0 / self.model.mass[k] };
        let sum = inverse(i) + inverse(j);
        for (k, share) in [(i, -inverse(i) / sum), (j, inverse(j) / sum)] {
            let x = along(state.position(n, k), share, shift);
            let v = along(state.velocity(n, k), share, kick);
            put(&mut state.x, (n, axes), k, x);
            put(&mut state.v, (n, axes), k, v);
        }
    }
}
