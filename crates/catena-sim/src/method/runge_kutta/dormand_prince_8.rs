//! Dormand-Prince 8(5,3), the method of the program DOP853: a formula of order 8 from twelve
//! slopes. Formulas of orders 5 and 3 use the same slopes. Their differences from order 8 are the
//! error estimate that chooses the step.
//!
//! The tolerance divides each step of the scene into inner steps (embedded.rs). An inner step costs
//! twelve evaluations of forces, a rejected inner step eleven. The error of a node is e²/√(e² +
//! 0.01 f²), with the difference e to order 5 and f to order 3. This error decreases with h⁸. e
//! alone decreases with h⁶ and would require shorter steps than necessary.
//!
//! Order 8. On an undamped oscillator an inner step is stable for ωh < 5.9603, where |R(iy)|
//! becomes 1 again. R(z) is the series of exp(z) up to z⁸, followed by bᵀA⁸1 z⁹ + ... + bᵀA¹¹1 z¹²,
//! computed from the tableau. Source: Hairer, Nørsett, Wanner 1993, "Solving Ordinary Differential
//! Equations I", II.5 and II.10, coefficients as in DOP853.

use super::embedded::{Embedded, Estimate};
use super::tableau::{StagePlace, Tableau};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::method::step_size::{self, StepBounds};
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::BadOption;
use serde::Deserialize;

/// The method and its accuracy.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DormandPrince8 {
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
crate::identity!(DormandPrince8 { tolerance, safety, min_dt, max_dt });

impl Default for DormandPrince8 {
    fn default() -> Self {
        let StepBounds { safety, min_dt, max_dt } = StepBounds::default();
        Self { tolerance: step_size::DEFAULT_TOLERANCE, safety, min_dt, max_dt }
    }
}

impl DormandPrince8 {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "DormandPrince8",
        title: "Dormand-Prince 8(5,3)",
        summary: "subdivides each step until its error is within a tolerance; order 8 from twelve slopes, for small tolerances",
        order: Some(8),
        damped_order: Some(8),
        limit: Some(5.9603),
        holds_lengths: false,
        velocity_carries: true,
        options: &[step_size::TOLERANCE, step_size::SAFETY, step_size::MIN_DT, step_size::MAX_DT],
    };

    fn bounds(&self) -> StepBounds {
        StepBounds { safety: self.safety, min_dt: self.min_dt, max_dt: self.max_dt }
    }
}

impl Method for DormandPrince8 {
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

const METHOD: Embedded = Embedded {
    tableau: TABLEAU,
    estimate: Estimate::Pair { from: 2, higher: &ORDER_5, lower: &ORDER_3 },
    q: 8,
};

/// Rows of the tableau, without most of the columns that are zero. Slopes are kept in the order 3 4
/// 0 5 6 ... 11. Only the rows up to 4 need slopes 1 and 2, so these temporarily use the place of
/// slope 4.
const TABLEAU: Tableau = Tableau {
    a: &[
        &[],
        &[0.05260015195876773],
        &[0.0591751709536137, 0.0197250569845379],
        &[0.08876275643042054, 0.02958758547680685],
        &[0.924834003261792, -0.8845494793282861, 0.2413651341592667],
        &[0.17082860872947386, 0.12546768756682242, 0.037037037037037035],
        &[0.17025221101954405, 0.06021653898045596, 0.037109375, -0.017578125],
        &[
            0.17038392571223998,
            0.10726203044637328,
            0.03709200011850479,
            -0.015319437748624402,
            0.008273789163814023,
        ],
        &[
            -3.3608926294469414,
            -0.868219346841726,
            0.6241109587160757,
            27.59209969944671,
            20.154067550477894,
            -43.48988418106996,
        ],
        &[
            -2.4881146199716677,
            -0.590290826836843,
            0.47766253643826434,
            21.230051448181193,
            15.279233632882423,
            -33.28821096898486,
            -0.020331201708508627,
        ],
        &[
            5.186372428844064,
            1.0914373489967295,
            -0.9371424300859873,
            -8.149787010746927,
            -18.52006565999696,
            22.739487099350505,
            2.4936055526796523,
            -3.0467644718982196,
        ],
        &[
            -10.53449546673725,
            -2.0008720582248625,
            2.273310147516538,
            -17.9589318631188,
            27.94888452941996,
            -2.8589982771350235,
            -8.87285693353063,
            12.360567175794303,
            0.6433927460157636,
        ],
        &[
            0.054293734116568765,
            4.450312892752409,
            1.8915178993145003,
            -5.801203960010585,
            0.3111643669578199,
            -0.1521609496625161,
            0.20136540080403034,
            0.04471061572777259,
        ],
    ],
    b: &[],
    c: &[
        0.0,
        0.05260015195876773,
        0.0789002279381516,
        0.1183503419072274,
        0.2816496580927726,
        0.3333333333333333,
        0.25,
        0.3076923076923077,
        0.6512820512820513,
        0.6,
        0.8571428571428571,
        1.0,
        1.0,
    ],
    places: &[
        StagePlace { kept: 2, from: 0 },
        StagePlace { kept: 1, from: 2 },
        StagePlace { kept: 1, from: 1 },
        StagePlace { kept: 0, from: 1 },
        StagePlace { kept: 1, from: 0 },
        StagePlace { kept: 3, from: 0 },
        StagePlace { kept: 4, from: 0 },
        StagePlace { kept: 5, from: 0 },
        StagePlace { kept: 6, from: 0 },
        StagePlace { kept: 7, from: 0 },
        StagePlace { kept: 8, from: 0 },
        StagePlace { kept: 9, from: 0 },
        StagePlace { kept: 10, from: 2 },
    ],
};

/// Weights of order 8 minus weights of order 5, for slopes 0 5 6 ... 11.
const ORDER_5: [f64; 8] = [
    0.01312004499419488,
    -1.2251564463762044,
    -0.4957589496572502,
    1.6643771824549864,
    -0.35032884874997366,
    0.3341791187130175,
    0.08192320648511571,
    -0.022355307863886294,
];

/// Weights of order 8 minus weights of order 3, which uses only slopes 0, 8 and 11.
const ORDER_3: [f64; 8] = [
    -0.18980075407240762,
    4.450312892752409,
    1.8915178993145003,
    -5.801203960010585,
    -0.42268232132379197,
    -0.1521609496625161,
    0.20136540080403034,
    0.022651792198360825,
];
