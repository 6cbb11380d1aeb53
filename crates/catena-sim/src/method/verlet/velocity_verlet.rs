//! Velocity Verlet, kick-drift-kick: v½ = v + a dt/2, x' = x + v½ dt, v' = v½ + a(x', v½) dt/2.
//!
//! Order 2, stable for ωdt < 2, symplectic: ω_num/ω = (2/x) asin(x/2) with x = ωdt. With drag the
//! order is 1, because forces at the end of the step are computed with an earlier velocity: by
//! default with v½. Many programs use the velocity at the start instead: x' = x + v dt + a dt²/2,
//! v' = v + (a + a(x', v)) dt/2. Source: Swope, Andersen, Berens, Wilson 1982.

use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::arithmetic::{add_multiple, kick_and_drift};
use crate::method::{Displaced, Integrator, Method, MethodInfo, SideBySide};
use crate::named::{OptionInfo, OptionKind};
use serde::Deserialize;

/// Velocity with which the forces at the end of a step are computed. Without drag and damping, all
/// variants give the same motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum ForceVelocity {
    /// v + a dt/2.
    #[default]
    HalfStep,
    /// v, the velocity at the start of the step.
    Start,
    /// v, and the next step begins with the same forces. A step therefore evaluates forces once.
    StartOnce,
}
crate::identity!(
    enum ForceVelocity {
        HalfStep,
        Start,
        StartOnce,
    }
);

/// Velocity Verlet: half a kick, a drift, half a kick.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityVerlet {
    /// Velocity of the forces at the end of a step.
    pub force_velocity: ForceVelocity,
}
crate::identity!(VelocityVerlet { force_velocity });

impl VelocityVerlet {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "VelocityVerlet",
        title: "Velocity Verlet",
        summary: "half a kick, a drift, half a kick; conserves energy, stable below dt = 2/ω",
        order: Some(2),
        damped_order: Some(1),
        limit: Some(2.0),
        holds_lengths: false,
        velocity_carries: true,
        options: &[OptionInfo {
            name: "force_velocity",
            summary: "velocity with which the forces at the end of a step are computed: HalfStep, \
                      v + a dt/2; Start, v at the start of the step; StartOnce, the same, but the \
                      next step reuses these forces",
            default: "HalfStep",
            range: "HalfStep, Start or StartOnce",
            kind: OptionKind::Words(&["HalfStep", "Start", "StartOnce"]),
            ..OptionInfo::PLAIN
        }],
    };
}

impl Method for VelocityVerlet {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        match self.force_velocity {
            ForceVelocity::HalfStep | ForceVelocity::Start => Cost::evaluations(2).reusing(),
            ForceVelocity::StartOnce => Cost::evaluations(1),
        }
    }

    fn side_by_side(&self) -> SideBySide {
        SideBySide::Interleaved
    }

    fn start(&self, _model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        let a = vec![0.0; initial.x.len()];
        match self.force_velocity {
            ForceVelocity::HalfStep => Box::new(HalfStepState { a }),
            velocity => Box::new(StartState {
                keeps_forces: velocity == ForceVelocity::StartOnce,
                has_forces: false,
                a,
                end: vec![0.0; initial.x.len()],
            }),
        }
    }
}

struct HalfStepState {
    a: Vec<f64>,
}

impl Integrator for HalfStepState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        if !system.repeats() {
            system.accelerations(state, &mut self.a);
        }
        kick_and_drift(&mut state.x, &mut state.v, 0.5 * dt, &self.a, dt);
        state.t += dt;
        system.hold(state);
        system.accelerations(state, &mut self.a);
        add_multiple(&mut state.v, 0.5 * dt, &self.a);
    }
}

/// State of a run whose forces at the end of a step use the velocity at its start.
struct StartState {
    /// Whether a step begins with the forces of the last step.
    keeps_forces: bool,
    /// Whether `a` has the forces of the last step.
    has_forces: bool,
    a: Vec<f64>,
    /// Accelerations at the end of a step.
    end: Vec<f64>,
}

impl Integrator for StartState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let is_known = system.repeats() || self.keeps_forces;
        if !(self.has_forces && is_known) {
            system.accelerations(state, &mut self.a);
        }
        add_multiple(&mut state.x, dt, &state.v);
        add_multiple(&mut state.x, 0.5 * dt * dt, &self.a);
        state.t += dt;
        system.hold(state);
        system.accelerations(state, &mut self.end);
        add_multiple(&mut state.v, 0.5 * dt, &self.a);
        add_multiple(&mut state.v, 0.5 * dt, &self.end);
        std::mem::swap(&mut self.a, &mut self.end);
        self.has_forces = true;
    }

    /// Returns 1 for a method that reuses forces, because the forces at the start of a step used
    /// the lengths of the last step.
    fn share_of_lengths(&self) -> f64 {
        if self.keeps_forces { 1.0 } else { 0.5 }
    }

    /// Discards the forces of the last step: they do not belong to the new positions.
    fn displaced(&mut self, _what: &Displaced<'_>, _dt: f64) {
        self.has_forces = false;
    }

    fn save(&self, memory: &mut Vec<f64>) {
        if self.has_forces {
            memory.extend_from_slice(&self.a);
        }
    }

    fn restore(&mut self, memory: &[f64]) {
        self.has_forces = memory.len() == self.a.len();
        if self.has_forces {
            self.a.copy_from_slice(memory);
        }
    }
}
