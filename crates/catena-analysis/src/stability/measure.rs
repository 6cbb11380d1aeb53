//! Measures the longest stable step of a body by runs that bracket the limit.

use crate::budget::{CoreTime, StudyBudget};
use catena_sim::{
    Outcome, Setup, Simulation,
    body::measure,
    method::{control::Fixed, with_defaults},
    run::batch::Batch,
};
use std::{
    borrow::{Borrow, BorrowMut},
    sync::Arc,
};

/// Steps per frame in runs with a step other than the scene's. Divergence is checked once per
/// frame.
const STEPS_A_FRAME: u64 = 16;
/// Relative difference of step sizes at which bisection ends.
const EXACT: f64 = 5e-4;
/// Maximum number of times that the bracket around the first guess widens.
const DOUBLINGS: i32 = 20;
/// Share of the budget above which a run counts as expensive. A search near a predicted limit takes
/// about 16 runs.
const EXPENSIVE: f64 = 1.0 / 16.0;

/// Longest stable step, measured by runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredLimit {
    /// Test that runs had to survive.
    pub test: SurvivalTest,
    /// Longest step size that survived; `None` if none did.
    pub survived: Option<f64>,
    /// Shortest step size above `survived` that failed; `None` if none did.
    pub lost: Option<f64>,
    /// Minimum substeps per frame that survived; `None` if none did.
    pub substeps: Option<u64>,
    /// Whether the budget was spent before the measurement was complete.
    pub is_cut_short: bool,
}

/// Test that a run must survive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurvivalTest {
    /// Simulated time of the test.
    pub time: f64,
    /// Maximum strain allowed.
    pub strain: f64,
}

impl SurvivalTest {
    /// Creates a test over a simulated time. Its strain limit is three times the maximum strain of
    /// semi-implicit Euler with a step well below its limit. This limit detects a highest mode that
    /// grows until springs flip over and then stays bounded. Without `omega` only the setup's own
    /// strain limit applies. Returns `None` if the budget does not allow the run with semi-implicit
    /// Euler.
    pub fn new(setup: &Setup, omega: Option<f64>, time: f64, trials: &mut Trials) -> Option<Self> {
        let calm = match omega {
            Some(omega) => run_greatest_strain(setup, 0.25 * 2.0 / omega, time, trials)?,
            None => f64::INFINITY,
        };
        let strain = 3.0 * calm.max(1e-3);
        Some(Self { time, strain: strain.min(setup.strain_limit) })
    }

    /// Runs a setup with step `dt` and returns whether it survives; `None` if the budget does not
    /// allow the run.
    pub fn survives(&self, setup: &Setup, dt: f64, trials: &mut Trials) -> Option<bool> {
        let frame_time = dt * STEPS_A_FRAME as f64;
        Some(trials.run(setup, frame_time, STEPS_A_FRAME, *self)?.is_fine)
    }

    /// Runs a setup with `substeps` substeps per frame and returns whether it survives; `None` if
    /// the budget does not allow the run.
    pub fn survives_with(&self, setup: &Setup, substeps: u64, trials: &mut Trials) -> Option<bool> {
        Some(trials.run(setup, setup.frame_time, substeps, *self)?.is_fine)
    }
}

/// Runs semi-implicit Euler and returns the maximum strain, infinite if it diverges. Returns `None`
/// if the budget does not allow the run.
fn run_greatest_strain(setup: &Setup, dt: f64, time: f64, trials: &mut Trials) -> Option<f64> {
    let calm = Setup {
        method: with_defaults("SemiImplicitEuler")?,
        step_control: Arc::new(Fixed {}),
        ..setup.clone()
    };
    let test = SurvivalTest { time, strain: f64::INFINITY };
    let end = trials.run(&calm, dt * STEPS_A_FRAME as f64, STEPS_A_FRAME, test)?;
    Some(if end.is_fine { end.greatest_strain } else { f64::INFINITY })
}

