//! How long a step may be: predicted from the spectrum of M⁻¹K, and measured by runs.

pub mod map;
pub mod measure;
pub mod oscillator;
pub mod predict;

use crate::sim::{Setup, spectrum::Spectrum};
use measure::{Measured, Trial};
use oscillator::Oscillator;
use predict::Prediction;

/// What is known about the longest stable step of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// The step that the scene takes.
    pub dt: f64,
    /// From the spectrum; `None` where the method integrates no springs or chooses its own step.
    pub predicted: Option<Prediction>,
    /// From runs; `None` where the method chooses its own step.
    pub measured: Option<Measured>,
    /// What textbooks write beside it, for the body's greatest stiffness, smallest mass and shortest spring.
    pub textbook: Textbook,
}

/// Bounds that lecture notes print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Textbook {
    /// 2/√(k/m), the limit of semi-implicit Euler and Verlet for one mass on one spring.
    pub one_spring: f64,
    /// l/√(k/μ) with μ = m/l, taken by its numbers. Its unit is that of a time only if k stands for a force, E A = k l;
    /// then it is √(m/k).
    pub wave: f64,
}

impl Textbook {
    /// The bounds of a body; infinite where it has no springs.
    pub fn of(setup: &Setup) -> Self {
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let mass = least(&mut setup.model.mass.iter().copied());
        let springs = &setup.model.springs;
        let stiffness = springs.iter().map(|spring| spring.stiffness).fold(0.0, f64::max);
        let length = least(&mut springs.iter().map(|spring| spring.rest_length));
        let wave =
            if length.is_finite() { length / (stiffness * length / mass).sqrt() } else { length };
        Self { one_spring: 2.0 / (stiffness / mass).sqrt(), wave }
    }
}

/// Bodies of more nodes than this are judged by a bound on their highest mode instead of the mode itself.
const MANY_NODES: usize = 4096;

/// One line about a step that is over its limit; `None` where it is not, or where there is no limit.
///
/// Looks at the start only, so it costs no more than a few steps. In a body of very many nodes the highest mode is taken from a bound that
/// it cannot exceed (Gershgorin), which for a long chain is the mode itself to six digits.
pub fn warning(setup: &Setup) -> Option<String> {
    if setup.chooses_its_step() {
        return None;
    }
    let limit = setup.method.info().limit?;
    let dt = setup.dt();
    let highest = if setup.model.nodes() > MANY_NODES {
        Spectrum { omega: predict::bound(&setup.model), damping: 0.0 }
    } else {
        predict::spectrum_at(setup, &setup.initial, 1e-4)
    };
    if limit == 0.0 && highest.damping <= 0.0 && setup.method.drag_rate(dt) == 0.0 {
        return Some(format!("{} grows at any step on an undamped rope", setup.method.info().name));
    }
    let oscillator = Oscillator { omega: highest.omega, damping: highest.damping.max(0.0) };
    if !(oscillator.omega.is_finite() && oscillator.omega > 0.0)
        || oscillator.is_bounded(&setup.method, dt)
    {
        return None;
    }
    let substeps = |step: f64| (setup.frame_time / step).ceil();
    Some(match oscillator.longest_step(&setup.method) {
        Some(step) => format!(
            "dt = {dt:.4e} is over the stability limit {step:.4e} of {}; substeps: {} would keep it",
            setup.method.info().name,
            substeps(step)
        ),
        None => format!("{} grows at any step on an undamped rope", setup.method.info().name),
    })
}

/// Simulated time that a run has to survive: the film, and at least this many periods of the highest mode.
const LEAST_PERIODS: f64 = 400.0;

/// Predicts and measures. `film_time` is that of all frames.
pub fn stability(setup: &Setup, gravity: &[f64], has_reference: bool, film_time: f64) -> Stability {
    let textbook = Textbook::of(setup);
    let known = Stability { dt: setup.dt(), predicted: None, measured: None, textbook };
    if setup.chooses_its_step() {
        return known;
    }
    let predicted = predict::predict(setup, gravity, has_reference);
    let omega = predicted.map(|found| found.highest.omega);
    let period = omega.map_or(0.0, |omega| 2.0 * std::f64::consts::PI / omega);
    let time = film_time.max(LEAST_PERIODS * period).max(setup.dt());
    let limit = predicted.and_then(|found| found.longest_step).filter(|step| step.is_finite());
    let guess = limit.unwrap_or(setup.dt());
    let trial = Trial::new(setup, omega, time);
    Stability { predicted, measured: Some(measure::measure(setup, guess, trial)), ..known }
}
