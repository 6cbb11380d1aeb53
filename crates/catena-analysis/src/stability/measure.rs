//! Measures the longest stable step of a body, by runs with steps between which the limit lies.

use super::trials::Trials;
use catena_sim::{
    Setup,
    method::{control::Fixed, with_defaults},
};
use std::sync::Arc;

/// Steps a frame in runs with steps other than the scene's; divergence is checked once a frame.
const STEPS_A_FRAME: u64 = 16;
/// The relative distance of steps at which bisection ends.
const EXACT: f64 = 5e-4;
/// How many times the bracket around the first guess widens.
const DOUBLINGS: i32 = 20;

/// The longest stable step as runs measured it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredLimit {
    /// The test that runs had to survive.
    pub test: SurvivalTest,
    /// The longest step that survived; `None` if none did.
    pub survived: Option<f64>,
    /// The shortest longer step that was lost; `None` if none was.
    pub lost: Option<f64>,
    /// The fewest substeps a frame that survived; `None` if none did.
    pub substeps: Option<u64>,
    /// Whether the budget was spent before the measurement was complete.
    pub is_cut_short: bool,
}

/// The test that a run must survive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurvivalTest {
    /// Simulated time.
    pub time: f64,
    /// The strain that it must not exceed.
    pub strain: f64,
}

impl SurvivalTest {
    /// A test of so much time. A run is lost if its strain exceeds three times that of
    /// semi-implicit Euler with a step well below its limit. The highest mode can grow until
    /// springs turn over and then stay bounded, which is no less wrong. Without `omega` only the
    /// setup's own strain limit counts. `None` if the budget does not allow the run with
    /// semi-implicit Euler.
    pub fn new(setup: &Setup, omega: Option<f64>, time: f64, trials: &mut Trials) -> Option<Self> {
        let calm = match omega {
            Some(omega) => greatest_strain(setup, 0.25 * 2.0 / omega, time, trials)?,
            None => f64::INFINITY,
        };
        let strain = 3.0 * calm.max(1e-3);
        Some(Self { time, strain: strain.min(setup.strain_limit) })
    }

    /// Whether a run with this step survives; `None` if the budget does not allow it.
    pub fn survives(&self, setup: &Setup, dt: f64, trials: &mut Trials) -> Option<bool> {
        self.passes(setup, (dt * STEPS_A_FRAME as f64, STEPS_A_FRAME), trials)
    }

    /// Whether a run with so many substeps a frame of the scene survives; `None` if the budget does
    /// not allow it.
    pub fn survives_with(&self, setup: &Setup, substeps: u64, trials: &mut Trials) -> Option<bool> {
        self.passes(setup, (setup.frame_time, substeps), trials)
    }

    fn passes(&self, setup: &Setup, steps: (f64, u64), trials: &mut Trials) -> Option<bool> {
        Some(trials.run(setup, steps, (self.time, self.strain))?.is_fine)
    }
}

/// The greatest strain in a run of semi-implicit Euler, infinite if it diverges; `None` if the
/// budget does not allow it.
fn greatest_strain(setup: &Setup, dt: f64, time: f64, trials: &mut Trials) -> Option<f64> {
    let calm = Setup {
        method: with_defaults("SemiImplicitEuler")?,
        step_control: Arc::new(Fixed {}),
        ..setup.clone()
    };
    let steps = (dt * STEPS_A_FRAME as f64, STEPS_A_FRAME);
    let end = trials.run(&calm, steps, (time, f64::INFINITY))?;
    Some(if end.is_fine { end.greatest_strain } else { f64::INFINITY })
}

/// A step at which a search begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guess {
    /// From theory, and so nearly right: the search begins with steps close to it.
    Predicted(f64),
    /// A step of which nothing is known: the search doubles or halves it.
    Any(f64),
}

