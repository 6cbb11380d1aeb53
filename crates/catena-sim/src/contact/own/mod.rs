//! Self-contact: nodes that no spring joins keep a minimum distance throughout a step, the
//! thickness.
//!
//! The relative path of a pair is straight in a step, so the time of contact is the root of a
//! quadratic. Hits are resolved pair by pair in the order (time, i, j), in several passes. Impulses
//! and displacements are shared by inverse mass. Momentum and centre of mass are therefore
//! conserved, and kinetic energy never grows. Initial shapes or colliders may force pairs to begin
//! too close. Such pairs come no closer and part slowly. Source: Bridson, Fedkiw, Anderson 2002,
//! "Robust Treatment of Collisions, Contact and Friction for Cloth Animation".

mod fault;
mod pairs;

use super::clusters::BLUR;
use super::collider::geometry::{reach, reach_from_outside};
use super::impact::{kept_share, rebound};
use super::{ContactForces, SelfContact, put};
use crate::body::vector::{Vec3, add, along, dot, greatest, scaled, scaled_norm, sub};
use crate::body::{Model, State};
use crate::budget::{Item, Meter};
use crate::contact::Step;
pub use fault::ContactFault;
pub(super) use pairs::Pairs;

/// Distance beyond the thickness that a contact leaves, as a fraction of the overlap.
const OVERSHOOT: f64 = 0.25;

/// Maximum distance beyond the thickness that a contact leaves, as a fraction of the thickness.
/// Without this margin, piles would need an unlimited number of passes.
const MARGIN: f64 = 0.01;

/// Fraction of an initial overlap that a contact removes per step.
const PARTING: f64 = 0.1;

/// Minimum square that certainly has full precision.
const MIN_SQUARE: f64 = 1e-280;

/// Two nodes that come too close, and the fraction of the step at which this happens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) share: f64,
    pub(super) i: usize,
    pub(super) j: usize,
}

/// Whether two nodes certainly do not meet. `from` is their relative position at the start, and
/// `offset` their relative displacement.
#[inline]
fn is_beyond(from: Vec3, offset: Vec3, thickness: f64) -> bool {
    if dot(from, offset) >= 0.0 {
        return true;
    }
    let to = add(from, offset);
    let (apart, step, near) = (dot(from, from), dot(offset, offset), thickness * thickness);
    let (after, ahead) = (dot(to, to), dot(to, offset));
    // Squared minimum distance on the path, at its end or before.
    let minimum =
        if ahead <= 0.0 { after } else { apart - dot(from, offset) * dot(from, offset) / step };
    minimum > near + 4.0 * BLUR * (near + apart + step)
}

/// Self-contact of a body in one step.
pub(super) struct SelfContacts<'a> {
    pub(super) model: &'a Model,
    pub(super) start: &'a State,
    pub(super) meter: &'a Meter,
    contact: SelfContact,
    pairs: &'a mut Pairs,
}

impl<'a> SelfContacts<'a> {
    /// Prepares the contacts of a step. Call [`Pairs::find_candidates`] first.
    pub(super) fn new(contact: SelfContact, step: Step<'a>, pairs: &'a mut Pairs) -> Self {
        let Step { model, start, meter } = step;
        pairs.forget_hits();
        Self { model, start, meter, contact, pairs }
    }

    /// Resolves each hit once, and stores the hits for [`SelfContacts::found`]. Held nodes do not
    /// move.
    pub(super) fn pass(
        &mut self,
        state: &mut State,
        is_held: &[bool],
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
    ) {
        self.find_hits(state, |i, j| !(is_held[i] && is_held[j]));
        let hits = std::mem::take(&mut self.pairs.hits);
        if self.meter.count(Item::OwnTouch, hits.len() as u64) {
            hits.iter().for_each(|hit| self.resolve(*hit, state, is_held, displaced, forces));
        }
        self.pairs.hits = hits;
    }

    /// Returns the hits of the last pass.
    pub(super) fn found(&self) -> &[Hit] {
        &self.pairs.hits
    }

    /// Resolves a hit, unless an earlier response has already separated the pair.
    fn resolve(
        &mut self,
        hit: Hit,
        state: &mut State,
        is_held: &[bool],
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
    ) {
        let has_moved = self.pairs.has_moved(hit.i) || self.pairs.has_moved(hit.j);
        let share = if has_moved { self.meet(state, hit.i, hit.j) } else { Some(hit.share) };
        if let Some(share) = share {
            self.part(Hit { share, ..hit }, state, is_held, displaced, forces);
        }
    }

    /// Resolves a hit and marks its nodes as moved.
    fn part(
        &mut self,
        hit: Hit,
        state: &mut State,
        is_held: &[bool],
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
    ) {
        self.respond(state, hit, is_held, forces);
        for node in [hit.i, hit.j] {
            self.pairs.mark(node);
            if !is_held[node] {
                displaced.push(node);
            }
        }
    }

    /// Marks nodes that colliders have moved since the last pass.
    pub(super) fn mark(&mut self, nodes: &[usize]) {
        nodes.iter().for_each(|node| self.pairs.mark(*node));
    }

