//! What a body does to its pins: the forces that whoever holds them feels.
//!
//! Over a step of dt the body gives a pin the impulse J = ∫ F dt - m Δv, where F is the sum of all
//! forces on the pinned node, its weight included, and m Δv what the node itself takes up when the
//! pin is moved. ∫ F dt is dt (s F + (1 - s) F') with the forces at the two ends of the step; s is
//! [`Integrator::share_of_start`]. Methods that hold lengths give the impulse of their corrections
//! in place of the forces of held springs. So the momentum of the whole body changes in each step
//! by the impulses of weight, drag, contacts and -J of its pins: to rounding for methods whose
//! velocity changes by just these forces, to the second order in dt for the others.

use crate::body::{Model, State};
use crate::force::System;
use crate::method::Integrator;

/// The force of a body on one of its pins, with z = 0 in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PinForce {
    /// The pinned node.
    pub node: usize,
    /// Mean over the last step, in units of force; 0 before the first one.
    pub step: [f64; 3],
    /// Mean over the steps of the frame so far; 0 before the first one.
    pub frame: [f64; 3],
}

/// Who records the forces on pins.
pub(super) struct PinRecorder {
    /// The pins in the order of their nodes.
    pins: Vec<PinForce>,
    /// The impulse on each pin since the frame began.
    sums: Vec<[f64; 3]>,
    /// How many steps that was.
    steps: u64,
    start: State,
    end: State,
    force: Vec<f64>,
}

impl PinRecorder {
    pub(super) fn new(model: &Model) -> Self {
        let nodes = (0..model.nodes()).filter(|&node| model.pinned[node]);
        let pins: Vec<_> = nodes.map(|node| PinForce { node, ..PinForce::default() }).collect();
        let count = pins.len();
        Self {
            pins,
            sums: vec![[0.0; 3]; count],
            steps: 0,
            start: State::default(),
            end: State::default(),
            force: vec![0.0; model.axes * model.nodes()],
        }
    }

    pub(super) fn pins(&self) -> &[PinForce] {
        &self.pins
    }

    /// Forgets what was recorded: the run goes on from somewhere else.
    pub(super) fn forget(&mut self) {
        for pin in &mut self.pins {
            *pin = PinForce { node: pin.node, ..PinForce::default() };
        }
        self.sums.fill([0.0; 3]);
        self.steps = 0;
    }

    /// Begins a step.
    pub(super) fn begin(&mut self, state: &State, begins_frame: bool) {
        if begins_frame {
            self.sums.fill([0.0; 3]);
            self.steps = 0;
        }
        self.start.clone_from(state);
    }

    /// Records a step of dt that the method has led to `state`, before anything else changes it;
    /// `t` is the time there.
    pub(super) fn record(
        &mut self,
        system: &System<'_>,
        state: &State,
        (t, dt): (f64, f64),
        integrator: &dyn Integrator,
    ) {
        let (model, n) = (system.model, system.model.nodes());
        self.end.clone_from(state);
        self.end.t = t;
        system.hold(&mut self.end);
        self.steps += 1;
        let share = integrator.share_of_start();
        let held = integrator.reactions();
        let mut impulses = vec![[0.0; 3]; self.pins.len()];
        for (share, at) in [(share, &self.start), (1.0 - share, &self.end)] {
            if share == 0.0 {
                continue;
            }
            self.force.fill(0.0);
            let body = system.body();
            for force in system.forces() {
                if held.is_none() || !force.is_elastic() {
                    force.add_to(&body, at, &mut self.force);
                }
            }
            for (impulse, pin) in impulses.iter_mut().zip(&self.pins) {
                for (axis, impulse) in impulse.iter_mut().enumerate().take(model.axes) {
                    *impulse += dt * share * self.force[axis * n + pin.node];
                }
            }
        }
        for ((impulse, pin), sum) in impulses.iter_mut().zip(&mut self.pins).zip(&mut self.sums) {
            for axis in 0..model.axes {
                let index = axis * n + pin.node;
                let taken_up = model.mass[pin.node] * (self.end.v[index] - self.start.v[index]);
                impulse[axis] += held.map_or(0.0, |held| held[index]) - taken_up;
                sum[axis] += impulse[axis];
                pin.step[axis] = impulse[axis] / dt;
                pin.frame[axis] = sum[axis] / (self.steps as f64 * dt);
            }
        }
    }
}
