//! Memory of forces between steps, and nodes that stop at guides of routes.

use super::Simulation;
use crate::body::Body;
use crate::force::Account;
use crate::method::Displaced;
use std::sync::Arc;

impl Simulation {
    /// Updates the memory of forces at the end of a step. Nodes that have reached a guide of a
    /// route stop there first. Ropes then slide over pulleys whose friction decreases because the
    /// angles of their arcs have changed.
    pub(super) fn remember(&mut self) {
        if self.springs.rods.is_empty() {
            return;
        }
        let mut memory = std::mem::take(&mut self.next_rods);
        if self.remember_in(&mut memory) {
            self.stop_at_guides();
            self.remember_in(&mut memory);
        }
        std::mem::swap(&mut self.springs.rods, &mut memory);
        self.next_rods = memory;
        if self.keeper.is_some() && self.setup.has_routes() {
            self.book(Account::Damping);
        }
    }

    /// Writes the next memory. Returns whether nodes have reached guides.
    fn remember_in(&self, memory: &mut Vec<f64>) -> bool {
        memory.clone_from(&self.springs.rods);
        let body = Body { model: &self.setup.model, springs: &self.springs };
        let mut must_stop = false;
        for force in &self.setup.forces {
            must_stop |= force.remember(&body, &self.state, memory);
        }
        must_stop
    }

    /// Stops nodes at the guides that they have reached, and notifies the method.
    fn stop_at_guides(&mut self) {
        let setup = Arc::clone(&self.setup);
        self.undisturbed.clone_from(&self.state);
        self.displaced.clear();
        let body = Body { model: &setup.model, springs: &self.springs };
        let holds_lengths = setup.method.holds_lengths();
        for force in &setup.forces {
            force.stop(&body, &mut self.state, holds_lengths, &mut self.displaced);
        }
        if self.displaced.is_empty() {
            return;
        }
        self.displaced.sort_unstable();
        self.displaced.dedup();
        let what = Displaced {
            nodes: &self.displaced,
            model: &setup.model,
            before: &self.undisturbed,
            state: &self.state,
        };
        self.integrator.displaced(&what, setup.dt());
        self.book(Account::Contact);
    }
}
