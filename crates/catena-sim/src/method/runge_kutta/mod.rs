//! Explicit Runge-Kutta methods. Methods with fixed steps consist of a row and a tableau; the
//! methods of Dormand and Prince choose their steps.
//!
//! Source: Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations I", II.1.

mod dormand_prince;
mod dormand_prince_8;
mod embedded;
mod tableau;

use super::rows::method_rows;
pub use dormand_prince::DormandPrince;
pub use dormand_prince_8::DormandPrince8;
pub(super) use tableau::RungeKuttaState;
pub(crate) use tableau::Tableau;

pub(crate) const MIDPOINT: Tableau =
    Tableau { a: &[&[], &[0.5]], b: &[0.0, 1.0], c: &[0.0, 0.5], places: &[] };

pub(crate) const HEUN: Tableau =
    Tableau { a: &[&[], &[1.0]], b: &[0.5, 0.5], c: &[0.0, 1.0], places: &[] };

/// Classical method of order 4. Adams methods start with it.
pub(crate) const RK4: Tableau = Tableau {
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
    places: &[],
};

method_rows! {
    /// The midpoint method (Runge 1895): half a step of explicit Euler, then a full step with the
    /// slope found there. An undamped oscillator grows by √(1 + (ωdt)⁴/4) per step.
    Midpoint {
        title: "Midpoint",
        summary: "slope from the middle of the step; gains a little energy at every step size",
        order: 2,
        damped_order: 2,
        limit: 0.0,
        velocity_carries: true,
        cost: MIDPOINT.cost(),
        start: |_, _, initial| RungeKuttaState::new(MIDPOINT, initial),
    }

    /// Heun's method (1900): the mean of the slopes at both ends, the second found by explicit
    /// Euler. An undamped oscillator grows by √(1 + (ωdt)⁴/4) per step.
    Heun {
        title: "Heun",
        summary: "mean of the slopes at both ends of a step; gains a little energy at every step size",
        order: 2,
        damped_order: 2,
        limit: 0.0,
        velocity_carries: true,
        cost: HEUN.cost(),
        start: |_, _, initial| RungeKuttaState::new(HEUN, initial),
    }

    /// The classical method with four stages (Kutta 1901), stable for ωdt < 2√2 = 2.8284 on an
    /// undamped oscillator. The method damps this oscillator: at ωdt = 1 by a factor of 0.9939050
    /// per step.
    Rk4 {
        title: "Runge-Kutta 4",
        summary: "four slopes per step with the classical weights; slight damping, stable below dt = 2.83/ω",
        order: 4,
        damped_order: 4,
        limit: 2.0 * std::f64::consts::SQRT_2,
        velocity_carries: true,
        cost: RK4.cost(),
        start: |_, _, initial| RungeKuttaState::new(RK4, initial),
    }
}
