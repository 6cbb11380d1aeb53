//! Moving colliders in drawn contact. Their nodes move on straight paths from the start to the end
//! of the step. For slip, a collider counts as rigid up to the centre line of the touching piece.

use super::pieces::{Owner, Piece};
use super::solve::{Carry, Contact, Impulse};
use super::step::DrawnStep;
use crate::body::vector::{Vec3, add, along, dot, scaled, sub};
use crate::contact::moving::Mover;

impl DrawnStep {
    /// Updates the nodes and half-spaces of moving colliders to the current step.
    pub(super) fn place_colliders(&mut self) {
        let (n, pieces, nodes) = (self.body_nodes, &mut self.pieces, &mut self.nodes);
        let mut first = pieces.corners;
        let places = pieces.places.iter().zip(&pieces.colliders).enumerate();
        for (k, (place, collider)) in places.skip(first) {
            if k > first && pieces.colliders[k - 1] != *collider {
                first = k;
            }
            let Some(mover) = self.obstacles.mover(*collider) else { continue };
            let [from, to] = mover.ends(k - first, *place);
            (nodes.from[n + k], nodes.before[n + k]) = from;
            (nodes.to[n + k], nodes.v[n + k]) = to;
        }
        for half_space in &mut pieces.half_spaces {
            let mover = self.obstacles.mover(half_space.collider);
            let Some(mover) = mover else { continue };
            let [begun, end] = mover.half_space(half_space.own);
            (half_space.begun, half_space.point, half_space.normal) = (begun, end.0, end.1);
        }
    }

    /// Returns the node that represents a collider in rigid zones. All fixed colliders share the
    /// first node after the nodes of the body. Each moving collider has a node of its own.
    pub(super) fn ground(&self, collider: usize) -> usize {
        let place = self.obstacles.all[collider].mover.map_or(0, |mover| mover + 1);
        self.body_nodes + place
    }

    /// Returns the mover of a piece or half-space; `None` if it belongs to no moving collider.
    pub(super) fn mover(&self, piece: usize) -> Option<&Mover> {
        self.obstacles.mover(self.collider(piece)?)
    }

    /// Returns the mover of a piece or half-space whose collider turns in this step.
    pub(super) fn turning(&self, piece: usize) -> Option<&Mover> {
        self.mover(piece).filter(|mover| mover.turns())
    }

    /// Returns the position of a node after the step if it keeps its velocity relative to a turning
    /// collider. A node that turns with the collider moves on a circle. A straight path would
    /// separate the two in every step.
    pub(super) fn ahead_on(&self, mover: &Mover, node: usize) -> Vec3 {
        let nodes = &self.nodes;
        if nodes.inverse[node] == 0.0 {
            return self.ahead[node];
        }
        let from = nodes.from[node];
        let relative = sub(nodes.before[node], mover.start_near(from).velocity_at(from));
        along(mover.carried(from), mover.duration(), relative)
    }

    /// Returns the motion of a moving collider at a contact, minus the motion of its nodes. The
    /// collider counts as rigid up to the centre line of the touching piece, so a piece that turns
    /// with it does not slip.
    pub(super) fn carry(&self, contact: &Contact) -> Carry {
        let Some(mover) = self.mover(contact.pair.1) else { return Carry::default() };
        let nodes = &self.nodes;
        let (from, to) = (self.middle(contact, &nodes.from), self.middle(contact, &nodes.to));
        let of_collider = |values: &[Vec3]| self.foot(contact, values);
        let travelled = sub(of_collider(&nodes.to), of_collider(&nodes.from));
        let displacement = sub(sub(mover.carried(from), from), travelled);
        let has_nodes = contact.pair.1 < self.pieces.all.len();
        Carry {
            displacement,
            before: sub(mover.start_near(from).velocity_at(from), of_collider(&nodes.before)),
            v: sub(mover.end_near(to).velocity_at(to), of_collider(&nodes.v)),
            rise: if has_nodes { 0.0 } else { dot(contact.normal, displacement) },
        }
    }

    /// Rotates an impulse of the last step with a turning collider. A piece that rests on the
    /// collider needs the rotated impulse in the next step.
    pub(super) fn carried_on(&self, contact: &Contact, known: Impulse) -> Impulse {
        let Some(mover) = self.turning(contact.pair.1) else { return known };
        Impulse { drag: mover.turned(known.drag), ..known }
    }

    /// Returns the values of [`Contact::spin`] for two touching rope segments. The surface of a
    /// segment is half of its thickness from its centre line.
    pub(super) fn spin(&self, contact: &Contact) -> [Vec3; 4] {
        let mut spin = [[0.0; 3]; 4];
        let pair = [contact.pair.0, contact.pair.1].map(|piece| self.pieces.all.get(piece));
        let [Some(a), Some(b)] = pair else { return spin };
        let is_segment = |piece: &Piece| {
            let is_of_body = matches!(piece.owner, Owner::Part(_));
            piece.count == 2 && is_of_body && piece.nodes()[0] < self.body_nodes
        };
        if !is_segment(a) || !is_segment(b) {
            return spin;
        }
        for (k, piece) in [(0, a), (2, b)] {
            let [from, to] = [k, k + 1].map(|k| self.nodes.from[contact.nodes[k]]);
            let side = sub(to, from);
            let square = dot(side, side);
            if square > 0.0 {
                spin[k + 1] = scaled(side, piece.half / square);
                spin[k] = scaled(spin[k + 1], -1.0);
            }
        }
        spin
    }

    /// Returns the point of the body's piece at a contact with a collider, from `values` of nodes.
    fn middle(&self, contact: &Contact, values: &[Vec3]) -> Vec3 {
        let nodes = self.pieces.all[contact.pair.0].nodes().iter().zip(contact.places);
        let of_body = nodes.filter(|(_, weight)| *weight != 0.0);
        of_body.fold([0.0; 3], |sum, (node, weight)| along(sum, weight, values[*node]))
    }

    /// Returns the weighted sum of `values` over the collider's nodes; 0 for a half-space, which
    /// has none.
    fn foot(&self, contact: &Contact, values: &[Vec3]) -> Vec3 {
        let nodes = contact.nodes.into_iter().zip(contact.weights);
        let of_collider = nodes.filter(|(node, _)| *node >= self.body_nodes);
        of_collider.fold([0.0; 3], |sum, (node, weight)| along(sum, -weight, values[node]))
    }

    /// Returns the velocity of a collider's surface at a contact.
    pub(super) fn carrier(&self, contact: &Contact) -> Vec3 {
        add(self.foot(contact, &self.nodes.v), contact.carry.v)
    }
}
