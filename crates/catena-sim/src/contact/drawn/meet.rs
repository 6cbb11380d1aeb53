//! Motion of pairs within a step: the test whether they come too close, and the resulting contacts.

use super::advance::{Moving, impact};
use super::closest::nearest;
use super::pair::Pair;
use super::solve::{Carry, Contact, Impulse};
use super::step::DrawnStep;
use crate::body::vector::{Vec3, dot, sub};

/// Outcome of the motion of a pair within a step.
pub(super) enum Meeting {
    /// The pair stays far enough apart.
    Clear,
    /// The pair ends slightly too close, but above its floor.
    Close(Contact),
    /// The pair comes closer than allowed.
    Hit(Contact),
}

impl DrawnStep {
    /// Follows the motion of a pair from the start to the end of the step.
    pub(super) fn follow(&self, pair: &Pair) -> Meeting {
        let floor = pair.floor;
        let Some([a, b]) = self.moving(pair) else {
            let contact = self.on_half_space(pair);
            let end = contact.gap(&self.nodes.to) + pair.target();
            return match () {
                () if end < floor => Meeting::Hit(contact),
                () if end < pair.fine() => Meeting::Close(contact),
                () => Meeting::Clear,
            };
        };
        let reach = a.reach(&b);
        let within = pair.minimum_in_step();
        // A relative motion that is too short to reach `within` needs no sweep.
        let is_short = reach < pair.begun - within;
        if pair.begun - reach > pair.thickness || (is_short && pair.stays_apart(reach)) {
            return Meeting::Clear;
        }
        let hit = if is_short { None } else { impact(&a, &b, within, 0.01 * pair.own) };
        let share = hit.unwrap_or(1.0);
        let (at_a, at_b) = (a.at(share), b.at(share));
        let near = nearest(a.corners(&at_a), b.corners(&at_b));
        let contact = self.between(pair, near.normal, near.first, near.second);
        match hit {
            Some(_) => Meeting::Hit(contact),
            None if near.distance < floor => Meeting::Hit(contact),
            None if near.distance < pair.fine() => Meeting::Close(contact),
            None => Meeting::Clear,
        }
    }

    /// Returns both moving pieces of a pair; `None` if it has a half-space.
    pub(super) fn moving(&self, pair: &Pair) -> Option<[Moving; 2]> {
        if pair.b >= self.pieces.all.len() {
            return None;
        }
        Some([pair.a, pair.b].map(|piece| {
            let from = self.corners(piece, &self.nodes.from);
            let to = self.corners(piece, &self.nodes.to);
            let displacement = [0, 1, 2].map(|k| sub(to[k], from[k]));
            Moving { from, displacement, count: self.pieces.all[piece].count }
        }))
    }

    /// Creates the contact of a vertex with a half-space.
    pub(super) fn on_half_space(&self, pair: &Pair) -> Contact {
        let half_space = &self.pieces.half_spaces[pair.b - self.pieces.all.len()];
        let node = self.pieces.all[pair.a].nodes()[0];
        let minimum = dot(half_space.point, half_space.normal) + pair.target();
        let weights = [1.0, 0.0, 0.0, 0.0];
        self.contact(pair, [node; 4], weights, half_space.normal, minimum)
    }

    /// Creates a contact of a pair. `minimum` is the minimum weighted sum of node positions along
    /// the normal.
    fn contact(
        &self,
        pair: &Pair,
        nodes: [usize; 4],
        weights: [f64; 4],
        normal: Vec3,
        minimum: f64,
    ) -> Contact {
        let mut contact = Contact {
            pair: (pair.a, pair.b),
            nodes,
            weights,
            places: weights,
            normal,
            minimum,
            friction: pair.surface.friction,
            restitution: pair.surface.restitution,
            push: 0.0,
            drag: [0.0; 3],
            carry: Carry::default(),
            spin: [[0.0; 3]; 4],
            levers: None,
            closed: f64::NEG_INFINITY,
            guess: Impulse::default(),
            position_impulse: Impulse::default(),
        };
        contact.carry = self.carry(&contact);
        contact.spin = self.spin(&contact);
        if !self.pieces.solids.is_empty() {
            self.lever(&mut contact);
        }
        contact
    }

    /// Creates a contact of two pieces at the given barycentric weights.
    pub(super) fn between(
        &self,
        pair: &Pair,
        normal: Vec3,
        first: [f64; 3],
        second: [f64; 3],
    ) -> Contact {
        let nodes = self.weighted(pair.a, pair.b, first, second);
        self.contact(pair, nodes.0, nodes.1, normal, pair.target())
    }

    /// Returns the nodes and weights of the nearest points of two pieces.
    pub(super) fn weighted(
        &self,
        a: usize,
        b: usize,
        first: [f64; 3],
        second: [f64; 3],
    ) -> ([usize; 4], [f64; 4]) {
        let [a, b] = [a, b].map(|piece| self.pieces.all[piece].nodes());
        let of_a = a.iter().copied().zip(first);
        let of_b = b.iter().copied().zip(second.map(|share| -share));
        let (mut nodes, mut weights) = ([a[0]; 4], [0.0; 4]);
        for (k, (node, weight)) in of_a.chain(of_b).enumerate() {
            (nodes[k], weights[k]) = (node, weight);
        }
        (nodes, weights)
    }
}
