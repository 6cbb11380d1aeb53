//! Solver for contacts of nodes, with bounds that persist between steps. A step without contact
//! needs only a bounds check.

mod answers;

use super::collider::facets::Visits;
use super::fence::Fence;
use super::moving::Odometer;
use super::obstacle::Obstacles;
use super::own::{Pairs, SelfContacts};
use super::response::{Answer, Push};
use super::{BoundedMotion, ContactForces, Contacts, SelfContact, Step, put};
use crate::body::vector::{Vec3, scaled};
use crate::body::{Body, Model, State};
use crate::budget::{Item, Meter};

/// Number of passes in which all free nodes move.
const PASSES: usize = 6;

/// Maximum number of passes of shock propagation, in which nodes in contact with held nodes become
/// held.
const LEVELS: usize = 24;

/// Fraction of the clearance from a fixed collider that the half diagonal of a node's box fills.
const FILLED: f64 = 0.9;

/// Outputs of the contact solver.
pub(super) struct NodeChanges<'a> {
    pub(super) displaced: &'a mut Vec<usize>,
    pub(super) forces: &'a mut ContactForces,
}

/// Solver for the contacts of one body's nodes.
pub(crate) struct NodeSolver {
    obstacles: Obstacles,
    fence: Fence,
    /// Boxes for runs that take several steps at once.
    open: Fence,
    /// Expiry of boxes near moving colliders.
    odometer: Odometer,
    own: Option<(SelfContact, Pairs)>,
    /// Nodes that may touch a collider in this step or pass, in ascending order.
    candidates: Vec<usize>,
    /// Position of each node after its last contact with a collider in this step; `None` if there
    /// was none.
    grounded: Vec<Option<Vec3>>,
    /// Nodes with an entry in `grounded`.
    touched: Vec<usize>,
    is_held: Vec<bool>,
    /// Indices of the colliders close to a node.
    active: Vec<usize>,
    /// Indices of all colliders.
    everything: Vec<usize>,
    /// Responses of the colliders to the candidates.
    answers: Vec<Answer>,
    /// Indices of the answers of nodes that are close to a single collider, by collider.
    alone: Vec<Vec<usize>>,
    /// Velocity changes of all answers by colliders.
    pushes: Vec<Push>,
    /// Velocity changes of one answer by colliders.
    response: Vec<Push>,
    /// Workspace for the starts of relative paths, and the reach of responses near moving
    /// colliders.
    starts: Vec<Vec3>,
    surroundings: f64,
    /// Whether each step tests all colliders and pairs, for tests.
    is_plain: bool,
}

impl NodeSolver {
    pub(crate) fn new(contacts: &Contacts, model: &Model, state: &State) -> Self {
        let (n, axes) = (model.nodes(), model.axes);
        let has_colliders = !contacts.colliders.is_empty();
        let mut fence = Fence::new(if has_colliders { n } else { 0 }, axes);
        fence.forget();
        let obstacles = Obstacles::new(contacts);
        Self {
            odometer: Odometer::new(if obstacles.movers.is_empty() { 0 } else { n }),
            obstacles,
            fence,
            open: Fence::default(),
            own: contacts.own.map(|own| {
                let mut pairs = Pairs::new(model, state);
                pairs.fault = contacts.fault;
                (own, pairs)
            }),
            candidates: Vec::new(),
            grounded: vec![None; n],
            touched: Vec::new(),
            is_held: Vec::new(),
            active: Vec::new(),
            everything: (0..contacts.colliders.len()).collect(),
            answers: Vec::new(),
            alone: vec![Vec::new(); contacts.colliders.len()],
            pushes: Vec::new(),
            response: Vec::new(),
            starts: Vec::new(),
            surroundings: 0.0,
            is_plain: false,
        }
    }

    /// Makes each step test all colliders and pairs. This is slower, and the results are
    /// bit-identical.
    pub(crate) fn test_everything(&mut self) {
        self.is_plain = true;
        if let Some((_, pairs)) = &mut self.own {
            pairs.test_everything();
        }
    }

    /// Removes all bounds, because pins, springs or positions have changed between two steps.
    pub(crate) fn forget(&mut self) {
        self.fence.forget();
        if let Some((_, pairs)) = &mut self.own {
            pairs.forget();
        }
    }

