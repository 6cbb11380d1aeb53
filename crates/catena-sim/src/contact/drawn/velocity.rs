//! Velocities at the end of a step of drawn contact: approaching pieces stop or bounce.

use super::closest::nearest;
use super::memory::{PLACE, apart};
use super::pieces::Owner;
use super::solve::{self, Contact, Impulse};
use super::step::DrawnStep;
use super::sweeps;
use super::zones::Lost;
use crate::body::Model;
use crate::body::vector::{dot, scaled};
use crate::budget::Meter;
use crate::contact::ContactForces;
use crate::contact::impact::rebound;
use std::collections::BTreeMap;

impl DrawnStep {
    /// Stops approaching pieces at contacts, and records the impulses on colliders and pinned
    /// nodes.
    pub(super) fn stop(&mut self, model: &Model, forces: &mut ContactForces, meter: &Meter) {
        let n = self.body_nodes;
        let mut contacts = std::mem::take(&mut self.contacts);
        let is_closed = |contact: &Contact| contact.gap(&self.nodes.to) <= contact.closed;
        contacts.retain(|contact| contact.push > 0.0 || is_closed(contact));
        let mut leaving = Vec::with_capacity(contacts.len());
        for contact in &mut contacts {
            self.renew(contact);
            contact.position_impulse = Impulse { push: contact.push, drag: contact.drag };
            (contact.push, contact.drag) = (0.0, [0.0; 3]);
            let before = dot(contact.normal, contact.velocity_before(&self.nodes.before));
            let now = dot(contact.normal, contact.velocity(&self.nodes.v));
            let from = contact.gap(&self.nodes.from) + contact.carry.rise;
            let to = contact.gap(&self.nodes.to);
            let share = if from > 0.0 && to < from { (from / (from - to)).min(1.0) } else { 0.0 };
            let hit = before + share * (now - before);
            let after = rebound(contact.restitution, hit, now, now - before);
            leaving.push(if now < 0.0 { after } else { 0.0 });
            if leaving.last() != Some(&0.0) {
                contact.guess = Impulse::default();
            }
        }
        let before = self.nodes.v.clone();
        for contact in &mut contacts {
            let guess = contact.guess;
            contact.begin_with(guess, &self.nodes.inverse, &mut self.nodes.v);
        }
        sweeps::stop(&mut contacts, &leaving, &mut self.nodes, &mut self.direct, meter);
        // Pins and moving colliders may do work.
        let mut nodes = contacts.iter().flat_map(|contact| contact.nodes);
        let moves = |contact: &Contact| self.mover(contact.pair.1).is_some();
        let is_driven = nodes
            .any(|node| node < n && model.pinned[node] && before[node] != [0.0; 3])
            || contacts.iter().any(moves);
        let share = match is_driven {
            true => 1.0,
            false => solve::lose_energy(&contacts, &mut self.nodes, &before),
        };
        for contact in &contacts {
            let impulse = scaled(contact.impulse(), share);
            if let Some(collider) = self.collider(contact.pair.1) {
                forces.push_collider(self.surfaces.len(), collider, scaled(impulse, -1.0));
                forces.work += dot(impulse, self.carrier(contact));
            }
            for (k, node) in contact.nodes.into_iter().enumerate() {
                if node < n && model.pinned[node] {
                    forces.push_pin(model, node, scaled(contact.impulse_on(k), share));
                }
            }
        }
        self.impulses.keep(&contacts);
        self.contacts = contacts;
    }

    /// Records the momentum that each zone lost as an impulse on its leader: a pinned node or a
    /// collider.
    pub(super) fn book(
        &self,
        lost: BTreeMap<usize, Lost>,
        collider: Option<usize>,
        model: &Model,
        forces: &mut ContactForces,
    ) {
        for (leader, Lost { momentum, work }) in lost {
            if leader < self.body_nodes {
                forces.push_pin(model, leader, momentum);
                continue;
            }
            let moving = (0..self.surfaces.len()).find(|&index| self.ground(index) == leader);
            let moving = moving.filter(|_| leader > self.body_nodes);
            if let Some(index) = moving.or(collider) {
                forces.push_collider(self.surfaces.len(), index, momentum);
                forces.work += work;
            }
        }
    }

    /// Updates the normal and the weights of a contact to the end of the step, unless the nearest
    /// points have moved to another place.
    fn renew(&self, contact: &mut Contact) {
        let (a, b) = contact.pair;
        if let Some(second) = self.pieces.all.get(b) {
            let (at_a, at_b) = (self.corners(a, &self.nodes.to), self.corners(b, &self.nodes.to));
            let near = nearest(&at_a[..self.pieces.all[a].count], &at_b[..second.count]);
            let new = self.weighted(a, b, near.first, near.second);
            if dot(near.normal, contact.normal) > 0.5 && apart(&new.1, &contact.places) < PLACE {
                let gap = contact.gap(&self.nodes.to);
                (contact.normal, contact.places) = (near.normal, new.1);
                (contact.nodes, contact.weights) = new;
                contact.spin = self.spin(contact);
                if contact.levers.is_some() {
                    self.lever(contact);
                    contact.minimum += contact.gap(&self.nodes.to) - gap;
                }
            }
        }
        contact.carry = self.carry(contact);
    }

    /// Returns the collider of a piece or half-space; `None` for a piece of the body.
    pub(super) fn collider(&self, piece: usize) -> Option<usize> {
        match self.pieces.all.get(piece).map(|piece| piece.owner) {
            Some(Owner::Collider(collider)) => Some(collider),
            Some(Owner::Part(_)) => None,
            None => Some(self.pieces.half_spaces[piece - self.pieces.all.len()].collider),
        }
    }
}
