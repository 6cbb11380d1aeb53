//! Implicit Euler whose right side lacks the forces of springs: (M - h D - h² K) Δv = h f, where f
//! is only gravity and drag. The matrix still has the stiffness of the springs, but no force pulls
//! a stretched spring back. The body falls almost freely, only a little more slowly.

use super::slipped::SlippedSteps;
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::force::System;
use crate::linear::{Kind, Limits, LinearSystem, Weights};
use crate::method::{ImplicitEuler, Integrator, Method, StepReport};
use serde::Deserialize;
use std::sync::Arc;

/// Omits the forces of springs from the right side of implicit Euler.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoSpringForces {}
crate::identity!(NoSpringForces {});

impl NoSpringForces {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "NoSpringForces",
        title: "no spring forces on the right side",
        summary: "implicit Euler with the stiffness in the matrix, but no spring forces on the \
                  right side",
        symptom: "my implicit rope falls through its pin as if it had no springs; free fall",
        correct: "The right side is h (f + h K v), where f holds the spring forces at the start of \
                  the step too.",
        options: &[],
    };
}

impl Slip for NoSpringForces {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.only(slip, &["ImplicitEuler"])?;
        target.needs_fixed_steps(slip)?;
        let is_of_springs = target.forces.iter().map(|force| force.spring_force().is_some());
        let is_of_springs: Arc<[bool]> = is_of_springs.collect();
        let method = target.method.as_any().and_then(|it| it.downcast_ref::<ImplicitEuler>());
        let ImplicitEuler { tolerance, iterations } = method.cloned().unwrap_or_default();
        let limits = Limits { tolerance, iterations };
        target.replace_steps(slip, WithoutSprings { is_of_springs, limits })
    }
}

#[derive(Debug)]
struct WithoutSprings {
    /// Whether each force is a force of springs, in the order of summation.
    is_of_springs: Arc<[bool]>,
    /// Accuracy of the linear solver.
    limits: Limits,
}
crate::identity!(WithoutSprings { is_of_springs, limits });

impl SlippedSteps for WithoutSprings {
    fn start(
        &self,
        _original: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        let zeros = vec![0.0; initial.x.len()];
        Box::new(WithoutSpringsState {
            is_of_springs: Arc::clone(&self.is_of_springs),
            linear: LinearSystem::new(model, self.limits),
            right: zeros.clone(),
            change: zeros,
            report: StepReport::one(dt),
        })
    }
}

struct WithoutSpringsState {
    is_of_springs: Arc<[bool]>,
    linear: LinearSystem,
    /// h f without springs; `change` has the change of velocity.
    right: Vec<f64>,
    change: Vec<f64>,
    report: StepReport,
}

impl Integrator for WithoutSpringsState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        state.t += dt;
        let (model, body) = (system.model, system.body());
        self.right.fill(0.0);
        let all = system.forces().iter().zip(self.is_of_springs.iter());
        for (force, _) in all.filter(|(_, is_of_springs)| !**is_of_springs) {
            force.add_to(&body, state, &mut self.right);
        }
        for (index, value) in self.right.iter_mut().enumerate() {
            let is_pinned = model.pinned[index % model.nodes()];
            *value = if is_pinned { 0.0 } else { *value * dt };
        }
        self.change.fill(0.0);
        let weights = Weights { by_v: dt, by_x: dt * dt };
        self.linear.assemble(system, state, weights, Kind::Definite, None);
        let is_exact = self.linear.solve_for(system, &self.right, &mut self.change);
        for ((x, v), change) in state.x.iter_mut().zip(&mut state.v).zip(&self.change) {
            *v += change;
            *x += dt * *v;
        }
        self.report = StepReport { unconverged: u64::from(!is_exact), ..StepReport::one(dt) };
        system.hold(state);
    }

    fn share_of_start(&self) -> f64 {
        0.0
    }

    fn report(&self) -> Option<StepReport> {
        Some(self.report)
    }
}
