//! Gravity that changes with time: F = m g(t).
//!
//! A force that changes with time has no potential, so the ledger books all of its work as
//! external.

use super::{Account, Blocks, Derivative, Force, ForceEnergy, Gravity};
use crate::body::{Body, Model, State};
use crate::drive::curve::{self, Curve};
use crate::drive::track::Extent;
use crate::named::BadOption;
use std::sync::Arc;

/// Acceleration of every node, as a function of time.
#[derive(Clone, Debug)]
pub struct ChangingGravity {
    /// g as a function of time.
    pub acceleration: Arc<dyn Curve>,
}
crate::identity!(ChangingGravity { acceleration });

impl Force for ChangingGravity {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let (model, g) = (body.model, self.acceleration.at(state.t).0);
        for (axis, g) in f.chunks_exact_mut(model.nodes()).zip(&g) {
            for (value, mass) in axis.iter_mut().zip(&model.mass) {
                *value += mass * g;
            }
        }
    }

    /// Adds nothing: the force does not depend on positions or velocities.
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    fn derivative(&self, _t: f64) -> Option<Derivative<'_>> {
        Some(Derivative::Nothing)
    }

    fn load(&self, model: &Model) -> f64 {
        model.mass.iter().sum::<f64>() * curve::greatest(self.acceleration.as_ref())
    }

    fn changes_with_time(&self) -> bool {
        true
    }

    fn extent(&self) -> Extent {
        self.acceleration.extent()
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }

    fn check(&self) -> Result<(), BadOption> {
        self.acceleration.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.acceleration.fits(axes, nodes)
    }

    fn with_gravity(&self, acceleration: &[f64]) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Gravity { acceleration: acceleration.to_vec() }))
    }

    fn uniform_acceleration(&self) -> f64 {
        curve::greatest(self.acceleration.as_ref())
    }
}
