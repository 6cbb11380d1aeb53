//! Adams methods, which compute x and v from the slopes of the last steps. Each method is one row
//! of a table.
//!
//! Adams-Bashforth methods apply the explicit formula, with one evaluation of forces per step.
//! Adams-Bashforth-Moulton methods predict with the explicit formula, evaluate, correct once with
//! the implicit formula and evaluate again (PECE): two evaluations per step. All methods start with
//! RK4 until there are enough slopes. The option `first_steps` selects methods of lower order
//! instead. Methods of lecture notes use the explicit formula only for the velocity.
//!
//! Sources: Bashforth and Adams 1883; Moulton 1926. The weights are in Hairer, Nørsett, Wanner,
//! "Solving Ordinary Differential Equations I", III.1. The verification of the program repeats the
//! weights of orders 2 to 4 as an independent check.

mod multistep;

use super::rows::method_rows;
use crate::budget::Cost;
use crate::named::{OptionInfo, OptionKind};
use multistep::{AdamsState, Formula};
use serde::Deserialize;

/// Steps until there are enough slopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum FirstSteps {
    /// Runge-Kutta 4, which preserves the order of the method.
    #[default]
    RungeKutta,
    /// Euler: the formula that uses only the newest slope.
    Euler,
    /// The formula of the highest order for which there are enough slopes: Euler, then the formula
    /// with two slopes, and so on. A corrector begins with the formula of order 2.
    LowerOrders,
}
crate::identity!(
    enum FirstSteps {
        RungeKutta,
        Euler,
        LowerOrders,
    }
);

/// Option `first_steps` of Adams methods.
const FIRST_STEPS: OptionInfo = OptionInfo {
    name: "first_steps",
    summary: "method of the first steps, until there are enough slopes: RungeKutta, of order 4; \
              Euler; LowerOrders, the formula for the number of slopes so far",
    default: "RungeKutta",
    range: "RungeKutta, Euler or LowerOrders",
    kind: OptionKind::Words(&["RungeKutta", "Euler", "LowerOrders"]),
    ..OptionInfo::PLAIN
};

/// Weight of the explicit formula of order 1, Euler's method.
const BASHFORTH_1: &[f64] = &[1.0];
/// Weights of the explicit formula of order 2, newest slope first.
pub(crate) const BASHFORTH_2: &[f64] = &[3.0 / 2.0, -1.0 / 2.0];
/// Weights of the explicit formula of order 3, newest slope first.
pub(crate) const BASHFORTH_3: &[f64] = &[23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0];
/// Weights of the explicit formula of order 4, newest slope first.
pub(crate) const BASHFORTH_4: &[f64] = &[55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0];

/// Weights of the implicit formula of order 2, slope at the new time first.
const MOULTON_2: &[f64] = &[1.0 / 2.0, 1.0 / 2.0];
/// Weights of the implicit formula of order 3, slope at the new time first.
const MOULTON_3: &[f64] = &[5.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0];
/// Weights of the implicit formula of order 4, slope at the new time first.
const MOULTON_4: &[f64] = &[9.0 / 24.0, 19.0 / 24.0, -5.0 / 24.0, 1.0 / 24.0];