    /// Separates nodes from the held ones that they hit in the last pass, then holds these nodes as
    /// well.
    pub(super) fn separate_from_held(
        &mut self,
        state: &mut State,
        is_held: &mut [bool],
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
    ) {
        let mut touching_held = std::mem::take(&mut self.pairs.touching_held);
        touching_held.clear();
        let hits = self.pairs.hits.iter().filter(|hit| is_held[hit.i] != is_held[hit.j]);
        // Each pair has moved since its hit was found, so its fraction is computed again.
        touching_held.extend(hits);
        // Three rounds, since a node may touch several held ones.
        for hit in (0..3).flat_map(|_| &touching_held) {
            if let Some(share) = self.meet(state, hit.i, hit.j) {
                self.part(Hit { share, ..*hit }, state, is_held, displaced, forces);
            }
        }
        touching_held.iter().for_each(|hit| (is_held[hit.i], is_held[hit.j]) = (true, true));
        self.pairs.touching_held = touching_held;
    }

    /// Returns the pairs that come too close on their paths from the start to `state`, in the order
    /// (time, i, j).
    pub(super) fn hits(
        &mut self,
        state: &State,
        counts: impl Fn(usize, usize) -> bool,
    ) -> Vec<Hit> {
        self.pairs.forget_hits();
        self.find_hits(state, counts);
        self.pairs.hits.clone()
    }

    /// Finds the hits of all pairs that `counts` accepts. Only marked nodes have moved since the
    /// last call.
    fn find_hits(&mut self, state: &State, counts: impl Fn(usize, usize) -> bool) {
        let (model, meter) = (self.model, self.meter);
        self.pairs.find_near(self.contact, model, self.start, state, meter);
        if !meter.count(Item::OwnLook, self.pairs.charged_pairs(model.nodes()) as u64) {
            self.pairs.hits.clear();
            return;
        }
        let mut meeting = std::mem::take(&mut self.pairs.meeting);
        self.pairs.knows_hits &= !self.pairs.is_plain;
        let has_moved = |hit: &Hit| self.pairs.has_moved(hit.i) || self.pairs.has_moved(hit.j);
        meeting.retain(|hit| self.pairs.knows_hits && !has_moved(hit));
        for &(i, j) in &self.pairs.near {
            let is_new = !self.pairs.knows_hits;
            if (is_new || self.pairs.has_moved(i) || self.pairs.has_moved(j))
                && let Some(share) = self.meet(state, i, j)
            {
                meeting.push(Hit { share, i, j });
            }
        }
        self.pairs.knows_hits = true;
        self.pairs.unmark_all();
        let hits = &mut self.pairs.hits;
        hits.clear();
        hits.extend(meeting.iter().filter(|hit| counts(hit.i, hit.j)));
        hits.sort_unstable_by(|a, b| a.share.total_cmp(&b.share).then((a.i, a.j).cmp(&(b.i, b.j))));
        self.pairs.meeting = meeting;
    }

    /// Returns the vector from node `i` to node `j`.
    fn apart(&self, state: &State, i: usize, j: usize) -> [f64; 3] {
        let n = self.model.nodes();
        sub(state.position(n, j), state.position(n, i))
    }

    /// Returns the fraction of the step at which two nodes come too close; `None` if they do not.
    fn meet(&self, state: &State, i: usize, j: usize) -> Option<f64> {
        if self.visits(state, i, j) == 0 {
            return None;
        }
        let from = self.apart(self.start, i, j);
        let offset = sub(self.apart(state, i, j), from);
        let thickness = self.contact.thickness;
        if self.pairs.fault == Some(ContactFault::LaterRoot) {
            return fault::later_root(from, offset, thickness);
        }
        if self.pairs.is_plain {
            return reach(from, offset, thickness.min(scaled_norm(from)));
        }
        if is_beyond(from, offset, thickness) {
            return None;
        }
        // Nodes that certainly begin too close hit at once.
        let square = dot(from, from);
        if square < (1.0 - 4.0 * BLUR) * thickness * thickness && square > MIN_SQUARE {
            return Some(0.0);
        }
        let is_outside = square > (1.0 + 4.0 * BLUR) * thickness * thickness;
        if is_outside && square > MIN_SQUARE && square < 1.0 / MIN_SQUARE {
            return reach_from_outside(from, offset, thickness);
        }
        reach(from, offset, thickness.min(scaled_norm(from)))
    }

    /// Number of times that a contact of two nodes counts: 1 without a fault.
    fn visits(&self, state: &State, i: usize, j: usize) -> u32 {
        match self.pairs.fault {
            None | Some(ContactFault::LaterRoot) => 1,
            Some(ContactFault::TruncatedGrid) => {
                let (n, axes) = (self.model.nodes(), self.model.axes);
                let [a, b] = [i, j].map(|node| state.position(n, node));
                fault::visits(a, b, self.contact.thickness, axes)
            }
        }
    }

