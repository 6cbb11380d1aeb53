//! Verlet with spring forces: x' = x + (1 - d)(x - x_last) + (F/m) dt² with all forces F.
//!
//! Stable for ωdt < 2. The recursion is Störmer's, of order 2, but GAMES101 starts it with x_last =
//! x - v dt, which omits a dt²/2. This makes the whole method first order. With d = 0 it gives the
//! positions of semi-implicit Euler. The reported velocity is the displacement of the step over dt.
//! With `damping_of: Step`, (F/m) dt² is damped too; the limit is then 2(2 - d)/(1 - d) for (ωdt)²,
//! instead of 2(2 - d).
//! Source: Verlet 1967; the second method of GAMES101 assignment 8.

use super::classroom::{self, Damping, DampingOf};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::{Displaced, Integrator, Method, MethodInfo, SideBySide};
use crate::named::BadOption;
use serde::Deserialize;

/// The method and its damping.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ForceVerlet {
    /// d, fraction of the last displacement that each step removes, 0 to 1.
    pub damping: f64,
    /// Part of a step that the damping reduces.
    pub damping_of: DampingOf,
}
crate::identity!(ForceVerlet { damping, damping_of });

impl ForceVerlet {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "ForceVerlet",
        title: "Force Verlet",
        summary: "positions from the last two positions and the spring forces; stable below dt = 2/ω",
        order: Some(1),
        damped_order: Some(1),
        limit: Some(2.0),
        holds_lengths: false,
        velocity_carries: false,
        options: &[classroom::DAMPING, classroom::DAMPING_OF],
    };

    fn damped(&self) -> Damping {
        Damping { share: self.damping, of: self.damping_of }
    }
}

impl Method for ForceVerlet {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::evaluations(1)
    }

    fn check(&self) -> Result<(), BadOption> {
        self.damped().check()
    }

    fn side_by_side(&self) -> SideBySide {
        SideBySide::Interleaved
    }

    fn drag_rate(&self, dt: f64) -> f64 {
        self.damped().drag_rate(dt)
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn start(&self, _model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator> {
        let last = classroom::positions_before(initial, dt);
        let zeros = vec![0.0; last.len()];
        Box::new(ForceVerletState { damping: self.damped(), last, a: zeros })
    }
}

struct ForceVerletState {
    damping: Damping,
    last: Vec<f64>,
    a: Vec<f64>,
}

impl Integrator for ForceVerletState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        system.accelerations(state, &mut self.a);
        let (last, a) = (&mut self.last, &self.a);
        classroom::advance_and_report(system.model, state, last, a, self.damping, dt);
    }

    /// Returns 1: the method uses only the forces at the start of the step.
    fn share_of_start(&self) -> f64 {
        1.0
    }

    /// Returns 0: a step uses the forces at its start.
    fn share_of_lengths(&self) -> f64 {
        0.0
    }

    fn displaced(&mut self, what: &Displaced<'_>, dt: f64) {
        classroom::match_velocities(&mut self.last, what, dt);
    }

    fn save(&self, memory: &mut Vec<f64>) {
        memory.extend_from_slice(&self.last);
    }

    fn restore(&mut self, memory: &[f64]) {
        classroom::restore(&mut self.last, memory);
    }
}
