//! Contacts and impulses in a step: what changes positions and velocities after the method.

use super::{Outcome, Simulation};
use crate::body::{Body, State};
use crate::contact::{Fence, NodeSolver, drawn::DrawnSolver};
use crate::force::Account;
use crate::method::Displaced;
use crate::run::Setup;

impl Simulation {
    /// Contacts and impulses, and word of them to the method.
    pub(super) fn displace(&mut self, setup: &Setup) {
        if setup.contacts.is_empty() && setup.impulses.is_empty() {
            return;
        }
        self.displaced.clear();
        self.contact_forces.clear();
        let dt = setup.dt();
        let (before, now) = (setup.time_after(self.steps - 1), self.state.t);
        let mut is_kept = setup.impulses.iter().any(|it| before < it.at && it.at <= now);
        if is_kept {
            self.undisturbed.clone_from(&self.state);
        }
        if !setup.contacts.is_empty() {
            self.touch(setup, &mut is_kept);
        }
        impulses_between(setup, before, now, &mut self.state, &mut self.displaced);
        if !setup.impulses.is_empty() {
            self.book(Account::External);
        }
        if !self.displaced.is_empty() {
            self.displaced.sort_unstable();
            self.displaced.dedup();
            let what = Displaced {
                nodes: &self.displaced,
                model: &setup.model,
                before: &self.undisturbed,
                state: &self.state,
            };
            self.integrator.displaced(&what, dt);
        }
    }

    /// Contacts. The end of the step without them is kept where any are possible; `is_kept` says
    /// whether it is already.
    fn touch(&mut self, setup: &Setup, is_kept: &mut bool) {
        let body = (&setup.model, &self.springs);
        let may_touch = match (&mut self.nodes, &mut self.drawn) {
            (Some(nodes), _) => nodes.may_touch(body, &self.step_start, &self.state),
            (None, Some(drawn)) => drawn.may_touch(body.0, body.1, &self.step_start, &self.state),
            (None, None) => false,
        };
        if !may_touch && let Some(drawn) = &mut self.drawn {
            drawn.part();
        }
        if !may_touch && self.keeper.is_none() {
            return;
        }
        // Where numbers have run away there is nothing left to touch.
        if !self.state.is_finite() || (may_touch && self.is_lost()) {
            self.end_contact();
            return;
        }
        if may_touch {
            if !std::mem::replace(is_kept, true) {
                self.undisturbed.clone_from(&self.state);
            }
            let (start, meter, forces) = (&self.step_start, &self.meter, &mut self.contact_forces);
            let (state, displaced) = (&mut self.state, &mut self.displaced);
            if let Some(drawn) = &mut self.drawn {
                drawn.resolve(
                    Body { model: body.0, springs: body.1 },
                    start,
                    state,
                    displaced,
                    forces,
                    meter,
                );
            } else if let Some(nodes) = &mut self.nodes {
                nodes.resolve(&setup.model, start, state, displaced, forces, meter);
            }
            forces.set_free(&setup.model, &self.undisturbed, &self.state, &self.displaced);
        }
        if let Some(mut keeper) = self.keeper.take() {
            keeper.book_contact(self.contact_forces.work, &self.system(), &self.state);
            self.keeper = Some(keeper);
        }
    }

    /// Whether the run has diverged and touches itself: pieces that have run away meet each other
    /// everywhere, and a search for that takes seconds. Within a frame each step of drawn contact
    /// is judged by itself, so that a frame that is taken twice ends alike.
    fn is_lost(&self) -> bool {
        let is_drawn = self.drawn.is_some();
        if !is_drawn && self.setup.contacts.own.is_none() {
            return false;
        }
        let has_diverged = match self.outcome {
            Outcome::Fine => false,
            Outcome::Diverged { frame, .. } => {
                self.steps > frame.saturating_mul(self.setup.substeps)
            }
        };
        // Contact of nodes puts right what a step far too long has strained.
        has_diverged || (is_drawn && self.is_out_of_order())
    }

    /// Forgets all contacts of a run that has diverged.
    fn end_contact(&mut self) {
        if self.outcome == Outcome::Fine && self.is_out_of_order() {
            let frame = self.steps.div_ceil(self.setup.substeps);
            self.outcome = Outcome::Diverged { frame, step: self.steps };
        }
        self.forget_places();
        if let Some(drawn) = &mut self.drawn {
            drawn.part();
        }
    }

    /// Boxes around the places of all nodes: as long as each begins and ends every step in its own,
    /// no contact does anything. `None` where something may touch right now, and without contacts.
    #[doc(hidden)]
    pub fn fence(&mut self) -> Option<&Fence> {
        let body = (&self.setup.model, &self.springs);
        match (&mut self.nodes, &mut self.drawn) {
            (Some(nodes), _) => nodes.fence(body, &self.state),
            (None, Some(drawn)) => drawn.fence(body.0, body.1, &self.state),
            (None, None) => None,
        }
    }

    /// Lets each step look for contacts everywhere from here on: the same bits, slowly. For tests.
    #[doc(hidden)]
    pub fn look_at_everything(&mut self) {
        if let Some(nodes) = &mut self.nodes {
            nodes.look_at_everything();
        }
        if let Some(drawn) = &mut self.drawn {
            drawn.look_at_everything();
        }
    }

    /// Lets contacts forget where nodes were: something beside steps has moved them, or pins or
    /// springs are others.
    pub(super) fn forget_places(&mut self) {
        if let Some(nodes) = &mut self.nodes {
            nodes.forget();
        }
        if let Some(drawn) = &mut self.drawn {
            drawn.forget();
        }
    }
}

/// Contact of nodes, where nothing else touches.
pub(super) fn node_solver(setup: &Setup) -> Option<Box<NodeSolver>> {
    let contacts = Some(&setup.contacts).filter(|it| it.drawn.is_none() && !it.is_empty())?;
    Some(Box::new(NodeSolver::new(contacts, &setup.model, &setup.initial)))
}

/// Contact of what is drawn, for a setup that has been checked.
pub(super) fn drawn_solver(setup: &Setup) -> Option<Box<DrawnSolver>> {
    let contact = setup.contacts.drawn.as_ref()?;
    let solver = DrawnSolver::new(&setup.contacts, contact, &setup.model, &setup.initial);
    solver.ok().map(Box::new)
}

/// Adds the impulses with `before` < time <= `now`, and the nodes they move to `displaced`.
pub(super) fn impulses_between(
    setup: &Setup,
    before: f64,
    now: f64,
    state: &mut State,
    displaced: &mut Vec<usize>,
) {
    let n = setup.model.nodes();
    for impulse in setup.impulses.iter().filter(|i| before < i.at && i.at <= now) {
        if setup.model.pinned[impulse.node] {
            continue;
        }
        for axis in 0..setup.model.axes {
            let change = impulse.impulse[axis] / setup.model.mass[impulse.node];
            state.v[axis * n + impulse.node] += change;
        }
        displaced.push(impulse.node);
    }
}
