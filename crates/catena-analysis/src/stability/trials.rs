//! Runs that test whether a body survives a step: sequential for one study, parallel for several.

use crate::budget::{CoreTime, StudyBudget};
use catena_sim::{Outcome, Setup, Simulation, body::measure, run::batch::Batch};
use std::{
    borrow::{Borrow, BorrowMut},
    sync::Arc,
};

/// Source of a study's runs, within a budget.
pub struct Trials {
    budget: StudyBudget,
    /// Recorded runs of a repeated study; `None` if each run is made on request.
    record: Option<Record>,
}

/// Runs of a study that is repeated whenever a requested run has finished.
///
/// A study requests the same runs in the same order each time, so results are stored in that order.
struct Record {
    ends: Vec<TrialEnd>,
    /// Number of results handed out in this repetition.
    told: usize,
    /// Run that the study needs next.
    asked: Option<Trial>,
}

/// Run to be made.
struct Trial {
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

    /// Runs a setup over a time with another frame time and number of substeps, up to a strain.
    /// Returns `None` if the budget does not allow it.
    pub fn run(
        &mut self,
        setup: &Setup,
        (frame_time, substeps): (f64, u64),
        (time, strain): (f64, f64),
    ) -> Option<TrialEnd> {
        let Self { budget, record } = self;
        if record.as_ref().is_some_and(|record| record.asked.is_some()) {
            return None;
        }
        let frames = (time / frame_time).ceil().max(1.0);
        let trial = Setup { frame_time, substeps, ..budget.left().bound(setup) };
        // A run that fails early costs less, but this is unknown beforehand.
        if !budget.allows(frames * substeps as f64, trial.step_cost()) {
            return None;
        }
        let trial = Trial { setup: Arc::new(trial), frames: frames as u64, strain };
        let end = match record {
            None => ends_of(vec![trial]).pop()?,
            Some(record) => match record.ends.get(record.told) {
                Some(end) => *end,
                None => {
                    record.asked = Some(trial);
                    return None;
                }
            },
        };
        if let Some(record) = record {
            record.told += 1;
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
            let record = Some(Record { ends: known, told: 0, asked: None });
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
struct Running {
    number: usize,
    simulation: Simulation,
    end: TrialEnd,
}

impl Borrow<Simulation> for Running {
    fn borrow(&self) -> &Simulation {
        &self.simulation
    }
}

impl BorrowMut<Simulation> for Running {
    fn borrow_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

/// Performs runs in parallel and returns their results.
fn ends_of(trials: Vec<Trial>) -> Vec<TrialEnd> {
    let begin = |(number, trial): (usize, &Trial)| Running {
        number,
        simulation: Simulation::new(Arc::clone(&trial.setup)),
        end: TrialEnd { greatest_strain: 0.0, is_fine: true, is_refused: false, spent: 0 },
    };
    let mut running: Vec<Running> = trials.iter().enumerate().map(begin).collect();
    let mut ends: Vec<Option<TrialEnd>> = trials.iter().map(|_| None).collect();
    let (mut batch, mut frame) = (Batch::default(), 0);
    while !running.is_empty() {
        batch.advance_frames(&mut running);
        frame += 1;
        running.retain_mut(|Running { number, simulation, end }| {
            let trial = &trials[*number];
            let (model, x) = (&simulation.setup().model, &simulation.state().x);
            let strain = measure::greatest_strain(model, simulation.springs(), x);
            end.greatest_strain = end.greatest_strain.max(strain);
            end.is_refused = simulation.refusal().is_some();
            let is_in_order = simulation.outcome() == Outcome::Fine && strain <= trial.strain;
            end.is_fine = is_in_order && !end.is_refused;
            end.spent = simulation.spent();
            let goes_on = end.is_fine && frame < trial.frames;
            if !goes_on {
                ends[*number] = Some(*end);
            }
            goes_on
        });
    }
    ends.into_iter().flatten().collect()
}