/// Estimated cost of a run of a setup over a simulated time, with steps of `dt`.
pub fn run_time(setup: &Setup, dt: f64, time: f64) -> CoreTime {
    CoreTime::nanoseconds(time / dt * setup.step_cost() as f64)
}

/// Step at which a search begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Guess {
    /// Theoretical limit, which is approximately right: the search begins close to it.
    Predicted(f64),
    /// Arbitrary step: the search doubles or halves it.
    Any(f64),
}

/// Finds by bisection which steps a body survives, starting near `guess`, until the budget is
/// spent.
pub fn measure(
    setup: &Setup,
    guess: Guess,
    trial: SurvivalTest,
    trials: &mut Trials,
) -> MeasuredLimit {
    let mut search = StepSearch { setup, trial, trials, is_cut_short: false };
    let ends = search.bisect(guess);
    let substeps = ends[0].and_then(|dt| search.whole_substeps(dt));
    let [survived, lost] = agreed(ends, substeps, setup.frame_time);
    MeasuredLimit { test: trial, survived, lost, substeps, is_cut_short: search.is_cut_short }
}

/// Longest surviving and shortest failing step size, made consistent with the minimum number of
/// substeps: its step size survives, and the step size with one substep fewer fails.
fn agreed(
    [survived, lost]: [Option<f64>; 2],
    substeps: Option<u64>,
    frame_time: f64,
) -> [Option<f64>; 2] {
    let (Some(longest), Some(substeps)) = (survived, substeps) else { return [survived, lost] };
    let step = frame_time / substeps as f64;
    let next = match substeps {
        1 => f64::INFINITY,
        _ => frame_time / (substeps - 1) as f64,
    };
    // Longer steps may survive beyond a resonance. The shortest failing step counts.
    let longest = if longest < next { longest.max(step) } else { step };
    let shortest = lost.filter(|lost| *lost > longest).unwrap_or(f64::INFINITY).min(next);
    [Some(longest), Some(shortest).filter(|step| step.is_finite()).or(lost)]
}

/// Searches for the longest surviving step as [`measure()`] does, without the search for whole
/// substeps. Returns `None` if no step survives.
pub fn longest_step(
    setup: &Setup,
    guess: Guess,
    trial: SurvivalTest,
    trials: &mut Trials,
) -> Option<f64> {
    StepSearch { setup, trial, trials, is_cut_short: false }.bisect(guess)[0]
}

/// Search for the longest step that survives.
struct StepSearch<'a> {
    setup: &'a Setup,
    trial: SurvivalTest,
    trials: &'a mut Trials,
    /// Whether the budget has refused a run.
    is_cut_short: bool,
}

