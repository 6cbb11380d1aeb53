//! Detects steps in which nothing can touch. A kernel takes them at once, without checks between
//! them: all steps of a frame, or some of them if the body may touch itself.
//!
//! The test needs a bound E on the distance of nodes from parabolas, with their velocities and
//! accelerations at the start. Ends of a spring then move relative to each other by at
//! most their relative motion on the parabolas, plus 2 E. This bounds the change of its force, and
//! all changes bound the change of the acceleration. With this change no node may be farther than E
//! from its parabola. The minimum E for all steps follows from one linear equation.

use super::{Simulation, new_sum};
use crate::body::vector::{Vec3, dot, norm, sub};
use crate::body::{Body, Model, State};
use crate::contact::BoundedMotion;
use crate::force::{Part, System, Term};
use crate::run::Setup;
use std::sync::Arc;

/// Factor on a bound, so that rounding errors do not matter.
const MARGIN: f64 = 1.01;

/// Maximum feedback of the bound on itself. Above this value, the bound is too large to be useful.
const MAX: f64 = 0.9;

/// Minimum number of steps that are worth an attempt to take them at once.
const MIN_STEPS: u64 = 8;

/// Maximum number of steps without an attempt, after failed attempts.
const PAUSE: u64 = 1024;

/// Number of successes before an attempt with twice as many steps.
const GROWTH: u64 = 16;

/// Attempts to take several steps at once between contacts of the body with itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attempts {
    /// Number of steps of the next attempt; 0 for a whole frame.
    count: u64,
    /// Successes since the last failure or change of `count`.
    successes: u64,
    /// Steps without an attempt that are left, and their number after the next failure.
    left: u64,
    pause: u64,
}

impl Attempts {
    /// Returns the number of steps of an attempt within the next `maximum` steps; `None` if none is
    /// due.
    fn begin(&mut self, maximum: u64) -> Option<u64> {
        if self.left > 0 {
            self.left -= 1;
            return None;
        }
        if self.count == 0 {
            self.count = maximum;
        }
        Some(self.count.min(maximum)).filter(|count| *count >= MIN_STEPS)
    }

    /// Learns from an attempt with a number of steps.
    fn end(&mut self, count: u64, has_succeeded: bool) {
        self.successes = if has_succeeded { self.successes + 1 } else { 0 };
        if has_succeeded {
            self.pause = 0;
            if self.successes >= GROWTH && count == self.count {
                self.count = 2 * count;
                self.successes = 0;
            }
        } else if count >= 2 * MIN_STEPS {
            self.count = count / 2;
        } else {
            self.pause = (2 * self.pause).clamp(4 * MIN_STEPS, PAUSE);
            self.left = self.pause;
        }
    }
}

impl Simulation {
    /// Returns a bound on the motion in the next frame if contacts with colliders certainly do
    /// nothing in it, so that no step needs a check.
    pub(super) fn clear_frame(&mut self) -> Option<BoundedMotion> {
        let contacts = &self.setup.contacts;
        let is_possible = contacts.own.is_none() && contacts.drawn.is_none();
        if !is_possible || !self.displaced.is_empty() || !self.integrator.follows_forces() {
            return None;
        }
        self.covered_course(self.setup.substeps)
    }

    /// Takes some of the steps up to `end` at once if the body certainly does not touch itself or a
    /// collider in them. Returns whether it did. Otherwise the next step has to be taken alone.
    pub(super) fn leap(&mut self, end: u64) -> bool {
        let contacts = &self.setup.contacts;
        if (contacts.own.is_none() && contacts.drawn.is_none())
            || !self.displaced.is_empty()
            || !self.setup.is_plain_without_contacts()
            || self.is_step_by_step()
            || !self.integrator.follows_forces()
            || self.meter.is_over()
        {
            return false;
        }
        let Some(count) = self.attempts.begin(end - self.steps) else { return false };
        let course = self.covered_course(count);
        let has_leapt = course.is_some_and(|course| self.leap_along(&course, count));
        self.attempts.end(count, has_leapt);
        has_leapt
    }

