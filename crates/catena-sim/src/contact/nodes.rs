//! Contact of nodes at work: what is kept from step to step so that a step in which nothing touches
//! needs no more than a look.

use super::fence::Fence;
use super::lanes::{Ends, Fate, LANES, Paths};
use super::obstacle::Obstacles;
use super::own::{Pairs, SelfContacts};
use super::response::{Answer, Known, NodePath, Surroundings};
use super::{ContactForces, Contacts, SelfContact, put};
use crate::body::vector::{Vec3, greatest, scaled, sub};
use crate::body::{Model, SpringMemory, State};
use crate::budget::Meter;
use std::cell::Cell;

/// Passes in which all free nodes move.
const PASSES: usize = 6;

/// Passes of shock propagation, in which nodes that touch held ones become held.
const LEVELS: usize = 24;

/// Nanoseconds of a node that touches and is swept several times. What a look costs is in the price
/// of a step: how often one is needed depends on what is known, which a checkpoint does not hold.
const TOUCHING: u64 = 400;

/// The share of the distance to a collider that the box around a node fills.
const FILLED: f64 = 0.9;

/// The two ends of a step.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) model: &'a Model,
    pub(super) start: &'a State,
    pub(super) meter: &'a Meter,
}

/// Where contacts write what they do.
pub(super) struct Changes<'a> {
    pub(super) displaced: &'a mut Vec<usize>,
    pub(super) forces: &'a mut ContactForces,
}

/// Contact of the nodes of one body at work.
pub(crate) struct NodeSolver {
    obstacles: Obstacles,
    fence: Fence,
    /// Boxes for runs that take many steps at once.
    open: Fence,
    own: Option<(SelfContact, Pairs)>,
    /// Nodes that may touch a collider in this step or pass, in order.
    candidates: Vec<usize>,
    /// Where nodes that have touched something in this step were put.
    grounded: Vec<Option<Vec3>>,
    /// Those nodes.
    touched: Vec<usize>,
    is_held: Vec<bool>,
    /// Numbers of the colliders that are close to a node, and of all.
    active: Vec<usize>,
    everything: Vec<usize>,
    /// What the colliders do to those nodes.
    answers: Vec<Answer>,
    /// Places of the answers of nodes that are close to one collider alone, by collider.
    alone: Vec<Vec<usize>>,
    /// Which colliders changed velocities, and by what: of all answers, and of one.
    pushes: Vec<(usize, Vec3)>,
    response: Vec<(usize, Vec3)>,
    /// Whether each step looks at everything, for tests.
    is_plain: bool,
}

impl NodeSolver {
    pub(crate) fn new(contacts: &Contacts, model: &Model, state: &State) -> Self {
        let (n, axes) = (model.nodes(), model.axes);
        let has_colliders = !contacts.colliders.is_empty();
        let mut fence = Fence::new(if has_colliders { (n, axes) } else { (0, axes) });
        fence.forget();
        Self {
            obstacles: Obstacles::new(contacts),
            fence,
            open: Fence::default(),
            own: contacts.own.map(|own| (own, Pairs::new(model, state))),
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
            is_plain: false,
        }
    }

    /// Lets each step look at everything from here on: the same bits, slowly.
    pub(crate) fn look_at_everything(&mut self) {
        self.is_plain = true;
        if let Some((_, pairs)) = &mut self.own {
            pairs.look_at_everything();
        }
    }

    /// Forgets where nodes were: pins, springs or positions have changed between two steps.
    pub(crate) fn forget(&mut self) {
        self.fence.forget();
        if let Some((_, pairs)) = &mut self.own {
            pairs.forget();
        }
    }

    /// Whether anything may touch in a step that ends in this state. Must be asked before
    /// [`NodeSolver::resolve`].
    pub(crate) fn may_touch(
        &mut self,
        body: (&Model, &SpringMemory),
        start: &State,
        state: &State,
    ) -> bool {
        if self.is_plain {
            self.fence.forget();
        }
        if !self.everything.is_empty() {
            self.fence.find_outside(&state.x, &mut self.candidates);
        }
        let own = self.own.as_mut();
        let own = own.is_some_and(|(own, pairs)| pairs.look(*own, body, (start, state)));
        own || !self.candidates.is_empty()
    }

