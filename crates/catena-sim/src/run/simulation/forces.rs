//! Forces of a body on its pins and colliders, and the memory of forces between steps.
//!
//! Over a step of dt the body gives a pin the impulse J = ∫ F dt - m Δv. F is the sum of all forces
//! on the pinned node, including its weight. m Δv is the momentum that the node itself takes up
//! when the pin moves. ∫ F dt is dt (s F + (1 - s) F') with the forces at the two ends of the step;
//! s is [`Integrator::share_of_start`].
//!
//! Methods that hold lengths use the impulse of their corrections instead of the forces of held
//! springs. Impulses of contacts on a pinned node count for the pin, and so do the impulses of a
//! solid on its pins. In each step, the momentum of the whole body changes by the impulses of
//! weight and drag, minus the impulses on pins and colliders. This holds to rounding if the method
//! changes velocities by exactly these forces, and otherwise to second order in dt.

use super::Simulation;
use crate::body::vector::{Vec3, add, norm, scaled};
use crate::body::{Body, Model, State, rigid};
use crate::contact::{ContactForces, Contacts};
use crate::force::{Account, System};
use crate::method::{Displaced, Integrator};
use crate::run::Setup;
use std::sync::Arc;

/// The force of a body on one of its pins, with z = 0 in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PinForce {
    /// Index of the pinned node.
    pub node: usize,
    /// Mean over the last step, in units of force; 0 before the first step.
    pub step: Vec3,
    /// Mean over the steps of the frame so far; 0 before the first step.
    pub frame: Vec3,
}

/// The force of a body on one of its colliders, with z = 0 in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColliderForce {
    /// Index of the collider in [`Contacts::colliders`](crate::contact::Contacts).
    pub collider: usize,
    /// Mean over the last step, in units of force; 0 before the first step.
    pub step: Vec3,
    /// Mean over the steps of the frame so far; 0 before the first step.
    pub frame: Vec3,
    /// Point of application of the frame's force: the mean position of touching nodes, weighted by
    /// impulse. Meaningless if the force is 0.
    pub at: Vec3,
}

/// The force of a rope on a pulley, a ring or a drum of its route, with z = 0 in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuideForce {
    /// Index of the guide among the guides of all routes, in the order of forces.
    pub guide: usize,
    /// Mean over the last step, in units of force; 0 before the first step. NaN if the method holds
    /// the length of the route, because the tension is then unknown.
    pub step: Vec3,
    /// Mean over the steps of the frame so far.
    pub frame: Vec3,
}

/// Records the forces on pins, colliders and guides.
pub(super) struct ForceRecorder {
    /// Pins in the order of their nodes.
    pins: Vec<PinForce>,
    colliders: Vec<ColliderForce>,
    /// Guides of all routes, with their impulses in this step and since the start of the frame.
    guides: Vec<GuideForce>,
    guide_sums: Vec<[Vec3; 2]>,
    /// Impulses on pins in this step and since the start of the frame.
    impulses: Vec<Vec3>,
    pin_sums: Vec<Vec3>,
    collider_sums: Vec<ColliderSum>,
    /// Number of steps in the frame so far.
    steps: u64,
    start: State,
    end: State,
    force: Vec<f64>,
}

/// Sums for a collider since the start of the frame.
#[derive(Clone, Copy, Default)]
struct ColliderSum {
    impulse: Vec3,
    /// Sums Σ |j| x and Σ |j| over the nodes that touched the collider, for impulses j at positions
    /// x.
    moment: Vec3,
    weight: f64,
}

impl ForceRecorder {
    pub(super) fn new(setup: &Setup) -> Self {
        let model = &setup.model;
        let nodes = (0..model.nodes()).filter(|&node| model.pinned[node]);
        let pins: Vec<_> = nodes.map(|node| PinForce { node, ..PinForce::default() }).collect();
        let colliders = (0..setup.contacts.colliders.len())
            .map(|collider| ColliderForce { collider, ..ColliderForce::default() })
            .collect::<Vec<_>>();
        let routes = setup.forces.iter().filter_map(|force| force.route());
        let guides = 0..routes.map(|route| route.via.len()).sum();
        let guides: Vec<_> =
            guides.map(|guide| GuideForce { guide, ..GuideForce::default() }).collect();
        Self {
            guide_sums: vec![[[0.0; 3]; 2]; guides.len()],
            guides,
            impulses: vec![[0.0; 3]; pins.len()],
            pin_sums: vec![[0.0; 3]; pins.len()],
            collider_sums: vec![ColliderSum::default(); colliders.len()],
            pins,
            colliders,
            steps: 0,
            start: State::default(),
            end: State::default(),
            force: vec![0.0; model.axes * model.nodes()],
        }
    }

