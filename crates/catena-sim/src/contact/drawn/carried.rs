//! Colliders that move, as drawn contact sees them: their nodes go straight from where the step
//! begins to where it ends, and their surface may turn beside them.

use super::solve::{Carry, Contact};
use super::step::DrawnSolver;
use crate::body::vector::{Vec3, add, along, cross, dot, scaled, sub};
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

    /// What the surface of a collider does beyond its nodes, at a contact with this normal: round
    /// ones turn under what touches them, and half-spaces have no nodes.
    pub(super) fn carry(&self, (vertex, collider): (usize, usize), normal: Vec3) -> Carry {
        let Some(mover) = self.mover(collider) else { return Carry::default() };
        let (start, end) = (&mover.start, &mover.end);
        if let Some(piece) = self.pieces.all.get(collider) {
            let arm = scaled(normal, piece.half);
            let begun = start.turned(end.unturned(arm));
            return Carry {
                way: sub(arm, begun),
                before: cross(start.omega, begun),
                v: cross(end.omega, arm),
                rise: 0.0,
            };
        }
        let node = self.pieces.all[vertex].nodes()[0];
        let (from, to) = (self.nodes.from[node], self.nodes.to[node]);
        let way = sub(mover.carried(from), from);
        let (before, v) = (start.velocity_at(from), end.velocity_at(to));
        Carry { way, before, v, rise: dot(normal, way) }
    }

    /// The velocity of the surface of a collider at a contact.
    pub(super) fn carrier(&self, contact: &Contact) -> Vec3 {
        let nodes = contact.nodes.into_iter().zip(contact.weights);
        let of_collider = nodes.filter(|(node, _)| *node >= self.body_nodes);
        let along_nodes =
            |sum, (node, weight): (usize, f64)| along(sum, -weight, self.nodes.v[node]);
        add(of_collider.fold([0.0; 3], along_nodes), contact.carry.v)
    }
}