    /// Boxes around the places of all nodes: as long as each begins and ends every step in its own,
    /// nothing touches. `None` where something may touch right now. Pins and springs must stay as
    /// they are.
    pub(crate) fn fence(&mut self, body: (&Model, &SpringMemory), state: &State) -> Option<&Fence> {
        if self.is_plain {
            return None;
        }
        let (model, n) = (body.0, body.0.nodes());
        self.open.centre.clone_from(&state.x);
        self.open.reach.clear();
        let obstacles = &self.obstacles;
        let reach = (0..n).map(|node| {
            let indices = (0..obstacles.all.len()).filter(|_| !model.pinned[node]);
            let clearances = indices.map(|k| obstacles.clearance(k, state.position(n, node)));
            FILLED / 3.0_f64.sqrt() * clearances.fold(f64::INFINITY, f64::min)
        });
        self.open.reach.extend(reach);
        if let Some((own, pairs)) = &mut self.own
            && !pairs.limit(*own, body, state, &mut self.open.reach)
        {
            return None;
        }
        self.open.reach.iter().all(|reach| *reach > 0.0).then_some(&self.open)
    }

    /// Corrects the motion from `start` to `state`, the two ends of a step, so that no node ends on
    /// the wrong side of anything. Adds the nodes that it changed to `displaced`, in any order, and
    /// what colliders and pinned nodes received to `forces`. Gives up when the meter ends the run.
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
        let mut changes = Changes { displaced, forces };
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
                self.own = Some((own, pairs));
            }
        }
        // A node that was moved last by another node may be anywhere.
        for &node in changes.displaced.iter().filter(|_| !self.everything.is_empty()) {
            if !self.fence.holds(node, &state.x) {
                self.fence.remove(node);
            }
        }
    }

    /// The same for a body that touches itself.
    fn resolve_own(
        &mut self,
        own: &mut SelfContacts<'_>,
        state: &mut State,
        changes: &mut Changes<'_>,
    ) {
        let (model, meter) = (own.model, own.meter);
        let step = Step { model, start: own.start, meter };
        let mut is_held = std::mem::take(&mut self.is_held);
        is_held.clone_from(&model.pinned);
        let mut known = changes.displaced.len();
        let mut is_clear = false;
        for pass in 0..PASSES + LEVELS {
            own.pass(state, &is_held, changes.displaced, changes.forces);
            self.look_again(changes, known, state);
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
                // So far no pair of free nodes was left out.
                is_clear = pass < PASSES;
                break;
            }
            if pass + 1 == PASSES {
                if self.touched.is_empty() {
                    break;
                }
                self.touched.iter().for_each(|&node| is_held[node] = true);
            } else if pass + 1 > PASSES {
                own.lean(state, &mut is_held, changes.displaced, changes.forces);
            }
        }
        self.is_held = is_held;
        if is_clear {
            return;
        }
        let mut moved = Vec::new();
        own.make_rigid(state, &mut moved);
        changes.displaced.append(&mut moved);
        self.look_again(changes, known, state);
        if self.collide(step, state, changes) {
            own.hold_back(state, changes.displaced);
        }
    }

    /// Adds the nodes that were moved since so many were known to those that may touch a collider.
    fn look_again(&mut self, changes: &Changes<'_>, known: usize, state: &State) {
        if self.everything.is_empty() {
            return;
        }
        let moved = changes.displaced[known..].iter().copied();
        self.candidates.extend(moved.filter(|&node| !self.fence.holds(node, &state.x)));
        self.candidates.sort_unstable();
        self.candidates.dedup();
    }

    /// Moves the free nodes that may touch a collider out of it; returns whether any touched one. A
    /// node that is still where it was put needs no work.
    fn collide(&mut self, step: Step<'_>, state: &mut State, changes: &mut Changes<'_>) -> bool {
        let Step { model, meter, .. } = step;
        let (n, axes, colliders) = (model.nodes(), model.axes, self.everything.len());
        if colliders > 0 && !meter.is_over() {
            self.find_answers(step, state);
        }
        self.candidates.clear();
        let answers = std::mem::take(&mut self.answers);
        let mut touched = false;
        for Answer { node: i, end, pushes, .. } in &answers {
            let Some((x, v)) = *end else { continue };
            if meter.is_over() {
                break;
            }
            for &(index, change) in &self.pushes[pushes.clone()] {
                let impulse = scaled(change, -model.mass[*i]);
                changes.forces.push_collider((colliders, index), impulse);
            }
            put(&mut state.x, (n, axes), *i, x);
            put(&mut state.v, (n, axes), *i, v);
            changes.displaced.push(*i);
            if self.grounded[*i].replace(x).is_none() {
                self.touched.push(*i);
            }
            touched = true;
            meter.spend(TOUCHING * colliders as u64);
        }
        self.answers = answers;
        touched
    }

    /// What colliders do to the nodes that may touch one. No answer depends on another.
    fn find_answers(&mut self, Step { model, start, .. }: Step<'_>, state: &State) {
        let n = model.nodes();
        self.answers.clear();
        self.pushes.clear();
        let candidates = std::mem::take(&mut self.candidates);
        for &node in &candidates {
            if model.pinned[node] {
                self.fence.set(node, state.position(n, node), f64::INFINITY);
                continue;
            }
            let way = NodePath {
                from: start.position(n, node),
                to: state.position(n, node),
                before: start.velocity(n, node),
                v: state.velocity(n, node),
            };
            if self.grounded[node] == Some(way.to) || !self.find_active(node, &way) {
                continue;
            }
            let mut answer = Answer { node, way, end: None, pushes: 0..0 };
            match self.active[..] {
                [index] if !self.is_plain => self.alone[index].push(self.answers.len()),
                _ => self.respond(&mut answer),
            }
            self.answers.push(answer);
        }
        self.candidates = candidates;
        for index in 0..self.alone.len() {
            let mut alone = std::mem::take(&mut self.alone[index]);
            alone.chunks(LANES).for_each(|slots| self.respond_together(index, slots));
            alone.clear();
            self.alone[index] = alone;
        }
    }

    /// Finds the colliders that are close to a node, or draws the box around it anew and says that
    /// none is.
    fn find_active(&mut self, node: usize, way: &NodePath) -> bool {
        self.fence.remove(node);
        let step = greatest(sub(way.to, way.from));
        let (mut nearest, beyond) = (f64::INFINITY, way.surroundings() * 3.0_f64.sqrt() / FILLED);
        self.active.clear();
        for index in 0..self.everything.len() {
            let clearance = self.obstacles.clearance(index, way.from);
            nearest = nearest.min(clearance);
            if clearance <= beyond {
                self.active.push(index);
            }
        }
        let box_reach = FILLED * nearest / 3.0_f64.sqrt();
        if box_reach >= step && !self.is_plain {
            self.fence.set(node, way.from, box_reach);
            return false;
        }
        true
    }

    /// What one collider does to some nodes that are close to no other.
    fn respond_together(&mut self, index: usize, slots: &[usize]) {
        let (mut paths, mut ends) = (Paths::default(), Ends::default());
        for lane in 0..LANES {
            let slot = slots[lane.min(slots.len() - 1)];
            paths.put(lane, &self.answers[slot].way);
        }
        let obstacle = &self.obstacles.all[index];
        ends.touch(&obstacle.shape, (self.obstacles.radius, obstacle.surface), &paths);
        for (lane, &slot) in slots.iter().enumerate() {
            let fate = ends.fate(lane);
            if fate == Fate::Unknown {
                let mut answer = self.answers[slot].clone();
                self.active.clear();
                self.active.push(index);
                self.respond(&mut answer);
                self.answers[slot] = answer;
            } else if fate != Fate::Free {
                let first = self.pushes.len();
                let count = if fate == Fate::Stays { 2 } else { 1 };
                let changes = ends.changes(lane).into_iter().take(count);
                self.pushes.extend(changes.map(|change| (index, change)));
                let answer = &mut self.answers[slot];
                answer.end = Some(ends.place(lane));
                answer.pushes = first..self.pushes.len();
            }
        }
    }

    /// What the colliders that are close to a node do to it.
    fn respond(&mut self, answer: &mut Answer) {
        let way = answer.way;
        let near = Surroundings {
            known: &Cell::new(Known::NOTHING),
            obstacles: &self.obstacles,
            active: &self.active,
            middle: way.from,
            reach: way.surroundings(),
        };
        let all = Surroundings { active: &self.everything, reach: f64::INFINITY, ..near };
        let pushes = &mut self.response;
        let response = match self.is_plain {
            true => all.respond(way, pushes),
            false => near.respond(way, pushes).or_else(|_| all.respond(way, pushes)),
        };
        let first = self.pushes.len();
        self.pushes.append(&mut self.response);
        answer.end = response.unwrap_or_default();
        answer.pushes = first..self.pushes.len();
    }
}