    /// Switches to the pins of a setup that an event has created. Records of remaining pins are
    /// kept.
    pub(super) fn follow(&mut self, setup: &Setup) {
        let mut next = Self::new(setup);
        for (index, pin) in next.pins.iter_mut().enumerate() {
            if let Ok(before) = self.pins.binary_search_by_key(&pin.node, |pin| pin.node) {
                *pin = self.pins[before];
                next.impulses[index] = self.impulses[before];
                next.pin_sums[index] = self.pin_sums[before];
            }
        }
        self.pins = next.pins;
        self.impulses = next.impulses;
        self.pin_sums = next.pin_sums;
    }

    pub(super) fn pins(&self) -> &[PinForce] {
        &self.pins
    }

    pub(super) fn colliders(&self) -> &[ColliderForce] {
        &self.colliders
    }

    pub(super) fn guides(&self) -> &[GuideForce] {
        &self.guides
    }

    /// Clears all records because the run continues from a different state.
    pub(super) fn forget(&mut self) {
        for pin in &mut self.pins {
            *pin = PinForce { node: pin.node, ..PinForce::default() };
        }
        for on in &mut self.colliders {
            *on = ColliderForce { collider: on.collider, ..ColliderForce::default() };
        }
        for on in &mut self.guides {
            *on = GuideForce { guide: on.guide, ..GuideForce::default() };
        }
        self.begin_frame();
    }

    fn begin_frame(&mut self) {
        self.pin_sums.fill([0.0; 3]);
        self.collider_sums.fill(ColliderSum::default());
        self.guide_sums.fill([[0.0; 3]; 2]);
        self.steps = 0;
    }

    /// Starts a step.
    pub(super) fn begin(&mut self, state: &State, is_first_of_frame: bool) {
        if is_first_of_frame {
            self.begin_frame();
        }
        self.start.clone_from(state);
    }

    /// Records the method's part of a step of dt that led to `state`. Nothing else may have changed
    /// the state; `t` is the time at its end.
    pub(super) fn record(
        &mut self,
        system: &System<'_>,
        state: &State,
        t: f64,
        dt: f64,
        integrator: &dyn Integrator,
    ) {
        let (model, n) = (system.model, system.model.nodes());
        self.end.clone_from(state);
        self.end.t = t;
        system.hold(&mut self.end);
        self.impulses.fill([0.0; 3]);
        self.guide_sums.iter_mut().for_each(|[now, _]| *now = [0.0; 3]);
        let held = integrator.reactions();
        let start = integrator.share_of_start();
        for (share, at) in [(start, &self.start), (1.0 - start, &self.end)] {
            if share == 0.0 {
                continue;
            }
            record_guides(system, at, dt * share, held.is_some(), &mut self.guide_sums);
            self.force.fill(0.0);
            for force in system.forces() {
                if held.is_none() || !force.is_held() {
                    force.add_to(&system.body(), at, &mut self.force);
                }
            }
            for (impulse, pin) in self.impulses.iter_mut().zip(&self.pins) {
                for (axis, impulse) in impulse.iter_mut().enumerate().take(model.axes) {
                    *impulse += dt * share * self.force[axis * n + pin.node];
                }
            }
        }
        for (impulse, pin) in self.impulses.iter_mut().zip(&self.pins) {
            for (axis, impulse) in impulse.iter_mut().enumerate().take(model.axes) {
                let index = axis * n + pin.node;
                let taken_up = model.mass[pin.node] * (self.end.v[index] - self.start.v[index]);
                *impulse += held.map_or(0.0, |held| held[index]) - taken_up;
            }
        }
    }