    /// Moves colliders to the end of a step that ends in `state`, and finds the nodes that may
    /// touch in this step. Call it before [`NodeSolver::resolve`]. Returns whether anything may
    /// touch.
    pub(crate) fn find_candidates(&mut self, body: Body<'_>, start: &State, state: &State) -> bool {
        if self.is_plain {
            self.fence.forget();
        }
        if !self.obstacles.movers.is_empty() {
            let stride = self.obstacles.advance([start, state], body.model.nodes());
            self.odometer.advance(stride, &mut self.fence);
        }
        if !self.everything.is_empty() {
            self.fence.find_outside(&state.x, &mut self.candidates);
        }
        let own = self.own.as_mut();
        let own = own.is_some_and(|(own, pairs)| {
            pairs.find_candidates(*own, body.model, body.springs, start, state)
        });
        own || !self.candidates.is_empty()
    }

    /// Returns boxes around the positions of all nodes. While each node begins and ends every step
    /// in its box, nothing touches. Returns `None` if something may touch already, or if colliders
    /// move. Pins and springs must not change.
    pub(crate) fn fence(&mut self, body: Body<'_>, state: &State) -> Option<&Fence> {
        if self.is_plain || !self.obstacles.movers.is_empty() {
            return None;
        }
        self.open_boxes(body.model, state);
        if let Some((own, pairs)) = &mut self.own
            && !pairs.limit(*own, body.model, body.springs, state, &mut self.open.reach)
        {
            return None;
        }
        self.open.reach.iter().all(|reach| *reach > 0.0).then_some(&self.open)
    }

    /// Makes boxes around all nodes, in which they touch no collider.
    fn open_boxes(&mut self, model: &Model, state: &State) {
        let n = model.nodes();
        self.open.centre.clone_from(&state.x);
        self.open.reach.clear();
        let obstacles = &self.obstacles;
        let reach = (0..n).map(|node| {
            let indices = (0..obstacles.all.len()).filter(|_| !model.pinned[node]);
            let clearances = indices.map(|k| obstacles.clearance(k, state.position(n, node)));
            FILLED / 3.0_f64.sqrt() * clearances.fold(f64::INFINITY, f64::min)
        });
        self.open.reach.extend(reach);
    }

    /// Whether certainly nothing touches in a motion. Colliders must not move. Pins and springs
    /// must not change.
    pub(crate) fn covers(&mut self, body: Body<'_>, state: &State, course: &BoundedMotion) -> bool {
        if self.is_plain || !self.obstacles.movers.is_empty() {
            return false;
        }
        if !self.everything.is_empty() {
            self.open_boxes(body.model, state);
            if !self.open.reach.iter().all(|reach| *reach >= course.farthest) {
                return false;
            }
        }
        let Some((own, pairs)) = &mut self.own else { return true };
        pairs.covers(*own, body.model, body.springs, state, course)
    }

    /// Counts the steps of a motion that [`NodeSolver::covers`], which ends at a time.
    pub(crate) fn pass(&mut self, course: &BoundedMotion, time: f64) {
        if let Some((_, pairs)) = &mut self.own {
            pairs.pass(course, time);
        }
    }

    /// Corrects the motion from `start` to `state`, the two ends of a step, so that no node ends on
    /// the wrong side of anything.
    ///
    /// Adds the nodes that it changed to `displaced`, in any order. Adds the impulses on colliders
    /// and pinned nodes to `forces`. Gives up when the meter ends the run.
    pub(crate) fn resolve(
        &mut self,
        model: &Model,
        start: &State,
        state: &mut State,
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
        meter: &Meter,
    ) {
        let step = Step { model, start, meter };
        let mut changes = NodeChanges { displaced, forces };
        for node in self.touched.drain(..) {
            self.grounded[node] = None;
        }
        match self.own.take() {
            None => {
                self.collide(step, state, &mut changes);
            }
            Some((own, mut pairs)) => {
                let mut contacts = SelfContacts::new(own, step, &mut pairs);
                self.resolve_own(&mut contacts, state, &mut changes);
                pairs.follow(&state.x);
                self.own = Some((own, pairs));
            }
        }
        // A contact with another node may have moved a node out of its box.
        for &node in changes.displaced.iter().filter(|_| !self.everything.is_empty()) {
            if !self.fence.holds(node, &state.x) {
                self.fence.remove(node);
            }
        }
    }

