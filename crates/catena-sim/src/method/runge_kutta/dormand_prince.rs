//! Dormand-Prince 5(4): a formula of order 5 from six slopes, and one of order 4 from the same
//! slopes and one more. Their difference is the error estimate that chooses the step.
//!
//! The tolerance divides each step of the scene into inner steps (embedded.rs). The last slope of a
//! step is the first slope of the next step, so an inner step costs six evaluations of forces.
//!
//! Order 5. On an undamped oscillator an inner step is stable for ωh < 0.9972, where |R(iy)|² - 1 =
//! y⁶ (-1/1800 + y²/1600 - y⁴/14400 + y⁶/360000) becomes positive. The error control keeps steps
//! near this limit. Source: Dormand and Prince 1980, "A family of embedded Runge-Kutta formulae".

use super::embedded::{Embedded, Estimate};
use super::tableau::Tableau;
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::step_size::{self, StepBounds};
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::BadOption;
use serde::Deserialize;

/// The method and its accuracy.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DormandPrince {
    /// Maximum error of an inner step, in rest lengths of the body; above 0.
    pub tolerance: f64,
    /// Safety factor, above 0: the next inner step is this fraction of the step that the error
    /// allows.
    pub safety: f64,
    /// Minimum inner step, which is never rejected; `None` for 2⁻¹⁴ of the scene's step.
    pub min_dt: Option<f64>,
    /// Maximum inner step; `None` for the scene's step.
    pub max_dt: Option<f64>,
}
crate::identity!(DormandPrince { tolerance, safety, min_dt, max_dt });

impl Default for DormandPrince {
    fn default() -> Self {
        let StepBounds { safety, min_dt, max_dt } = StepBounds::default();
        Self { tolerance: step_size::DEFAULT_TOLERANCE, safety, min_dt, max_dt }
    }
}

impl DormandPrince {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "DormandPrince",
        title: "Dormand-Prince 5(4)",
        summary: "subdivides each step until its error is within a tolerance",
        order: Some(5),
        damped_order: Some(5),
        limit: Some(0.9972),
        holds_lengths: false,
        velocity_carries: true,
        options: &[step_size::TOLERANCE, step_size::SAFETY, step_size::MIN_DT, step_size::MAX_DT],
    };

    fn bounds(&self) -> StepBounds {
        StepBounds { safety: self.safety, min_dt: self.min_dt, max_dt: self.max_dt }
    }
}

impl Method for DormandPrince {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        METHOD.cost()
    }

    fn chooses_steps(&self) -> bool {
        true
    }

    fn step_caution(&self, dt: f64) -> Option<String> {
        self.bounds().caution(dt)
    }

    fn check(&self) -> Result<(), BadOption> {
        step_size::check_tolerance(self.tolerance)?;
        self.bounds().check()
    }

    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator> {
        METHOD.start(self.tolerance, self.bounds(), model, initial, dt)
    }
}

const METHOD: Embedded =
    Embedded { tableau: TABLEAU, estimate: Estimate::Difference(&ERROR), q: 5 };

/// The last row is `b`, so the last stage is the end of the step.
const TABLEAU: Tableau = Tableau {
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0],
    places: &[],
};

/// Weights of order 5 minus weights of order 4.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
