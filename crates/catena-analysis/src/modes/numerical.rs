//! Natural modes as a method integrates them with its step.

use super::natural::NaturalMode;
use crate::stability::oscillator::{NumericalMotion, Oscillator};
use catena_sim::{Method, Setup};
use std::sync::Arc;

/// Value of ωdt below which a method's frequency equals the exact one to eight digits.
const SHORT_STEP: f64 = 1e-4;

/// Natural mode as the method integrates it. Frequencies are in radians per unit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumericalMode {
    /// Natural angular frequency ω.
    pub natural: f64,
    /// Damping rate γ of u'' + γ u' + ω² u = 0, per unit of time. It sums the forces, the method's
    /// own damping, the factors, and the effect of the step.
    pub damping: f64,
    /// Frequency expected in the run: ω changed by damping and by the method's step.
    pub expected: f64,
}

impl NumericalMode {
    /// Mode under the setup's method and step; `None` if damping keeps it from oscillating.
    pub(super) fn of(setup: &Setup, mode: &NaturalMode) -> Option<Self> {
        let (natural, dt) = (mode.omega(), setup.dt());
        let is_run = setup.method.info().limit.is_some() && natural * dt > SHORT_STEP;
        let factors = [setup.velocity_factor, setup.position_factor];
        let oscillator = Oscillator { factors, ..Oscillator::new(natural, mode.damping.max(0.0)) };
        if is_run && let Some(motion) = oscillator.motion(&setup.method, dt) {
            let damping = (-2.0 * libm::log(motion.growth) / dt).max(0.0);
            return Some(Self { natural, damping, expected: motion.frequency });
        }
        let by_factors = (2.0 - setup.velocity_factor - setup.position_factor) / dt;
        let damping = mode.damping + setup.method.drag_rate(dt) + by_factors;
        let square = natural * natural - 0.25 * damping * damping;
        (square > 0.0).then(|| Self { natural, damping, expected: square.sqrt() })
    }
}

/// Motion of an undamped oscillator of ω = 1 for each step ωdt in `steps`: its frequency and its
/// growth per step. Steps at which the run does not oscillate are omitted.
pub fn dispersion(method: &Arc<dyn Method>, steps: &[f64]) -> Vec<(f64, NumericalMotion)> {
    let oscillator = Oscillator::new(1.0, 0.0);
    let point = |&x: &f64| Some((x, oscillator.motion(method, x)?));
    steps.iter().filter_map(point).collect()
}
