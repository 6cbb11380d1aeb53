//! The longest stable step of a body, measured: real runs with steps between which the limit lies.

use crate::sim::{
    Outcome, Setup, Simulation, integrator::with_defaults, measure, step_control::Fixed,
};
use std::sync::Arc;

/// Steps a frame in runs whose step is not that of the scene; divergence is looked for once a frame.
const STEPS_A_FRAME: u64 = 16;
/// How close two steps must come, as a share of them.
const EXACT: f64 = 5e-4;
/// How far from the first guess the limit is looked for, as a power of 2.
const DOUBLINGS: i32 = 20;
/// A run takes at most so many steps of a spring.
const MOST_WORK: f64 = 2e9;

/// What real runs say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Simulated time that had to be survived.
    pub time: f64,
    /// The longest step that survived; `None` where none did.
    pub survived: Option<f64>,
    /// The shortest step that was lost, longer than the other; `None` where none was.
    pub lost: Option<f64>,
    /// The fewest substeps a frame that survive, found by runs of whole substeps; `None` where none did.
    pub substeps: Option<u64>,
}

/// What a run has to survive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Simulated time.
    pub time: f64,
    /// The strain that it must not exceed.
    pub strain: f64,
}

impl Trial {
    /// A trial of so much time. Lost is a run that is stretched three times as much as semi-implicit Euler well below its own limit is stretched
    /// in that time: the highest mode can grow until springs turn over and then stay bounded, which is no less wrong. Where there is
    /// no `omega`, the setup's own limit counts alone.
    pub fn new(setup: &Setup, omega: Option<f64>, time: f64) -> Self {
        let calm = omega.and_then(|omega| greatest_strain(setup, 0.25 * 2.0 / omega, time));
        let strain = calm.map_or(setup.strain_limit, |calm| 3.0 * calm.max(1e-3));
        Self { time, strain: strain.min(setup.strain_limit) }
    }

    /// Whether a run with this step survives.
    pub fn survives(&self, setup: &Setup, dt: f64) -> bool {
        self.passes(setup, (dt * STEPS_A_FRAME as f64, STEPS_A_FRAME))
    }

    /// Whether a run with so many substeps a frame of the scene survives.
    pub fn survives_with(&self, setup: &Setup, substeps: u64) -> bool {
        self.passes(setup, (setup.frame_time, substeps))
    }

    fn passes(&self, setup: &Setup, (frame_time, substeps): (f64, u64)) -> bool {
        let frames = (self.time / frame_time).ceil().max(1.0) as u64;
        let mut run = Simulation::new(Arc::new(Setup { frame_time, substeps, ..setup.clone() }));
        (0..frames).all(|_| {
            run.advance_frame();
            let (model, x) = (&run.setup().model, &run.state().x);
            let strain = measure::greatest_strain(model, run.springs(), x);
            run.outcome() == Outcome::Fine && strain <= self.strain
        })
    }
}

/// The greatest strain of a frame in a run of semi-implicit Euler; `None` where even that diverges.
fn greatest_strain(setup: &Setup, dt: f64, time: f64) -> Option<f64> {
    let calm = Setup {
        method: with_defaults("SemiImplicitEuler")?,
        step_control: Arc::new(Fixed {}),
        frame_time: dt * STEPS_A_FRAME as f64,
        substeps: STEPS_A_FRAME,
        ..setup.clone()
    };
    let frames = (time / calm.frame_time).ceil().max(1.0) as u64;
    let mut run = Simulation::new(Arc::new(calm));
    let mut greatest = 0.0_f64;
    for _ in 0..frames {
        run.advance_frame();
        let (model, x) = (&run.setup().model, &run.state().x);
        greatest = greatest.max(measure::greatest_strain(model, run.springs(), x));
        if run.outcome() != Outcome::Fine {
            return None;
        }
    }
    Some(greatest)
}

/// The shortest step with which a run of so much time is still affordable.
pub fn shortest(setup: &Setup, time: f64) -> f64 {
    time * setup.model.springs.len().max(1) as f64 / MOST_WORK
}

/// Finds by bisection which steps a body survives, beginning near `guess`.
pub fn measure(setup: &Setup, guess: f64, trial: Trial) -> Measured {
    let time = trial.time;
    let shortest = shortest(setup, time);
    let is_fine = |dt: f64| trial.survives(setup, dt);
    let mut measured = Measured { time, survived: None, lost: None, substeps: None };
    // A guess from theory is nearly right, so the first bracket is narrow and then widens.
    let mut dt = guess;
    let mut share = 0.01;
    let is_guess_fine = is_fine(guess);
    for _ in 0..DOUBLINGS {
        let before = dt;
        dt *= if is_guess_fine { 1.0 + share } else { 1.0 / (1.0 + share) };
        if dt < shortest || dt > time {
            dt = before;
            break;
        }
        if is_fine(dt) != is_guess_fine {
            (measured.survived, measured.lost) =
                if is_guess_fine { (Some(before), Some(dt)) } else { (Some(dt), Some(before)) };
            break;
        }
        share = (2.0 * share).min(1.0);
    }
    let (Some(mut low), Some(mut high)) = (measured.survived, measured.lost) else {
        // One of the two was never met.
        let last = Some(dt);
        let substeps = is_guess_fine.then(|| whole_substeps(setup, dt, trial)).flatten();
        return match is_guess_fine {
            true => Measured { survived: last, substeps, ..measured },
            false => Measured { lost: last, ..measured },
        };
    };
    while high - low > EXACT * high {
        let middle = 0.5 * (low + high);
        if is_fine(middle) { low = middle } else { high = middle }
    }
    let substeps = whole_substeps(setup, low, trial);
    Measured { survived: Some(low), lost: Some(high), substeps, ..measured }
}

/// The fewest substeps a frame that survive, near those that a step means, by bisection.
fn whole_substeps(setup: &Setup, dt: f64, trial: Trial) -> Option<u64> {
    let is_fine = |substeps: u64| trial.survives_with(setup, substeps);
    let near = (setup.frame_time / dt).ceil().clamp(1.0, 1e9) as u64;
    // The step is exact to a share of it, and so are its substeps.
    let mut reach = (4.0 * EXACT * near as f64).ceil() as u64;
    let mut fine = [near, near + reach, near + 2 * reach].into_iter().find(|&n| is_fine(n))?;
    let mut lost = near.saturating_sub(reach);
    while lost > 0 && is_fine(lost) {
        reach *= 2;
        (fine, lost) = (lost, lost.saturating_sub(reach));
    }
    while fine - lost > 1 {
        let middle = u64::midpoint(lost, fine);
        if is_fine(middle) { fine = middle } else { lost = middle }
    }
    Some(fine)
}
