//! The longest stable step of a body, measured: real runs with steps between which the limit lies.

use crate::analysis::budget::Budget;
use crate::sim::{
    Outcome, Setup, Simulation,
    body::measure,
    method::{control::Fixed, with_defaults},
};
use std::sync::Arc;

/// Steps a frame in runs whose step is not that of the scene; divergence is looked for once a frame.
const STEPS_A_FRAME: u64 = 16;
/// How close two steps must come, as a share of them.
const EXACT: f64 = 5e-4;
/// How far from the first guess the limit is looked for, as a power of 2.
const DOUBLINGS: i32 = 20;
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
    /// Whether the budget was spent before all that was to be found.
    pub is_cut_short: bool,
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
    /// no `omega`, the setup's own limit counts alone. `None` where the budget does not allow that run.
    pub fn new(setup: &Setup, omega: Option<f64>, time: f64, budget: &mut Budget) -> Option<Self> {
        let calm = match omega {
            Some(omega) => greatest_strain(setup, 0.25 * 2.0 / omega, time, budget)?,
            None => f64::INFINITY,
        };
        let strain = 3.0 * calm.max(1e-3);
        Some(Self { time, strain: strain.min(setup.strain_limit) })
    }

    /// Whether a run with this step survives; `None` where the budget does not allow it.
    pub fn survives(&self, setup: &Setup, dt: f64, budget: &mut Budget) -> Option<bool> {
        self.passes(setup, (dt * STEPS_A_FRAME as f64, STEPS_A_FRAME), budget)
    }

    /// Whether a run with so many substeps a frame of the scene survives; `None` where the budget does not allow it.
    pub fn survives_with(&self, setup: &Setup, substeps: u64, budget: &mut Budget) -> Option<bool> {
        self.passes(setup, (setup.frame_time, substeps), budget)
    }

    fn passes(
        &self,
        setup: &Setup,
        (frame_time, substeps): (f64, u64),
        budget: &mut Budget,
    ) -> Option<bool> {
        let frames = (self.time / frame_time).ceil().max(1.0);
        let trial = Setup { frame_time, substeps, ..budget.left().bound(setup) };
        // What is lost early costs less, but that is not known before.
        if !budget.allows(frames * substeps as f64, trial.step_cost()) {
            return None;
        }
        let mut run = Simulation::new(Arc::new(trial));
        let is_fine = (0..frames as u64).all(|_| {
            run.advance_frame();
            let (model, x) = (&run.setup().model, &run.state().x);
            let strain = measure::greatest_strain(model, run.springs(), x);
            run.refusal().is_none() && run.outcome() == Outcome::Fine && strain <= self.strain
        });
        budget.take(run.spent());
        run.refusal().is_none().then_some(is_fine)
    }
}

/// The greatest strain of a frame in a run of semi-implicit Euler, infinite where even that diverges; `None` where the budget does not allow it.
fn greatest_strain(setup: &Setup, dt: f64, time: f64, budget: &mut Budget) -> Option<f64> {
    let calm = Setup {
        method: with_defaults("SemiImplicitEuler")?,
        step_control: Arc::new(Fixed {}),
        frame_time: dt * STEPS_A_FRAME as f64,
        substeps: STEPS_A_FRAME,
        ..budget.left().bound(setup)
    };
    let frames = (time / calm.frame_time).ceil().max(1.0);
    if !budget.allows(frames * STEPS_A_FRAME as f64, calm.step_cost()) {
        return None;
    }
    let mut run = Simulation::new(Arc::new(calm));
    let mut greatest = 0.0_f64;
    for _ in 0..frames as u64 {
        run.advance_frame();
        let (model, x) = (&run.setup().model, &run.state().x);
        greatest = greatest.max(measure::greatest_strain(model, run.springs(), x));
        if run.outcome() != Outcome::Fine {
            greatest = f64::INFINITY;
        }
        if run.refusal().is_some() || greatest.is_infinite() {
            break;
        }
    }
    budget.take(run.spent());
    run.refusal().is_none().then_some(greatest)
}

/// Finds by bisection which steps a body survives, beginning near `guess`, as long as the budget lasts.
pub fn measure(setup: &Setup, guess: f64, trial: Trial, budget: &mut Budget) -> Measured {
    let mut search = Search { setup, trial, budget, is_cut_short: false };
    let [survived, lost] = search.bisect(guess);
    let substeps = survived.and_then(|dt| search.whole_substeps(dt));
    Measured { time: trial.time, survived, lost, substeps, is_cut_short: search.is_cut_short }
}

/// A search among steps.
struct Search<'a> {
    setup: &'a Setup,
    trial: Trial,
    budget: &'a mut Budget,
    /// Whether the budget did not allow a run.
    is_cut_short: bool,
}

impl Search<'_> {
    fn is_fine(&mut self, dt: f64) -> Option<bool> {
        let is_fine = self.trial.survives(self.setup, dt, self.budget);
        self.is_cut_short |= is_fine.is_none();
        is_fine
    }

    fn is_fine_with(&mut self, substeps: u64) -> Option<bool> {
        let is_fine = self.trial.survives_with(self.setup, substeps, self.budget);
        self.is_cut_short |= is_fine.is_none();
        is_fine
    }

    /// The longest step that survives and the shortest that is lost, as near to each other as the budget allows.
    fn bisect(&mut self, guess: f64) -> [Option<f64>; 2] {
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

    /// A step that survives and one that is lost, the first from the guess on; one of the two where the other was never met.
    fn bracket(&mut self, guess: f64) -> [Option<f64>; 2] {
        let Some(is_guess_fine) = self.is_fine(guess) else { return [None; 2] };
        // A guess from theory is nearly right, so the first bracket is narrow and then widens.
        let (mut dt, mut share) = (guess, 0.01);
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

    /// The fewest substeps a frame that survive, near those that a step means, by bisection.
    fn whole_substeps(&mut self, dt: f64) -> Option<u64> {
        let near = (self.setup.frame_time / dt).ceil().clamp(1.0, 1e9) as u64;
        // The step is exact to a share of it, and so are its substeps.
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