/// Finds by bisection which steps a body survives, beginning near `guess`, while the budget lasts.
pub fn measure(
    setup: &Setup,
    guess: Guess,
    trial: SurvivalTest,
    trials: &mut Trials,
) -> MeasuredLimit {
    let mut search = StepSearch { setup, trial, trials, is_cut_short: false };
    let [survived, lost] = search.bisect(guess);
    let substeps = survived.and_then(|dt| search.whole_substeps(dt));
    MeasuredLimit { test: trial, survived, lost, substeps, is_cut_short: search.is_cut_short }
}

/// The longest step that [`measure`] would find to survive, without counting whole substeps.
pub fn longest_step(
    setup: &Setup,
    guess: Guess,
    trial: SurvivalTest,
    trials: &mut Trials,
) -> Option<f64> {
    StepSearch { setup, trial, trials, is_cut_short: false }.bisect(guess)[0]
}

/// The search for the longest step that survives.
struct StepSearch<'a> {
    setup: &'a Setup,
    trial: SurvivalTest,
    trials: &'a mut Trials,
    /// Whether the budget has refused a run.
    is_cut_short: bool,
}

impl StepSearch<'_> {
    fn is_fine(&mut self, dt: f64) -> Option<bool> {
        let is_fine = self.trial.survives(self.setup, dt, self.trials);
        self.is_cut_short |= is_fine.is_none();
        is_fine
    }

    fn is_fine_with(&mut self, substeps: u64) -> Option<bool> {
        let is_fine = self.trial.survives_with(self.setup, substeps, self.trials);
        self.is_cut_short |= is_fine.is_none();
        is_fine
    }

    /// The longest step that survives and the shortest that is lost, as close as the budget allows.
    fn bisect(&mut self, guess: Guess) -> [Option<f64>; 2] {
        let [mut survived, mut lost] = self.bracket(guess);
        while let (Some(low), Some(high)) = (survived, lost)
            && high - low > EXACT * high
        {
            let middle = 0.5 * (low + high);
            match self.is_fine(middle) {
                Some(true) => survived = Some(middle),
                Some(false) => lost = Some(middle),
                None => break,
            }
        }
        [survived, lost]
    }

    /// A step that survives and one that is lost, found from the guess outwards; only one of them
    /// if the other was not met.
    fn bracket(&mut self, guess: Guess) -> [Option<f64>; 2] {
        let (mut dt, mut share) = match guess {
            Guess::Predicted(dt) => (dt, 0.01),
            Guess::Any(dt) => (dt, 1.0),
        };
        let Some(is_guess_fine) = self.is_fine(dt) else { return [None; 2] };
        for _ in 0..DOUBLINGS {
            let next = if is_guess_fine { dt * (1.0 + share) } else { dt / (1.0 + share) };
            if next > self.trial.time {
                break;
            }
            match self.is_fine(next) {
                None => break,
                Some(is_fine) if is_fine != is_guess_fine => {
                    return if is_fine { [Some(next), Some(dt)] } else { [Some(dt), Some(next)] };
                }
                Some(_) => dt = next,
            }
            share = (2.0 * share).min(1.0);
        }
        if is_guess_fine { [Some(dt), None] } else { [None, Some(dt)] }
    }

    /// The fewest substeps a frame that survive, by bisection near those of a step.
    fn whole_substeps(&mut self, dt: f64) -> Option<u64> {
        let near = (self.setup.frame_time / dt).ceil().clamp(1.0, 1e9) as u64;
        // The step is known to a relative tolerance, and so are its substeps.
        let mut reach = (4.0 * EXACT * near as f64).ceil() as u64;
        let mut fine = None;
        for substeps in [near, near + reach, near + 2 * reach] {
            if self.is_fine_with(substeps)? {
                fine = Some(substeps);
                break;
            }
        }
        let mut fine = fine?;
        let mut lost = near.saturating_sub(reach);
        while lost > 0 && self.is_fine_with(lost)? {
            reach *= 2;
            (fine, lost) = (lost, lost.saturating_sub(reach));
        }
        while fine - lost > 1 {
            let middle = u64::midpoint(lost, fine);
            if self.is_fine_with(middle)? { fine = middle } else { lost = middle }
        }
        Some(fine)
    }
}
