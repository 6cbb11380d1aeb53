//! Damping of a Verlet method with the wrong sign: x + (1 + d)(x - x_last) instead of (1 - d). Each
//! step enlarges the last displacement, which adds energy.

use super::slipped::SlippedSteps;
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::method::{ConstraintVerlet, ForceVerlet, Integrator, Method};
use serde::Deserialize;
use std::sync::Arc;

/// Adds the share `damping` of the last displacement instead of removing it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerletDampingReversed {}
crate::identity!(VerletDampingReversed {});

impl VerletDampingReversed {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "VerletDampingReversed",
        title: "Verlet damping reversed",
        summary: "x + (1 + damping) * (x - x_last), which enlarges every displacement and adds \
                  energy",
        symptom: "my Verlet rope speeds up by itself, the more damping and substeps the faster",
        correct: "Damping shortens the last displacement: x + (1 - damping) * (x - x_last) + a dt².",
        options: &[],
    };
}

impl Slip for VerletDampingReversed {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.only(slip, &["ForceVerlet", "ConstraintVerlet"])?;
        // Steps of another slip have no damping.
        target.needs_own_steps(slip)?;
        let Some(method) = reversed(&**target.method) else {
            let name = target.method.info().name;
            return Err(format!(
                "the method has no damping: set the option `damping` of the \
                 method, such as integrator: {name}(damping: 0.01)"
            ));
        };
        target.replace_steps(slip, Reversed { method })
    }
}

/// Returns the method with the opposite sign of its damping. `None` for a method without damping.
fn reversed(method: &dyn Method) -> Option<Arc<dyn Method>> {
    let method = method.as_any()?;
    if let Some(own) = method.downcast_ref::<ForceVerlet>() {
        let other = ForceVerlet { damping: -own.damping, ..own.clone() };
        return (own.damping > 0.0).then(|| Arc::new(other) as Arc<dyn Method>);
    }
    let own = method.downcast_ref::<ConstraintVerlet>()?;
    let other = ConstraintVerlet { damping: -own.damping, ..own.clone() };
    (own.damping > 0.0).then(|| Arc::new(other) as Arc<dyn Method>)
}

/// Steps of a method whose damping is negative.
#[derive(Debug)]
struct Reversed {
    method: Arc<dyn Method>,
}
crate::identity!(Reversed { method });

impl SlippedSteps for Reversed {
    /// Returns a negative rate, so that the ledger books a gain on the account of damping.
    fn drag_rate(&self, _original: &Arc<dyn Method>, dt: f64) -> f64 {
        self.method.drag_rate(dt)
    }

    fn start(
        &self,
        _original: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        self.method.start(model, initial, dt)
    }
}