    /// Records the impulses of solids on their pins when their nodes return to their rigid
    /// arrangement.
    pub(super) fn settle(&mut self, model: &Model, before: &State, after: &State) {
        for (node, impulse) in rigid::reactions(model, before, after) {
            if let Ok(pin) = self.pins.binary_search_by_key(&node, |pin| pin.node) {
                self.impulses[pin] = add(self.impulses[pin], impulse);
            }
        }
    }

    /// Ends a step: adds the impulses of its contacts, and updates the mean forces over the step
    /// and over the frame so far.
    pub(super) fn finish(&mut self, setup: &Setup, state: &State, contacts: &ContactForces) {
        let (dt, n) = (setup.dt(), setup.model.nodes());
        self.steps += 1;
        let time = self.steps as f64 * dt;
        for ((impulse, pin), sum) in
            self.impulses.iter().zip(&mut self.pins).zip(&mut self.pin_sums)
        {
            let impulse = add(*impulse, contacts.on_node(n, pin.node));
            *sum = add(*sum, impulse);
            (pin.step, pin.frame) = (scaled(impulse, 1.0 / dt), scaled(*sum, 1.0 / time));
        }
        for (on, [now, sum]) in self.guides.iter_mut().zip(&mut self.guide_sums) {
            *sum = add(*sum, *now);
            (on.step, on.frame) = (scaled(*now, 1.0 / dt), scaled(*sum, 1.0 / time));
        }
        self.place(&setup.model, &setup.contacts, state, contacts);
        for (on, sum) in self.colliders.iter_mut().zip(&mut self.collider_sums) {
            let impulse = contacts.on_colliders.get(on.collider).copied().unwrap_or_default();
            sum.impulse = add(sum.impulse, impulse);
            (on.step, on.frame) = (scaled(impulse, 1.0 / dt), scaled(sum.impulse, 1.0 / time));
            if sum.weight > 0.0 {
                on.at = scaled(sum.moment, 1.0 / sum.weight);
            }
        }
    }

    /// Adds the positions where nodes touch colliders. A node counts for the nearest collider
    /// within reach. The reach includes half of the longest segment, because a segment may touch
    /// with its middle. Nodes without a collider in reach touched the body itself.
    fn place(
        &mut self,
        model: &Model,
        Contacts { colliders, radius, drawn, .. }: &Contacts,
        state: &State,
        contacts: &ContactForces,
    ) {
        if contacts.on_colliders.is_empty() {
            return;
        }
        let n = model.nodes();
        let lengths = model.structural().iter().map(|spring| spring.rest_length);
        let longest = lengths.fold(0.0, f64::max);
        let thickest = drawn.iter().flat_map(|drawn| &drawn.parts).map(|part| part.thickness);
        let reach = radius + 0.5 * (longest + thickest.fold(0.0, f64::max));
        for node in (0..n).filter(|&node| !model.pinned[node]) {
            let weight = norm(contacts.on_node(n, node));
            if weight == 0.0 {
                continue;
            }
            let at = state.position(n, node);
            let gap = |k: usize| colliders[k].distance_at(state.t, at).0;
            let near = (0..colliders.len()).min_by(|&a, &b| gap(a).total_cmp(&gap(b)));
            let near = near.filter(|&k| gap(k) <= reach);
            if let Some(sum) = near.map(|near| &mut self.collider_sums[near]) {
                sum.moment = add(sum.moment, scaled(at, weight));
                sum.weight += weight;
            }
        }
    }
}

/// Adds the forces of routes on their guides at a state, times a share of the step.
fn record_guides(
    system: &System<'_>,
    at: &State,
    share: f64,
    holds_lengths: bool,
    sums: &mut [[Vec3; 2]],
) {
    let routes = system.forces().iter().filter_map(|force| Some((force, force.route()?)));
    let forces = routes.flat_map(|(force, route)| match holds_lengths && force.is_held() {
        true => vec![[f64::NAN; 3]; route.via.len()],
        false => route.forces_on_guides(&system.body(), at),
    });
    sums.iter_mut().zip(forces).for_each(|([now, _], force)| {
        *now = add(*now, scaled(force, share));
    });
}

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