    /// Takes steps at once whose motion is known to be clear. Returns whether a kernel can.
    fn leap_along(&mut self, course: &BoundedMotion, count: u64) -> bool {
        let setup = Arc::clone(&self.setup);
        let system = System::new(&setup.model, &self.springs, &setup.forces, &self.anchors);
        let next = &mut self.step_start;
        next.x.resize(self.state.x.len(), 0.0);
        next.v.resize(self.state.v.len(), 0.0);
        if !self.integrator.burst(&system, &self.state, next, setup.dt(), count) {
            return false;
        }
        std::mem::swap(&mut self.state, next);
        self.contact_forces.clear();
        self.count(count);
        self.pass_clear(course);
        true
    }

    /// Returns a bound on the motion in a number of steps if nothing can touch in them. May update
    /// the proofs of the contact solvers.
    fn covered_course(&mut self, count: u64) -> Option<BoundedMotion> {
        let setup = &self.setup;
        let sum = self.sum.get_or_insert_with(|| new_sum(setup, &self.springs));
        let system = System::new(&setup.model, &self.springs, &setup.forces, &self.anchors)
            .summed(sum.as_ref());
        let course = course(setup, &system, &self.state, count)?;
        let body = Body { model: &setup.model, springs: &self.springs };
        let is_clear = match (&mut self.nodes, &mut self.drawn) {
            (Some(nodes), _) => nodes.covers(body, &self.state, &course),
            (None, Some(drawn)) => drawn.covers(body, &self.state, &course),
            (None, None) => false,
        };
        is_clear.then_some(course)
    }

    /// Notifies the contact solvers that a kernel has taken steps without contact.
    pub(super) fn pass_clear(&mut self, course: &BoundedMotion) {
        if let Some(nodes) = &mut self.nodes {
            nodes.pass(course, self.state.t);
        }
        if let Some(drawn) = &mut self.drawn {
            drawn.pass(course, self.state.t);
        }
    }
}

/// Position, velocity and acceleration of a node; a pinned node does not move.
struct NodeMotion {
    x: Vec3,
    v: Vec3,
    a: Vec3,
}

impl NodeMotion {
    #[inline]
    fn of(model: &Model, state: &State, now: &[f64], node: usize) -> Self {
        let n = model.nodes();
        let mut motion = Self { x: [0.0; 3], v: [0.0; 3], a: [0.0; 3] };
        for axis in 0..model.axes {
            let place = axis * n + node;
            motion.x[axis] = state.x[place];
            if !model.pinned[node] {
                (motion.v[axis], motion.a[axis]) = (state.v[place], now[place]);
            }
        }
        motion
    }
}

/// Bounds on the forces on a node.
#[derive(Clone, Copy, Default)]
struct Pull {
    /// Maximum change by the motion of all nodes on their parabolas.
    change: f64,
    /// Growth per unit of distance from the parabolas.
    growth: f64,
}