    /// Resolves the contacts of a body that may touch itself.
    fn resolve_own(
        &mut self,
        own: &mut SelfContacts<'_>,
        state: &mut State,
        changes: &mut NodeChanges<'_>,
    ) {
        let (model, meter) = (own.model, own.meter);
        let step = Step { model, start: own.start, meter };
        let mut is_held = std::mem::take(&mut self.is_held);
        is_held.clone_from(&model.pinned);
        let mut known = changes.displaced.len();
        let mut is_clear = false;
        for pass in 0..PASSES + LEVELS {
            own.pass(state, &is_held, changes.displaced, changes.forces);
            self.add_moved_candidates(changes, known, state);
            let moved = changes.displaced.len();
            let touched = self.collide(step, state, changes);
            own.mark(&changes.displaced[moved..]);
            known = changes.displaced.len();
            if changes.displaced.len() > 4 * model.nodes() {
                changes.displaced.sort_unstable();
                changes.displaced.dedup();
                known = changes.displaced.len();
            }
            if (own.found().is_empty() && !touched) || meter.is_over() {
                // No pair of free nodes was skipped in these passes.
                is_clear = pass < PASSES;
                break;
            }
            if pass + 1 == PASSES {
                if self.touched.is_empty() {
                    break;
                }
                self.touched.iter().for_each(|&node| is_held[node] = true);
            } else if pass + 1 > PASSES {
                own.separate_from_held(state, &mut is_held, changes.displaced, changes.forces);
            }
        }
        self.is_held = is_held;
        if is_clear {
            return;
        }
        let mut moved = Vec::new();
        own.make_rigid(state, &mut moved);
        changes.displaced.append(&mut moved);
        self.add_moved_candidates(changes, known, state);
        if !self.collide(step, state, changes) {
            return;
        }
        let known = changes.displaced.len();
        own.hold_back(state, changes.displaced);
        if !self.obstacles.movers.is_empty() {
            // A moving collider may have reached the position where a node began.
            self.add_moved_candidates(changes, known, state);
            self.collide(step, state, changes);
        }
    }

    /// Adds the nodes displaced after the first `known` ones to the candidates, unless they are in
    /// their boxes.
    fn add_moved_candidates(&mut self, changes: &NodeChanges<'_>, known: usize, state: &State) {
        if self.everything.is_empty() {
            return;
        }
        let moved = changes.displaced[known..].iter().copied();
        self.candidates.extend(moved.filter(|&node| !self.fence.holds(node, &state.x)));
        self.candidates.sort_unstable();
        self.candidates.dedup();
    }

    /// Moves candidates out of colliders. Returns whether any candidate touched a collider. A node
    /// that has not moved since its last contact is skipped.
    fn collide(
        &mut self,
        step: Step<'_>,
        state: &mut State,
        changes: &mut NodeChanges<'_>,
    ) -> bool {
        let Step { model, meter, .. } = step;
        let (n, axes, colliders) = (model.nodes(), model.axes, self.everything.len());
        let before = Visits::until_now();
        if colliders > 0 && !meter.is_over() {
            self.find_answers(step, state);
        }
        let (visits, mut of_touching) = (Visits::since(before), Visits::default());
        self.candidates.clear();
        let answers = std::mem::take(&mut self.answers);
        let mut touched = false;
        for Answer { node: i, end, pushes, visits, .. } in &answers {
            let Some((x, v)) = *end else { continue };
            if meter.is_over() {
                break;
            }
            for Push { index, change, work } in &self.pushes[pushes.clone()] {
                let impulse = scaled(*change, -model.mass[*i]);
                changes.forces.push_collider(colliders, *index, impulse);
                changes.forces.work += model.mass[*i] * work;
            }
            put(&mut state.x, n, axes, *i, x);
            put(&mut state.v, n, axes, *i, v);
            changes.displaced.push(*i);
            if self.grounded[*i].replace(x).is_none() {
                self.touched.push(*i);
            }
            touched = true;
            meter.count(Item::Touch, colliders as u64);
            visits.count(meter);
            of_touching = of_touching.and(*visits);
        }
        // The number of checks of other nodes depends on cached data that checkpoints do not
        // contain.
        visits.without(of_touching).note(meter);
        self.answers = answers;
        touched
    }
}
