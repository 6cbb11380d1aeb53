//! Contacts and impulses of a step: changes of positions and velocities after the method.

use super::{Outcome, Simulation};
use crate::body::{Body, State, rigid};
use crate::contact::{Fence, NodeSolver, Visits, drawn::DrawnSolver};
use crate::force::Account;
use crate::method::Displaced;
use crate::run::Setup;

impl Simulation {
    /// Applies contacts and impulses, and notifies the method of the displaced nodes.
    pub(super) fn displace(&mut self, setup: &Setup) {
        let has_solids = rigid::has_solids(&setup.model);
        if setup.contacts.is_empty() && setup.impulses.is_empty() && !has_solids {
            return;
        }
        self.displaced.clear();
        self.contact_forces.clear();
        let dt = setup.dt();
        let (before, now) = (setup.time_after(self.steps - 1), self.state.t);
        let mut is_kept = setup.impulses.iter().any(|it| before < it.at && it.at <= now);
        is_kept |= has_solids;
        if is_kept {
            self.undisturbed.clone_from(&self.state);
        }
        if has_solids && self.state.is_finite() {
            rigid::settle(&setup.model, &mut self.state, &mut self.displaced);
            if let Some(forces) = &mut self.forces {
                forces.settle(&setup.model, &self.undisturbed, &self.state);
            }
            self.book(Account::Contact);
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

    /// Negates all velocities, and notifies the method that every node was displaced, as after an
    /// impulse of -2 m v. Time continues to increase. If the method and the forces are reversible,
    /// the run returns along its own path.
    ///
    /// A method with a memory adapts it to the new velocities: Adams methods restart, and methods
    /// with previous positions move these by twice the velocity times dt.
    pub fn reverse(&mut self) {
        let setup = std::sync::Arc::clone(&self.setup);
        self.undisturbed.clone_from(&self.state);
        self.state.v.iter_mut().for_each(|v| *v = -*v);
        let nodes: Vec<usize> =
            (0..setup.model.nodes()).filter(|node| !setup.model.pinned[*node]).collect();
        let what = Displaced {
            nodes: &nodes,
            model: &setup.model,
            before: &self.undisturbed,
            state: &self.state,
        };
        self.integrator.displaced(&what, setup.dt());
    }

    /// Applies contacts. If any are possible, stores the state before them; `is_kept` is `true` if
    /// this state is already stored.
    fn touch(&mut self, setup: &Setup, is_kept: &mut bool) {
        let body = Body { model: &setup.model, springs: &self.springs };
        let before = Visits::until_now();
        let may_touch = match (&mut self.nodes, &mut self.drawn) {
            (Some(nodes), _) => nodes.find_candidates(body, &self.step_start, &self.state),
            (None, Some(drawn)) => drawn.may_touch(body, &self.step_start, &self.state),
            (None, None) => false,
        };
        // Contact of the drawn geometry finds all distances in its first step, which would count as
        // the usual work of a step.
        if self.nodes.is_some() {
            Visits::since(before).note(&self.meter);
        }
        if !may_touch && let Some(drawn) = &mut self.drawn {
            drawn.part();
        }
        if !may_touch && self.keeper.is_none() {
            return;
        }
        // Positions of a diverged run are too large for contacts.
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
                drawn.resolve(body, start, state, displaced, forces, meter);
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

    /// Whether the run has diverged and can touch itself. The scattered pieces of such a body meet
    /// everywhere, and a search for contacts would take seconds. With contact of the drawn geometry
    /// each step is judged on its own, so that a repeated frame is bit-identical.
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
        // Contact of nodes can repair the strain of a step that is far too long.
        has_diverged || (is_drawn && self.is_out_of_order())
    }

    /// Clears all contacts of a run that has diverged.
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

    /// Boxes around the positions of all nodes. No contact acts as long as each node starts and
    /// ends every step inside its box. `None` if there are no contacts, or if something may touch
    /// at the moment.
    #[doc(hidden)]
    pub fn fence(&mut self) -> Option<&Fence> {
        let body = Body { model: &self.setup.model, springs: &self.springs };
        match (&mut self.nodes, &mut self.drawn) {
            (Some(nodes), _) => nodes.fence(body, &self.state),
            (None, Some(drawn)) => drawn.fence(body, &self.state),
            (None, None) => None,
        }
    }

    /// Disables shortcuts in the search for contacts. Results are bit-identical, but steps are
    /// slow. For tests.
    #[doc(hidden)]
    pub fn test_everything(&mut self) {
        if let Some(nodes) = &mut self.nodes {
            nodes.test_everything();
        }
        if let Some(drawn) = &mut self.drawn {
            drawn.test_everything();
        }
    }

    /// Clears the positions that contacts store. Required if anything other than a step has moved
    /// nodes, or if pins or springs have changed.
    pub(super) fn forget_places(&mut self) {
        if let Some(nodes) = &mut self.nodes {
            nodes.forget();
        }
        if let Some(drawn) = &mut self.drawn {
            drawn.forget();
        }
    }
}

/// Creates the solver for contact of nodes; `None` for other kinds of contact.
pub(super) fn node_solver(setup: &Setup) -> Option<Box<NodeSolver>> {
    let contacts = Some(&setup.contacts).filter(|it| it.drawn.is_none() && !it.is_empty())?;
    Some(Box::new(NodeSolver::new(contacts, &setup.model, &setup.initial)))
}

/// Creates the solver for contact of the drawn geometry, for a setup that has been checked.
pub(super) fn drawn_solver(setup: &Setup) -> Option<Box<DrawnSolver>> {
    let contact = setup.contacts.drawn.as_ref()?;
    let solver = DrawnSolver::new(&setup.contacts, contact, &setup.model, &setup.initial);
    solver.ok().map(Box::new)
}

/// Applies the impulses with `before` < time <= `now`. Appends the moved nodes to `displaced`.
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
