//! A Verlet method that stores the new position as the last one: `x = 2x - last + a dt²; last = x`.
//! The difference of both positions is then 0 at each step, so every velocity is lost.

use super::slipped::{Around, AroundSteps, SlippedSteps};
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::force::System;
use crate::method::{ConstraintVerlet, Integrator, Method, ProjectionPlace};
use serde::Deserialize;
use std::sync::Arc;

/// Stores the new position as the last one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LastIsNew {}
crate::identity!(LastIsNew {});

impl LastIsNew {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "LastIsNew",
        title: "new position stored as the last",
        summary: "last_position = position after the step instead of before it, so no velocity is \
                  kept",
        symptom: "my Verlet rope hardly falls and does not swing; with constraints it crumples up at its pin",
        correct: "last_position is the position before the step: temp = x; x = ...; last = temp.",
        options: &[],
    };
}

impl Slip for LastIsNew {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.only(slip, &["ForceVerlet", "ConstraintVerlet"])?;
        // The positions that such a program stores are those before the projection.
        let verlet = target.method.as_any().and_then(|it| it.downcast_ref::<ConstraintVerlet>());
        if verlet.is_some_and(|it| it.projection == ProjectionPlace::Last) {
            return Err(format!("{slip} needs `projection: First`, the default"));
        }
        target.needs_fixed_steps(slip)?;
        target.replace_steps(slip, ForgetfulSteps {})
    }
}

/// Steps that forget the position at their start.
#[derive(Debug)]
struct ForgetfulSteps {}
crate::identity!(ForgetfulSteps {});

impl SlippedSteps for ForgetfulSteps {
    fn start(
        &self,
        original: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        Box::new(Around { method: original.start(model, initial, dt), slip: Forget {} })
    }
}

struct Forget {}

impl AroundSteps for Forget {
    /// Takes a step, then stores the new positions as the last positions, which are the whole
    /// memory of both methods.
    fn step(
        &mut self,
        method: &mut dyn Integrator,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
    ) {
        method.step(system, state, dt);
        method.restore(&state.x);
    }
}
