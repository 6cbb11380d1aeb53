//! SHAKE with corrections along the predicted springs instead of the springs at the start of the
//! step. Lengths still become exact, but the forces of the rods do not have the direction that
//! Störmer's recurrence needs. The method therefore loses energy in each step.

use super::slipped::SlippedSteps;
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::method::{Integrator, Method, Shake};
use serde::Deserialize;
use std::sync::Arc;

/// Corrects lengths along the new direction of each spring.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewDirection {}
crate::identity!(NewDirection {});

impl NewDirection {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "NewDirection",
        title: "along the new direction",
        summary: "SHAKE that moves nodes along the predicted springs instead of the old ones",
        symptom: "my SHAKE pendulum loses energy without any damping, more with longer steps",
        correct: "Corrections have the direction of the spring at the start of the step: \
                  x_a += w_a δ r with r = x_b(t) - x_a(t).",
        options: &[],
    };
}

impl Slip for NewDirection {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.only(slip, &["Shake"])?;
        target.needs_fixed_steps(slip)?;
        let shake = target.method.as_any().and_then(|method| method.downcast_ref::<Shake>());
        let shake = shake.cloned().unwrap_or_default();
        target.replace_steps(slip, AlongNew { shake })
    }
}

#[derive(Debug)]
struct AlongNew {
    shake: Shake,
}
crate::identity!(AlongNew { shake });

impl SlippedSteps for AlongNew {
    fn start(
        &self,
        _original: &Arc<dyn Method>,
        model: &Model,
        _initial: &State,
        _dt: f64,
    ) -> Box<dyn Integrator> {
        self.shake.start_along_new(model)
    }
}
