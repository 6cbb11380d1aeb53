//! Forces that are not set to zero before they are summed: each sum adds to the previous sum.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::slipped::{Around, AroundSteps, SlippedSteps};
use super::wrapped_force::WrappedForce;
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::force::{AccelerationSum, System};
use crate::method::{Integrator, Method};
use serde::Deserialize;
use std::{cell::RefCell, sync::Arc};

/// Keeps the forces of all evaluations so far.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForcesNotCleared {}
crate::identity!(ForcesNotCleared {});

impl ForcesNotCleared {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "ForcesNotCleared",
        title: "forces not cleared",
        summary: "forces are summed without a reset, so each step adds to the sum of all steps before",
        symptom: "my rope shoots off within a few frames at any step and any stiffness",
        correct: "Every node's forces are set to zero before each evaluation: forces = 0.",
        options: &[],
    };
}

impl Slip for ForcesNotCleared {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        target.needs_fixed_steps(Self::INFO.name)?;
        // Wrapped, because kernels would compute forces of known kinds without this slip.
        WrappedForce::wrap_all(target.forces, false);
        target.wrap_steps(Self::INFO.name, Accumulating {});
        Ok(())
    }
}

#[derive(Debug)]
struct Accumulating {}
crate::identity!(Accumulating {});

impl SlippedSteps for Accumulating {
    fn start(
        &self,
        original: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        let sum = RefCell::new(Accumulated { total: vec![0.0; initial.x.len()] });
        Box::new(Around { method: original.start(model, initial, dt), slip: Uncleared { sum } })
    }
}

/// Sum of the accelerations of all evaluations so far, flat by axis.
struct Accumulated {
    total: Vec<f64>,
}

impl AccelerationSum for Accumulated {
    fn accelerations(
        &mut self,
        system: &System<'_>,
        state: &State,
        a: &mut [f64],
        is_external: bool,
    ) {
        // The system cannot borrow this sum a second time, so it uses plain loops.
        match is_external {
            true => system.external_accelerations(state, a),
            false => system.accelerations(state, a),
        }
        for (total, a) in self.total.iter_mut().zip(a) {
            *total += *a;
            *a = *total;
        }
    }
}

struct Uncleared {
    sum: RefCell<Accumulated>,
}

impl AroundSteps for Uncleared {
    fn step(
        &mut self,
        method: &mut dyn Integrator,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
    ) {
        let system: System<'_> = *system;
        method.step(&system.summed(&self.sum), state, dt);
    }

    fn memory(&self) -> Vec<f64> {
        self.sum.borrow().total.clone()
    }

    fn remember(&mut self, memory: &[f64]) {
        let total = &mut self.sum.get_mut().total;
        total.iter_mut().zip(memory).for_each(|(total, kept)| *total = *kept);
    }
}