    /// Applies restitution and friction, and separates the nodes by at least the thickness.
    fn respond(
        &self,
        state: &mut State,
        Hit { share, i, j }: Hit,
        is_held: &[bool],
        forces: &mut ContactForces,
    ) {
        let (n, surface) = (self.model.nodes(), self.contact.surface);
        let from = self.apart(self.start, i, j);
        let to = self.apart(state, i, j);
        let offset = sub(to, from);
        let met = along(from, share, offset);
        let gap = scaled_norm(met);
        if gap == 0.0 {
            return;
        }
        let normal = met.map(|value| value / gap);
        if self.pairs.fault == Some(ContactFault::LaterRoot) {
            return self.stop_at_later_root(state, Hit { share, i, j }, normal, is_held);
        }

        let begun = sub(self.start.velocity(n, j), self.start.velocity(n, i));
        let v = sub(state.velocity(n, j), state.velocity(n, i));
        let change = sub(v, begun);
        let now = dot(normal, v);
        let at_hit = dot(normal, along(begun, share, change));
        let after = rebound(surface.restitution, at_hit, now, dot(normal, change));
        let tangent = along(v, -now, normal);
        let kept = kept_share(surface.friction, after - now, scaled_norm(tangent));
        let kick = along(scaled(normal, after - now), kept - 1.0, tangent);
        let kick = match self.pairs.fault {
            None => kick,
            Some(_) => scaled(kick, f64::from(self.visits(state, i, j))),
        };

        let left = scaled(offset, 1.0 - share);
        let slide = along(left, -dot(normal, left), normal).map(|value| value * kept);
        // The initial distance matters only if it was too small.
        let square = (1.0 + 4.0 * BLUR) * self.contact.thickness * self.contact.thickness;
        let is_apart = dot(from, from) > square && square > MIN_SQUARE;
        let before = if is_apart { f64::INFINITY } else { scaled_norm(from) };
        let distance = self.target(state, before, dot(normal, to), i, j);
        let end = along(slide, distance, normal);
        let gained = self.push(state, i, j, is_held, sub(end, to), kick);
        if self.model.pinned[i] != self.model.pinned[j] {
            let pin = if self.model.pinned[i] { i } else { j };
            forces.push_pin(self.model, pin, scaled(gained, -1.0));
        }
    }

    /// Reflects the normal velocity of two separating nodes, which are on the far sides of each
    /// other.
    fn stop_at_later_root(
        &self,
        state: &mut State,
        Hit { i, j, .. }: Hit,
        normal: Vec3,
        is_held: &[bool],
    ) {
        let n = self.model.nodes();
        let to = self.apart(state, i, j);
        let now = dot(normal, sub(state.velocity(n, j), state.velocity(n, i)));
        let end = scaled(normal, self.contact.thickness * fault::JUST_INSIDE);
        let kick = scaled(normal, -(1.0 + self.contact.surface.restitution) * now);
        self.push(state, i, j, is_held, sub(end, to), kick);
    }

    /// Returns the distance after a contact, for nodes with distance `before` at the start of the
    /// step and `wanted` at the end without contact.
    fn target(&self, state: &State, before: f64, wanted: f64, i: usize, j: usize) -> f64 {
        let (n, thickness) = (self.model.nodes(), self.contact.thickness);
        let coordinates = greatest(state.position(n, i)).max(greatest(state.position(n, j)));
        let rounding = 1e-12 * thickness + 8.0 * f64::EPSILON * coordinates;
        let margin = (OVERSHOOT * (thickness - wanted)).clamp(0.0, MARGIN * thickness);
        let overlap = (thickness - before).max(0.0);
        thickness.min(before + PARTING * overlap) + margin + rounding
    }

    /// Changes the relative position and velocity of two nodes, shared by inverse mass. Returns the
    /// change of their total momentum, which is 0 if both are free.
    fn push(
        &self,
        state: &mut State,
        i: usize,
        j: usize,
        is_held: &[bool],
        shift: [f64; 3],
        kick: [f64; 3],
    ) -> [f64; 3] {
        let (n, axes) = (self.model.nodes(), self.model.axes);
        let inverse = |k: usize| if is_held[k] { 0.0 } else { 1.0 / self.model.mass[k] };
        let sum = inverse(i) + inverse(j);
        // A pinned node may do work. Nodes that are held for other reasons may not, so they
        // accelerate nothing.
        let may_gain = (!is_held[i] && !is_held[j]) || self.model.pinned[i] || self.model.pinned[j];
        let mut gained = [0.0; 3];
        for (k, share) in [(i, -inverse(i) / sum), (j, inverse(j) / sum)] {
            if share == 0.0 {
                continue;
            }
            let before = state.velocity(n, k);
            let mut v = along(before, share, kick);
            if !may_gain {
                let (maximum, speed) = (scaled_norm(before), scaled_norm(v));
                if speed > maximum {
                    v = scaled(v, maximum / speed);
                }
            }
            gained = along(gained, self.model.mass[k], sub(v, before));
            let x = along(state.position(n, k), share, shift);
            put(&mut state.x, n, axes, k, x);
            put(&mut state.v, n, axes, k, v);
        }
        gained
    }
}
