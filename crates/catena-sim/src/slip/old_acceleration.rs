//! Velocity Verlet without the average of accelerations: x' = x + v dt + a dt²/2, and v' = v + a dt
//! with the a at the start of the step. On an undamped oscillator a step changes the phase-space
//! area by the factor 1 + (ωdt)²/2. The oscillator therefore gains energy at any dt, half as fast
//! as with explicit Euler.

use super::slipped::SlippedSteps;
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::arithmetic::add_multiple;
use crate::method::{Integrator, Method};
use serde::Deserialize;
use std::sync::Arc;

/// Uses the accelerations at the start of a step for the whole change of velocity.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OldAcceleration {}
crate::identity!(OldAcceleration {});

impl OldAcceleration {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "OldAcceleration",
        title: "old acceleration",
        summary: "velocity Verlet whose velocity uses only the acceleration at the start: v + a dt",
        symptom: "my velocity Verlet rope swings higher and higher, although the method keeps energy",
        correct: "Velocity Verlet averages: v + (a_old + a_new) / 2 * dt, with a_new at the new positions.",
        options: &[],
    };
}

impl Slip for OldAcceleration {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.only(slip, &["VelocityVerlet"])?;
        target.needs_fixed_steps(slip)?;
        target.replace_steps(slip, OldStep {})
    }
}

/// Steps that use only the accelerations at their start.
#[derive(Debug)]
struct OldStep {}
crate::identity!(OldStep {});

impl SlippedSteps for OldStep {
    fn cost(&self, _original: Cost) -> Cost {
        Cost::evaluations(1)
    }

    fn start(
        &self,
        _original: &Arc<dyn Method>,
        _model: &Model,
        initial: &State,
        _dt: f64,
    ) -> Box<dyn Integrator> {
        Box::new(OldStepState { a: vec![0.0; initial.x.len()] })
    }
}

struct OldStepState {
    a: Vec<f64>,
}

impl Integrator for OldStepState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        system.accelerations(state, &mut self.a);
        add_multiple(&mut state.x, dt, &state.v);
        add_multiple(&mut state.x, 0.5 * dt * dt, &self.a);
        add_multiple(&mut state.v, dt, &self.a);
    }

    /// Returns 1: the method uses only the forces at the start of the step.
    fn share_of_start(&self) -> f64 {
        1.0
    }
}
