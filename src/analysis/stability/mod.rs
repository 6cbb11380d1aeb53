//! How long a step may be: predicted from the spectrum of M⁻¹K, and measured by runs.

pub mod map;
pub mod measure;
pub mod oscillator;
pub mod predict;

use crate::sim::{Setup, spectrum::Spectrum};
use crate::text::number::short;
use measure::{Measured, Trial};
use predict::Prediction;

/// What is known about the longest stable step of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// The step that the scene takes.
    pub dt: f64,
    /// From the spectrum; `None` where the method integrates no springs or chooses its own step.
    pub predicted: Option<Prediction>,
    /// From runs; `None` where the method chooses its own step, and where runs would take too long.
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

/// Bodies of more nodes than this, and springs that follow Hooke's law, are judged by a bound on their highest mode instead of the mode itself.
const MANY_NODES: usize = 4096;
/// Steps below this share of the limit of an undamped oscillator need no run to be judged.
const SAFE: f64 = 0.5;

/// One line about a step that is over its limit; `None` where it is not, or where there is no limit.
///
/// Looks at the start only, so it costs as much as some thousand steps. In a body of very many nodes the highest mode is taken from a bound
/// that it cannot exceed (Gershgorin), which for a long chain is the mode itself to six digits; how strongly that mode is damped is then not
/// known, and a step that damping alone could forbid or allow is not judged.
pub fn warning(setup: &Setup) -> Option<String> {
    if setup.chooses_its_step() {
        return None;
    }
    let limit = setup.method.info().limit?;
    let dt = setup.dt();
    let is_bound = setup.model.nodes() > MANY_NODES;
    let taken = setup.as_taken();
    let highest = if is_bound {
        let law = setup.forces.iter().find_map(|force| force.spring_law());
        if law.as_deref() != Some("Hooke") || limit == 0.0 {
            return None;
        }
        Spectrum { omega: predict::bound(&taken.model), damping: 0.0 }
    } else {
        predict::spectrum_at(&taken, &setup.initial, 1e-4)
    };
    let oscillator = predict::oscillator(setup, highest);
    let is_alive = oscillator.omega.is_finite() && oscillator.omega > 0.0;
    let is_safe = oscillator.omega * dt < SAFE * limit && oscillator.damping * dt < SAFE;
    if !is_alive || is_safe {
        return None;
    }
    if limit == 0.0 && !predict::is_damped(setup, highest) {
        return Some("the method grows at any step on an undamped rope".into());
    }
    if oscillator.is_bounded(&setup.method, dt) {
        return None;
    }
    Some(match oscillator.longest_step(&setup.method) {
        Some(step) => format!(
            "dt = {} is over the stability limit {} of the method; substeps: {} would keep it",
            short(dt),
            short(step),
            (setup.frame_time / step).ceil()
        ),
        None => "the method grows at any step that was tried, in spite of the damping".into(),
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
    // A run well below the limit is the measure of the others.
    if 0.25 * guess < measure::shortest(setup, time) {
        return Stability { predicted, ..known };
    }
    let trial = Trial::new(setup, omega, time);
    Stability { predicted, measured: Some(measure::measure(setup, guess, trial)), ..known }
}
