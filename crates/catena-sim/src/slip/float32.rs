//! Single precision: positions, velocities, constants, the step and sums of forces are rounded to
//! 24 bits.
//!
//! The formula of a force is still computed in double precision before the sum of forces is
//! rounded. The rounding of positions dominates the error: a step that would move a node by less
//! than half a unit in the last place does not move it at all. The option `operations` rounds every
//! operation of the two Verlet methods of GAMES101, in the order of a program.

use super::operations::{InOperations, Operations};
use super::slipped::{Around, AroundSteps, SlippedSteps};
use super::wrapped_force::{WrappedForce, round_all};
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::force::{Known, System};
use crate::method::{Integrator, Method};
use crate::named::{OptionInfo, OptionKind};
use serde::Deserialize;
use std::sync::Arc;

/// Rounds state, constants and forces to single precision.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Float32 {
    /// Operations that are rounded.
    pub operations: Operations,
}
crate::identity!(Float32 { operations });

crate::identity!(
    enum Operations {
        Step,
        Unit,
        UnitSum,
        Ratio,
        RatioSum,
    }
);

const OPERATIONS: OptionInfo = OptionInfo {
    name: "operations",
    summary: "Step: state and sums of forces are rounded in each step; every operation of ForceVerlet and of ConstraintVerlet, in this order: Unit: d / |d| * (|d| - L), then x + (x - x_last) + a dt²; UnitSum: the same with x += (x - x_last) + a dt²; Ratio: d * ((|d| - L) / |d|), then as Unit; RatioSum: d * ((|d| - L) / |d|), then as UnitSum",
    default: "Step",
    range: "Step, Unit, UnitSum, Ratio or RatioSum",
    kind: OptionKind::Words(&["Step", "Unit", "UnitSum", "Ratio", "RatioSum"]),
    ..OptionInfo::PLAIN
};

impl Float32 {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "Float32",
        title: "float32",
        summary: "float instead of double: state, constants and sums of forces are rounded to 24 bits",
        symptom: "more substeps make it worse or freeze it; my numbers differ from the fourth digit on",
        correct: "Positions and velocities are double, or positions are sums of small differences \
                  with compensation.",
        options: &[OPERATIONS],
    };
}

impl Slip for Float32 {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        round_all(&mut target.model.mass);
        for spring in &mut target.model.springs {
            spring.stiffness = rounded(spring.stiffness);
            spring.rest_length = rounded(spring.rest_length);
        }
        round_all(&mut target.initial.x);
        round_all(&mut target.initial.v);
        for force in target.forces.iter_mut() {
            let Some(Known::Gravity { acceleration }) = force.known() else { continue };
            let mut acceleration = acceleration.to_vec();
            round_all(&mut acceleration);
            if let Some(weight) = force.with_gravity(&acceleration) {
                *force = weight;
            }
        }
        if self.operations == Operations::Step {
            WrappedForce::wrap_all(target.forces, true);
            target.wrap_steps(Self::INFO.name, Single {});
            return Ok(());
        }
        let Some(steps) = InOperations::of(self.operations, target.method) else {
            return Err(format!(
                "`operations` of {} apply only to ForceVerlet, and to ConstraintVerlet without \
                 tethers: remove `operations`",
                Self::INFO.name
            ));
        };
        target.needs_fixed_steps(Self::INFO.name)?;
        WrappedForce::wrap_in_operations(target.forces);
        target.replace_steps(Self::INFO.name, steps)
    }
}

/// Rounds a number to single precision.
fn rounded(value: f64) -> f64 {
    f64::from(value as f32)
}

#[derive(Debug)]
struct Single {}
crate::identity!(Single {});

impl SlippedSteps for Single {
    fn start(
        &self,
        original: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        Box::new(Around { method: original.start(model, initial, rounded(dt)), slip: Rounding {} })
    }
}

struct Rounding {}

impl AroundSteps for Rounding {
    fn step(
        &mut self,
        method: &mut dyn Integrator,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
    ) {
        // Contacts, factors and impulses may have changed positions and velocities since the last
        // step, in double precision.
        round_all(&mut state.x);
        round_all(&mut state.v);
        method.step(system, state, rounded(dt));
        round_all(&mut state.x);
        round_all(&mut state.v);
    }
}