/// Bound on the motion in a number of steps, for a method whose steps use the forces at their
/// start; `None` if there is no bound.
fn course(setup: &Setup, system: &System<'_>, state: &State, count: u64) -> Option<BoundedMotion> {
    let (model, n, dt) = (&setup.model, setup.model.nodes(), setup.dt());
    let (time, count) = (count as f64 * dt, count as f64);
    if !state.is_finite() {
        return None;
    }
    let mut now = vec![0.0; state.x.len()];
    system.accelerations(state, &mut now);
    let fall = 0.5 * time * (time + dt);
    let (pulls, drag, slack) = pulls(setup, time, state, &now)?;
    let (mut change, mut growth, mut drag_rate) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut acceleration, mut speed) = (0.0_f64, 0.0_f64);
    for (node, pull) in pulls.iter().enumerate().filter(|(node, _)| !model.pinned[*node]) {
        let (mass, motion) = (model.mass[node], NodeMotion::of(model, state, &now, node));
        change = change.max(pull.change / mass);
        growth = growth.max(pull.growth / mass);
        drag_rate = drag_rate.max(drag / mass);
        acceleration = acceleration.max(dot(motion.a, motion.a));
        speed = speed.max(dot(motion.v, motion.v));
    }
    let (acceleration, speed) = (acceleration.sqrt(), speed.sqrt());
    let left = 1.0 - drag_rate * time - fall * growth;
    if left.is_nan() || left < 1.0 - MAX {
        return None;
    }
    // Drag changes with the velocity. Parabolas take steps as long as half of the square of time,
    // while the methods are half a step behind or ahead.
    let change = (change + drag_rate * time * acceleration) / left;
    let error = MARGIN * (fall * change + 0.5 * time * dt * acceleration);
    let size = state.x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let farthest = MARGIN * (time * speed + fall * acceleration) + error;
    let error = error + 4.0 * f64::EPSILON * count * (size + farthest);
    if !(error.is_finite() && 2.0 * error <= slack) {
        return None;
    }
    let along = |share: f64, fall: f64| {
        let mut places = Vec::with_capacity(state.x.len());
        for (x, (v, a)) in state.x.chunks(n).zip(state.v.chunks(n).zip(now.chunks(n))) {
            for ((x, is_pinned), (v, a)) in x.iter().zip(&model.pinned).zip(v.iter().zip(a)) {
                places.push(if *is_pinned { *x } else { x + share * v + fall * a });
            }
        }
        places
    };
    let (middles, ends) = (along(0.5 * time, 0.0), along(time, 0.5 * time * time));
    Some(BoundedMotion { middles, ends, error, farthest: farthest + error, count })
}

/// Returns the bounds on the forces on all nodes, the sum of the drag coefficients, and the maximum
/// change of a spring's length for which they hold; `None` if a force has no bound.
///
/// The derivative of a spring's force is at most its stiffness, or its stiffness times L / l - 1 if
/// its length l falls below half of its rest length L. Lengths must not fall below half of their
/// values at the start.
fn pulls(setup: &Setup, time: f64, state: &State, now: &[f64]) -> Option<(Vec<Pull>, f64, f64)> {
    let (model, n) = (&setup.model, setup.model.nodes());
    let (mut drag, mut slack) = (0.0, f64::INFINITY);
    let mut pulls = vec![Pull::default(); n];
    let fall = 0.5 * time * (time + setup.dt());
    let motions: Vec<NodeMotion> =
        (0..n).map(|node| NodeMotion::of(model, state, now, node)).collect();
    for force in &setup.forces {
        let springs = match force.term()? {
            Term::Gravity { .. } => continue,
            Term::Drag { coefficient, .. } => {
                drag += coefficient;
                continue;
            }
            Term::Hooke(Part::Held) => &model.springs[..model.held],
            Term::Hooke(Part::Bending) => &model.springs[model.held..],
        };
        for spring in springs {
            let [a, b] = [&motions[spring.a], &motions[spring.b]];
            let (apart, relative) = (sub(b.x, a.x), sub(b.v, a.v));
            let length = norm(apart);
            let bend = fall * norm(sub(b.a, a.a));
            let change = time * norm(relative) + bend;
            let stiffness = spring.stiffness * (2.0 * spring.rest_length / length - 1.0).max(1.0);
            let approach = (time * dot(apart, relative) / length).min(0.0);
            let own = 0.5 * length + approach - bend;
            if own.is_nan() || own <= 0.0 {
                return None;
            }
            slack = slack.min(own);
            for node in [spring.a, spring.b] {
                pulls[node].change += stiffness * change;
                pulls[node].growth += 2.0 * stiffness;
            }
        }
    }
    Some((pulls, drag, slack))
}
