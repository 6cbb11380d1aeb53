//! Always uses the scene's own step, dt = frame_time / substeps.

use super::StepControl;
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::{Integrator, Method};
use crate::named::Info;
use serde::Deserialize;
use std::sync::Arc;

/// Fixed steps; no options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fixed {}
crate::identity!(Fixed {});

impl Fixed {
    pub(crate) const INFO: Info =
        Info { name: "Fixed", summary: "constant step of frame_time / substeps", options: &[] };
}

impl StepControl for Fixed {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn chooses_steps(&self) -> bool {
        false
    }

    fn cost(&self, method: &dyn Method) -> Cost {
        method.cost()
    }

    fn start(
        &self,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        method.start(model, initial, dt)
    }
}