impl StepSearch<'_> {
    /// Simulates with step `dt`. Returns whether the run survives; `None` if the budget refuses it.
    fn try_step(&mut self, dt: f64) -> Option<bool> {
        let is_fine = self.trial.survives(self.setup, dt, self.trials);
        self.is_cut_short |= is_fine.is_none();
        is_fine
    }

    /// Estimated cost of a run with step `dt`, as a share of the remaining budget.
    fn share_of_run(&self, dt: f64) -> f64 {
        run_time(self.setup, dt, self.trial.time).seconds / self.trials.left().seconds
    }

    /// Simulates with `substeps` substeps per frame. The run is the same as in [`Self::try_step`]
    /// with that step size, so that both give consistent results. Returns whether the run survives;
    /// `None` if the budget refuses it.
    fn try_substeps(&mut self, substeps: u64) -> Option<bool> {
        self.try_step(self.setup.frame_time / substeps as f64)
    }

    /// Finds the longest step that survives and the shortest step that fails by bisection, as close
    /// to each other as the budget allows. Either is `None` if it was not found.
    fn bisect(&mut self, guess: Guess) -> [Option<f64>; 2] {
        let [mut survived, mut lost] = self.bracket(guess);
        while let (Some(low), Some(high)) = (survived, lost)
            && high - low > EXACT * high
        {
            let middle = 0.5 * (low + high);
            match self.try_step(middle) {
                Some(true) => survived = Some(middle),
                Some(false) => lost = Some(middle),
                None => break,
            }
        }
        [survived, lost]
    }

    /// Searches outwards from the guess for a step that survives and one that fails. Either is
    /// `None` if it was not found.
    fn bracket(&mut self, guess: Guess) -> [Option<f64>; 2] {
        let own = self.setup.dt();
        let (mut dt, mut share) = match guess {
            // Runs with longer steps cost less, and failing runs end early.
            Guess::Predicted(dt) if self.share_of_run(dt) > EXPENSIVE => (dt.max(own), 1.0),
            Guess::Predicted(dt) => (dt, 0.01),
            Guess::Any(dt) => (dt, 1.0),
        };
        let Some(is_guess_fine) = self.try_step(dt) else { return [None; 2] };
        for _ in 0..DOUBLINGS {
            let next = if is_guess_fine { dt * (1.0 + share) } else { dt / (1.0 + share) };
            if next > self.trial.time {
                break;
            }
            match self.try_step(next) {
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

    /// Finds the minimum substeps per frame that survive, by bisection near the number that step
    /// `dt` requires. Returns `None` if the budget is spent or no tested number survives.
    fn whole_substeps(&mut self, dt: f64) -> Option<u64> {
        let near = (self.setup.frame_time / dt).ceil().clamp(1.0, 1e9) as u64;
        // The step is known to a relative tolerance, and so is its number of substeps.
        let mut reach = (4.0 * EXACT * near as f64).ceil() as u64;
        let mut fine = None;
        for substeps in [near, near + reach, near + 2 * reach] {
            if self.try_substeps(substeps)? {
                fine = Some(substeps);
                break;
            }
        }
        let mut fine = fine?;
        let mut lost = near.saturating_sub(reach);
        while lost > 0 && self.try_substeps(lost)? {
            reach *= 2;
            (fine, lost) = (lost, lost.saturating_sub(reach));
        }
        while fine - lost > 1 {
            let middle = u64::midpoint(lost, fine);
            if self.try_substeps(middle)? { fine = middle } else { lost = middle }
        }
        Some(fine)
    }
}

/// Provider of the runs of a study, within a budget.
pub struct Trials {
    budget: StudyBudget,
    /// Recorded runs of a repeated study; `None` if each run is made on request.
    record: Option<TrialRecord>,
}

/// Runs of a study that is repeated whenever a requested run has finished.
///
/// A study requests the same runs in the same order each time, so results are stored in that order.
struct TrialRecord {
    ends: Vec<TrialEnd>,
    /// Number of results returned in this repetition.
    replayed: usize,
    /// Run that the study needs next.
    asked: Option<RequestedTrial>,
}

/// Run to be made.
struct RequestedTrial {
    setup: Arc<Setup>,
    frames: u64,
    /// Strain at which the run ends.
    strain: f64,
}

/// Result of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialEnd {
    /// Maximum strain at the end of a frame.
    pub greatest_strain: f64,
    /// Whether all frames were valid and within the strain limit.
    pub is_fine: bool,
    is_refused: bool,
    spent: u64,
}

impl Trials {
    /// Creates the source of runs for a study with this budget.
    pub fn within(amount: CoreTime) -> Self {
        Self { budget: StudyBudget::new(amount), record: None }
    }

    /// Remaining budget.
    pub fn left(&self) -> CoreTime {
        self.budget.left()
    }

    /// Runs a setup with the given frame time and number of substeps, for the time of a test or
    /// until its strain limit is exceeded. Returns `None` if the budget does not allow it.
    pub fn run(
        &mut self,
        setup: &Setup,
        frame_time: f64,
        substeps: u64,
        test: SurvivalTest,
    ) -> Option<TrialEnd> {
        let SurvivalTest { time, strain } = test;
        let Self { budget, record } = self;
        if record.as_ref().is_some_and(|record| record.asked.is_some()) {
            return None;
        }
        let frames = (time / frame_time).ceil().max(1.0);
        let trial = budget.left().bound(setup).with_steps(frame_time, substeps);
        // A run that fails early costs less, but this is unknown beforehand.
        if !budget.allows(frames * substeps as f64, trial.step_cost()) {
            return None;
        }
        let trial = RequestedTrial { setup: Arc::new(trial), frames: frames as u64, strain };
        let end = match record {
            None => ends_of(vec![trial]).pop()?,
            Some(record) => match record.ends.get(record.replayed) {
                Some(end) => *end,
                None => {
                    record.asked = Some(trial);
                    return None;
                }
            },
        };
        if let Some(record) = record {
            record.replayed += 1;
        }
        budget.take(end.spent);
        (!end.is_refused).then_some(end)
    }
}

/// Performs one study per subject, with their runs in parallel. Each has the budget `amount`, and
/// its result is the same as if it ran alone. `study` is called several times per subject, and must
/// request the same runs each time.
pub fn side_by_side<T, R>(
    subjects: &[T],
    amount: CoreTime,
    study: impl Fn(&T, &mut Trials) -> R,
) -> Vec<R> {
    let mut found: Vec<Option<R>> = subjects.iter().map(|_| None).collect();
    let mut ends: Vec<Vec<TrialEnd>> = subjects.iter().map(|_| Vec::new()).collect();
    loop {
        let (mut asking, mut asked) = (Vec::new(), Vec::new());
        for (index, (subject, found)) in subjects.iter().zip(&mut found).enumerate() {
            if found.is_some() {
                continue;
            }
            let known = std::mem::take(&mut ends[index]);
            let record = Some(TrialRecord { ends: known, replayed: 0, asked: None });
            let mut trials = Trials { budget: StudyBudget::new(amount), record };
            let result = study(subject, &mut trials);
            let Some(record) = trials.record else { continue };
            ends[index] = record.ends;
            match record.asked {
                Some(trial) => {
                    asking.push(index);
                    asked.push(trial);
                }
                None => *found = Some(result),
            }
        }
        if asked.is_empty() {
            return found.into_iter().flatten().collect();
        }
        for (index, end) in asking.into_iter().zip(ends_of(asked)) {
            ends[index].push(end);
        }
    }
}

/// Run in progress.
struct RunningTrial {
    number: usize,
    simulation: Simulation,
    end: TrialEnd,
}

impl Borrow<Simulation> for RunningTrial {
    fn borrow(&self) -> &Simulation {
        &self.simulation
    }
}

impl BorrowMut<Simulation> for RunningTrial {
    fn borrow_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

/// Performs runs in parallel and returns their results.
fn ends_of(trials: Vec<RequestedTrial>) -> Vec<TrialEnd> {
    let begin = |(number, trial): (usize, &RequestedTrial)| RunningTrial {
        number,
        simulation: Simulation::new(Arc::clone(&trial.setup)),
        end: TrialEnd { greatest_strain: 0.0, is_fine: true, is_refused: false, spent: 0 },
    };
    let mut running: Vec<RunningTrial> = trials.iter().enumerate().map(begin).collect();
    let mut ends: Vec<Option<TrialEnd>> = trials.iter().map(|_| None).collect();
    let (mut batch, mut frame) = (Batch::default(), 0);
    while !running.is_empty() {
        batch.advance_frames(&mut running);
        frame += 1;
        running.retain_mut(|RunningTrial { number, simulation, end }| {
            let trial = &trials[*number];
            let (model, x) = (&simulation.setup().model, &simulation.state().x);
            let strain = measure::greatest_strain(model, simulation.springs(), x);
            end.greatest_strain = end.greatest_strain.max(strain);
            end.is_refused = simulation.refusal().is_some();
            let is_in_order = simulation.outcome() == Outcome::Fine && strain <= trial.strain;
            end.is_fine = is_in_order && !end.is_refused;
            end.spent = simulation.spent();
            let continues = end.is_fine && frame < trial.frames;
            if !continues {
                ends[*number] = Some(*end);
            }
            continues
        });
    }
    ends.into_iter().flatten().collect()
}
