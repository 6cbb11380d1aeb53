//! Runs that show whether a body survives a step: one after the other for one study, side by side
//! for several.

use crate::budget::{CoreTime, StudyBudget};
use catena_sim::{Outcome, Setup, Simulation, body::measure, run::batch::Batch};
use std::{
    borrow::{Borrow, BorrowMut},
    sync::Arc,
};

/// Makes the runs of a study, within a budget.
pub struct Trials {
    budget: StudyBudget,
    /// `None` where each run is made when the study asks for it.
    record: Option<Record>,
}

/// The runs of a study that goes on as far as it can without runs that are still to be made.
///
/// A study asks for the same runs in the same order each time it begins anew, so their ends stand
/// in that order.
struct Record {
    ends: Vec<TrialEnd>,
    /// How many ends the study has been told.
    told: usize,
    /// The run that it needs next.
    asked: Option<Trial>,
}

/// A run to be made.
struct Trial {
    setup: Arc<Setup>,
    frames: u64,
    /// The strain at which it ends.
    strain: f64,
}

/// What a run has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialEnd {
    /// The greatest strain at the end of a frame.
    pub greatest_strain: f64,
    /// Whether it got through all frames in order and within the strain.
    pub is_fine: bool,
    is_refused: bool,
    spent: u64,
}

impl Trials {
    /// Runs for a study that may take so much.
    pub fn within(amount: CoreTime) -> Self {
        Self { budget: StudyBudget::new(amount), record: None }
    }

    /// What is left of the budget.
    pub fn left(&self) -> CoreTime {
        self.budget.left()
    }

    /// A run over a time with another frame time and number of substeps, up to a strain; `None` if
    /// the budget does not allow it.
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
        // A run that is lost early costs less, but that is not known before.
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

/// Makes studies, as many as there are subjects, with their runs side by side. Each may take so
/// much, and finds what it would find alone. `study` is called several times for a subject, and
/// must ask for the same runs each time.
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

/// A run at work.
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

/// Makes runs side by side and says what each has come to.
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
