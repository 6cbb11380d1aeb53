//! Drawn contact of one body from step to step, with the proof that most steps need no solution.

use super::DrawnContact;
use super::guard::Guard;
use super::step::DrawnStep;
use crate::body::{Body, Model, State};
use crate::budget::Meter;
use crate::contact::collider::{Shape, facets::Visits};
use crate::contact::fence::Fence;
use crate::contact::{BoundedMotion, ContactForces, Contacts};
use crate::named::BadSetup;

/// Solver for the drawn contact of one body.
pub(crate) struct DrawnSolver {
    step: DrawnStep,
    /// Proof that nothing touches; `None` if there is none.
    guard: Option<Box<Guard>>,
    /// Whether steps use the guard, instead of a test of all pairs in each step.
    has_guard: bool,
}

/// Returns whether a guard can judge the steps of a body.
fn allows_guard(step: &DrawnStep) -> bool {
    // The shape in pictures of a custom collider does not determine its distance function. Corners
    // of rigid bodies are not nodes of the state.
    let mut shapes = step.obstacles.all.iter().map(|it| &it.shape);
    let is_custom = |shape: &Shape| matches!(shape, Shape::Other(_) | Shape::Placed(..));
    step.pieces.corners == 0 && !shapes.any(is_custom)
}

fn new_guard(step: &mut DrawnStep, body: Body<'_>, state: &State) -> Box<Guard> {
    step.know(body.model, body.springs);
    Box::new(Guard::new(step, body.model, state))
}

impl DrawnSolver {
    /// Creates the drawn contact of a body that starts in state `initial`.
    ///
    /// # Errors
    /// The errors of [`DrawnStep::new`].
    pub(crate) fn new(
        contacts: &Contacts,
        contact: &DrawnContact,
        model: &Model,
        initial: &State,
    ) -> Result<Self, BadSetup> {
        let step = DrawnStep::new(contacts, contact, model, initial)?;
        let has_guard = allows_guard(&step);
        Ok(Self { step, guard: None, has_guard })
    }

    /// Corrects the motion from `start` to `state`, the two ends of a step, so that no drawn pieces
    /// come too close.
    ///
    /// Adds the nodes that it changed to `displaced`, and the impulses on colliders and pinned
    /// nodes to `forces`. Gives up when the meter ends the run.
    pub(crate) fn resolve(
        &mut self,
        body: Body<'_>,
        start: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
        meter: &Meter,
    ) {
        let before = Visits::until_now();
        let has_touched = self.step.resolve(body, start, state, displaced, forces, meter);
        Visits::since(before).count(meter);
        if has_touched && let Some(guard) = &mut self.guard {
            guard.follow(displaced, &state.x);
        }
    }

    /// Disables the guard, so that each step tests all pairs. This is slower, and the results are
    /// bit-identical.
    pub(crate) fn test_everything(&mut self) {
        self.has_guard = false;
    }

    /// Removes the guard, because pins, springs or positions have changed between two steps.
    pub(crate) fn forget(&mut self) {
        self.guard = None;
    }

    /// Returns boxes in which nothing touches, for runs that take several steps at once. See
    /// [`NodeSolver::fence`](crate::contact::NodeSolver::fence).
    pub(crate) fn fence(&mut self, body: Body<'_>, state: &State) -> Option<&Fence> {
        self.forget();
        if !self.step.obstacles.movers.is_empty() || self.may_touch(body, state, state) {
            return None;
        }
        self.guard.as_mut()?.fence(body.model.nodes(), state)
    }

    /// Moves colliders to the end of a step from `start` to `end`. Returns whether anything may
    /// touch in this step.
    pub(crate) fn may_touch(&mut self, body: Body<'_>, start: &State, end: &State) -> bool {
        let stride = self.step.obstacles.advance([start, end], self.step.body_nodes);
        let Self { step, guard, .. } = self;
        if !self.has_guard {
            return true;
        }
        let guard = guard.get_or_insert_with(|| new_guard(step, body, start));
        guard.may_touch(step, body.model, body.springs, start, end, stride)
    }

    /// Whether certainly nothing touches in a motion. Pins and springs must not change.
    pub(crate) fn covers(&mut self, body: Body<'_>, state: &State, course: &BoundedMotion) -> bool {
        let Self { step, guard, .. } = self;
        if !self.has_guard || !step.obstacles.movers.is_empty() {
            return false;
        }
        let guard = guard.get_or_insert_with(|| new_guard(step, body, state));
        guard.covers(step, body.model, state, course)
    }

    /// Counts the steps of a motion that [`DrawnSolver::covers`], which ends at a time.
    pub(crate) fn pass(&mut self, course: &BoundedMotion, time: f64) {
        self.part();
        if let Some(guard) = &mut self.guard {
            guard.pass(course, time);
        }
    }

    /// Clears the impulses after a step without contact.
    pub(crate) fn part(&mut self) {
        self.step.impulses.clear();
    }

    /// Appends the impulses of the last step, followed by their number.
    pub(crate) fn save(&self, memory: &mut Vec<f64>) {
        self.step.impulses.save(memory);
    }

    /// Restores the values that [`DrawnSolver::save`] appended to `memory`. Returns the values
    /// before them.
    pub(crate) fn restore<'a>(&mut self, memory: &'a [f64]) -> &'a [f64] {
        self.step.impulses.restore(memory)
    }
}
