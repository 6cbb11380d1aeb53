//! What a method makes of a natural mode at its step.

use super::natural::NaturalMode;
use crate::stability::oscillator::{NumericalMotion, Oscillator};
use catena_sim::{Method, Setup};
use std::sync::Arc;

/// Below this ωdt a method's frequency equals the exact one to eight digits.
const SHORT_STEP: f64 = 1e-4;

/// A natural mode as the method integrates it. Frequencies are in radians per time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumericalMode {
    /// ω from the spectrum.
    pub natural: f64,
    /// γ of u'' + γ u' + ω² u = 0, per time: the sum of forces, the method's own damping,
    /// factors, and the effect of its step.
    pub damping: f64,
    /// The frequency that the run should show: ω as damping and the method's step change it.
    pub expected: f64,
}

impl NumericalMode {
    /// The mode at the setup's method and step; `None` if damping keeps it from swinging.
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

/// For each ωdt of `steps` the numerical frequency over the exact one, and the growth a step, of
/// an undamped oscillator; steps at which the run does not oscillate are left out.
pub fn dispersion(method: &Arc<dyn Method>, steps: &[f64]) -> Vec<(f64, NumericalMotion)> {
    let oscillator = Oscillator::new(1.0, 0.0);
    let point = |&x: &f64| Some((x, oscillator.motion(method, x)?));
    steps.iter().filter_map(point).collect()
}
