//! Step doubling without rejection, and with the exponent 0.2 of a method of order 4 for a method
//! of another order. Steps with too large an error are kept, and the next steps shrink too little.

use super::{ReplacedProperty, Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::control::{Misfit, StepDoubling};
use crate::method::step_size::StepSize;
use crate::method::{Integrator, Method, StepControl};
use crate::named::{BadOption, Info};
use serde::Deserialize;
use std::sync::Arc;

/// Changes the rule by which step doubling chooses the next step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowthExponent {}
crate::identity!(GrowthExponent {});

impl GrowthExponent {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "GrowthExponent",
        title: "exponent 0.2, no rejection",
        summary: "step control that scales by (tolerance/error)^0.2 at any order and keeps every step",
        symptom: "my adaptive step control still blows up; errors exceed the tolerance by far",
        correct: "A step above the tolerance is repeated, and the factor is \
                  (tolerance/error)^(1/(p+1)) for order p: 0.5 for Euler, 0.2 for order 4.",
        options: &[],
    };
}

/// Reciprocal of the exponent 0.2.
const Q: u32 = 5;

impl Slip for GrowthExponent {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        let control = target.step_control.as_any();
        let Some(doubling) = control.and_then(|control| control.downcast_ref::<StepDoubling>())
        else {
            let name = target.step_control.info().name;
            return Err(format!(
                "{slip} is a slip of step_control: StepDoubling, but the control here is {name}"
            ));
        };
        let (method, order) = (target.method.info().name, target.method.info().order);
        if order == Some(Q - 1) {
            return Err(format!(
                "0.2 is the right exponent for {method}, which has order 4: choose a method of \
                 another order, such as ExplicitEuler"
            ));
        }
        *target.step_control = Arc::new(EagerDoubling { doubling: doubling.clone() });
        Ok(())
    }

    fn replaces(&self) -> Option<ReplacedProperty> {
        Some(ReplacedProperty::Step)
    }
}

/// Step doubling with the slip. It has the name and options of the original.
#[derive(Debug)]
struct EagerDoubling {
    doubling: StepDoubling,
}
crate::identity!(EagerDoubling { doubling });

impl StepControl for EagerDoubling {
    fn info(&self) -> Info {
        self.doubling.info()
    }

    fn longest(&self, dt: f64) -> f64 {
        self.doubling.longest(dt)
    }

    fn check(&self) -> Result<(), BadOption> {
        self.doubling.check()
    }

    fn allows(&self, method: &dyn Method) -> Result<(), Misfit> {
        self.doubling.allows(method)
    }

    fn cost(&self, method: &dyn Method) -> Cost {
        self.doubling.cost(method)
    }

    fn start(
        &self,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        let size = StepSize::new(Q, self.doubling.bounds(), dt).without_rejection();
        self.doubling.start_with(size, method, model, initial)
    }
}
