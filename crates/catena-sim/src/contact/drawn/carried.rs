//! Colliders that move, as drawn contact sees them: their nodes go straight from where the step
//! begins to where it ends. Slip is taken beside a collider that is rigid up to the middle line of
//! what touches it.

use super::pieces::{Owner, Piece};
use super::solve::{Carry, Contact, Impulse};
use super::step::DrawnSolver;
use crate::body::vector::{Vec3, add, along, dot, scaled, sub};
use crate::contact::moving::Mover;

impl DrawnSolver {
    /// Puts the nodes and the half-spaces of colliders that move where they are in the step.
    pub(super) fn place_colliders(&mut self) {
        let (n, pieces, nodes) = (self.body_nodes, &mut self.pieces, &mut self.nodes);
        for (k, (place, collider)) in pieces.places.iter().zip(&pieces.colliders).enumerate() {
            let Some(Mover { start, end, .. }) = self.obstacles.mover(*collider) else { continue };
            let (from, to) = (start.point(*place), end.point(*place));
            (nodes.from[n + k], nodes.to[n + k]) = (from, to);
            (nodes.before[n + k], nodes.v[n + k]) = (start.velocity_at(from), end.velocity_at(to));
        }
        for half_space in &mut pieces.half_spaces {
            let mover = self.obstacles.mover(half_space.collider);
            let Some(Mover { start, end, .. }) = mover else { continue };
            let (point, normal) = half_space.own;
            half_space.begun = (start.point(point), start.turned(normal));
            (half_space.point, half_space.normal) = (end.point(point), end.turned(normal));
        }
    }

    /// The node that stands for a collider where nodes move as one with it: the one after those of
    /// the body for all that stand, and one of its own for each that moves.
    pub(super) fn ground(&self, collider: usize) -> usize {
        let place = self.obstacles.all[collider].mover.map_or(0, |mover| mover + 1);
        self.body_nodes + place
    }

    /// The collider of a piece or a half-space, as one that moves.
    pub(super) fn mover(&self, piece: usize) -> Option<&Mover> {
        self.obstacles.mover(self.collider(piece)?)
    }

    /// The collider of a piece or a half-space, as one that turns in this step.
    pub(super) fn turning(&self, piece: usize) -> Option<&Mover> {
        self.mover(piece).filter(|mover| mover.start.axes != mover.end.axes)
    }

    /// The place of a node after the step if it keeps its velocity beside a collider that turns:
    /// what turns with it goes on a circle, and a straight way would part them in every step.
    pub(super) fn ahead_on(&self, mover: &Mover, node: usize) -> Vec3 {
        let nodes = &self.nodes;
        if nodes.inverse[node] == 0.0 {
            return self.ahead[node];
        }
        let from = nodes.from[node];
        let beside = sub(nodes.before[node], mover.start.velocity_at(from));
        along(mover.carried(from), mover.duration(), beside)
    }

    /// Motion of a moving collider at a contact beyond that of its nodes. The collider counts as
    /// rigid up to the middle line of the touching piece: what turns with it does not slip.
    pub(super) fn carry(&self, contact: &Contact) -> Carry {
        let Some(mover) = self.mover(contact.pair.1) else { return Carry::default() };
        let nodes = &self.nodes;
        let (from, to) = (self.middle(contact, &nodes.from), self.middle(contact, &nodes.to));
        let of_collider = |values: &[Vec3]| self.foot(contact, values);
        let gone = sub(of_collider(&nodes.to), of_collider(&nodes.from));
        let way = sub(sub(mover.carried(from), from), gone);
        let has_nodes = contact.pair.1 < self.pieces.all.len();
        Carry {
            way,
            before: sub(mover.start.velocity_at(from), of_collider(&nodes.before)),
            v: sub(mover.end.velocity_at(to), of_collider(&nodes.v)),
            rise: if has_nodes { 0.0 } else { dot(contact.normal, way) },
        }
    }

    /// An impulse of the last step as a collider that turns carries it on: what rests on it needs
    /// that one again.
    pub(super) fn carried_on(&self, contact: &Contact, known: Impulse) -> Impulse {
        let Some(Mover { start, end, .. }) = self.turning(contact.pair.1) else { return known };
        Impulse { drag: end.turned(start.unturned(known.drag)), ..known }
    }

    /// Spin weights of two rope segments that touch, for [`Contact::spin`]. Their surfaces lie half
    /// of a thickness from their middle lines.
    pub(super) fn spin(&self, contact: &Contact) -> [Vec3; 4] {
        let mut spin = [[0.0; 3]; 4];
        let pair = [contact.pair.0, contact.pair.1].map(|piece| self.pieces.all.get(piece));
        let [Some(a), Some(b)] = pair else { return spin };
        let is_segment = |piece: &Piece| piece.count == 2 && matches!(piece.owner, Owner::Part(_));
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

    /// The weighted value of the nodes of the body at a contact with a collider.
    fn middle(&self, contact: &Contact, values: &[Vec3]) -> Vec3 {
        let nodes = contact.nodes.into_iter().zip(contact.weights);
        let of_body = nodes.filter(|(node, weight)| *node < self.body_nodes && *weight != 0.0);
        of_body.fold([0.0; 3], |sum, (node, weight)| along(sum, weight, values[node]))
    }

    /// The weighted value of the nodes of the collider; 0 for a half-space without nodes.
    fn foot(&self, contact: &Contact, values: &[Vec3]) -> Vec3 {
        let nodes = contact.nodes.into_iter().zip(contact.weights);
        let of_collider = nodes.filter(|(node, _)| *node >= self.body_nodes);
        of_collider.fold([0.0; 3], |sum, (node, weight)| along(sum, -weight, values[node]))
    }

    /// The velocity of the surface of a collider at a contact.
    pub(super) fn carrier(&self, contact: &Contact) -> Vec3 {
        add(self.foot(contact, &self.nodes.v), contact.carry.v)
    }
}