/// Generates the methods from rows, with the parts that all Adams methods share.
macro_rules! adams_methods {
    ($(
        $(#[$doc:meta])*
        $name:ident {
            title: $title:expr,
            summary: $summary:expr,
            order: $order:expr,
            limit: $limit:expr,
            cost: $cost:expr,
            formula: $formula:expr $(,)?
        }
    )+) => {
        method_rows! {$(
            $(#[$doc])*
            $name {
                title: $title,
                summary: $summary,
                order: $order,
                damped_order: $order,
                limit: $limit,
                velocity_carries: true,
                cost: $cost,
                option: {
                    /// Steps until there are enough slopes.
                    first_steps: FirstSteps = FIRST_STEPS
                },
                start: |method, _, initial| AdamsState::new($formula, method.first_steps, initial),
            }
        )+}
    };
}

adams_methods! {
    /// Adams-Bashforth of order 2. An undamped oscillator grows at every step size.
    AdamsBashforth2 {
        title: "Adams-Bashforth 2",
        summary: "slopes of the last 2 steps; gains a little energy at every step size",
        order: 2,
        limit: 0.0,
        cost: Cost::evaluations(1).remembering(2),
        formula: Formula::Explicit(BASHFORTH_2),
    }

    /// Adams-Bashforth of order 3, stable for ωdt < 0.7236 on an undamped oscillator.
    AdamsBashforth3 {
        title: "Adams-Bashforth 3",
        summary: "slopes of the last 3 steps; stable below dt = 0.72/ω",
        order: 3,
        limit: 0.7236,
        cost: Cost::evaluations(1).remembering(3),
        formula: Formula::Explicit(BASHFORTH_3),
    }

    /// Adams-Bashforth of order 4, stable for ωdt < 0.4299 on an undamped oscillator.
    AdamsBashforth4 {
        title: "Adams-Bashforth 4",
        summary: "slopes of the last 4 steps; stable below dt = 0.43/ω",
        order: 4,
        limit: 0.4299,
        cost: Cost::evaluations(1).remembering(4),
        formula: Formula::Explicit(BASHFORTH_4),
    }

    /// Adams-Bashforth-Moulton of order 2, stable for ωdt < 1.2871 on an undamped oscillator.
    AdamsBashforthMoulton2 {
        title: "Adams-Bashforth-Moulton 2",
        summary: "Adams-Bashforth 2 predicts, Adams-Moulton 2 corrects once",
        order: 2,
        limit: 1.2871,
        cost: Cost::evaluations(2).remembering(4),
        formula: Formula::Corrected(BASHFORTH_2, MOULTON_2),
    }

    /// Adams-Bashforth-Moulton of order 3. An undamped oscillator grows slightly at every step
    /// size.
    AdamsBashforthMoulton3 {
        title: "Adams-Bashforth-Moulton 3",
        summary: "Adams-Bashforth 3 predicts, Adams-Moulton 3 corrects once",
        order: 3,
        limit: 0.0,
        cost: Cost::evaluations(2).remembering(6),
        formula: Formula::Corrected(BASHFORTH_3, MOULTON_3),
    }

    /// Adams-Bashforth-Moulton of order 4. An undamped oscillator grows slightly at every step
    /// size.
    AdamsBashforthMoulton4 {
        title: "Adams-Bashforth-Moulton 4",
        summary: "Adams-Bashforth 4 predicts, Adams-Moulton 4 corrects once",
        order: 4,
        limit: 0.0,
        cost: Cost::evaluations(2).remembering(8),
        formula: Formula::Corrected(BASHFORTH_4, MOULTON_4),
    }

    /// Adams-Bashforth 2 as printed in lecture notes on rope simulation, for comparison with
    /// [`AdamsBashforth2`]. The formula gives the velocity, then x' = x + v' dt with the new
    /// velocity. The position uses only one slope, so the order is 1. On an undamped oscillator,
    /// the method is stable for ωdt < √2 and damps the motion.
    LectureAdamsBashforth2 {
        title: "Adams-Bashforth 2, lecture notes",
        summary: "Adams-Bashforth 2 for the velocity only, positions with the new velocity; first order",
        order: 1,
        limit: std::f64::consts::SQRT_2,
        cost: Cost::evaluations(1).remembering(2),
        formula: Formula::VelocityOnly(BASHFORTH_2),
    }

    /// Adams-Bashforth 3 as printed in lecture notes, for comparison with [`AdamsBashforth3`]. The
    /// formula gives the velocity, then x' = x + v' dt with the new velocity. The position uses
    /// only one slope, so the order is 1 for any number of slopes. On an undamped oscillator, the
    /// method is stable for ωdt < √(12/11) = 1.0445 and damps the motion.
    LectureAdamsBashforth3 {
        title: "Adams-Bashforth 3, lecture notes",
        summary: "Adams-Bashforth 3 for the velocity only, positions with the new velocity; first order; AdamsBashforth3 is the correct form",
        order: 1,
        limit: 1.0445,
        cost: Cost::evaluations(1).remembering(3),
        formula: Formula::VelocityOnly(BASHFORTH_3),
    }
}
