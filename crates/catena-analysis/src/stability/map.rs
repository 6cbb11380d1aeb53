//! Map of the substeps and stiffnesses that a body survives, with the boundary predicted from the
//! spectrum.

use super::StabilityTimes;
use super::measure::{SurvivalTest, Trials, run_time};
use super::predict::{predict_film, substeps_of_growth};
use crate::budget::{CoreTime, StudyBudget};
use crate::stability::prediction::Prediction;
use catena_sim::Setup;
use rayon::prelude::*;

/// Survival of a body over substeps and stiffness.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityMap {
    /// Substeps per frame, ascending.
    pub substeps: Vec<u64>,
    /// Stiffness of the first spring, ascending by a constant factor. All springs are scaled by the
    /// same factor.
    pub stiffness: Vec<f64>,
    /// Whether each run survived: one row of all substeps per stiffness.
    pub survived: Vec<bool>,
    /// Required substeps per frame at each stiffness by the spectrum. `None` if no number suffices,
    /// or any does.
    pub predicted: Vec<Option<f64>>,
    /// Substeps per frame at each stiffness with which the highest mode grows by [`GROWN_DECADES`]
    /// powers of ten in the time of the runs. `None` if no number does. Empty for a map made by
    /// [`StabilityMap::measure`].
    pub grown: Vec<Option<f64>>,
    /// Simulated time that each run had to survive.
    pub time: f64,
    /// Run of the unchanged body for all frames; `None` if the budget does not allow it.
    pub film: Option<FilmRun>,
}

/// Run of a body for all frames of its scene, with its own step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmRun {
    /// Simulated time of all frames.
    pub time: f64,
    /// Whether the run survives, by the criterion of a render.
    pub survived: bool,
}

impl FilmRun {
    /// Runs a setup for a time within a budget. `None` if the budget does not allow it.
    pub fn of(setup: &Setup, time: f64, budget: CoreTime) -> Option<Self> {
        let test = SurvivalTest { time, strain: setup.strain_limit };
        let mut trials = Trials::within(budget);
        let survived = test.survives_with(setup, setup.substeps, &mut trials)?;
        Some(Self { time, survived })
    }
}

/// Copies a setup with the stiffness of all springs multiplied by a factor.
pub fn stiffened(setup: &Setup, factor: f64) -> Setup {
    let mut setup = setup.clone();
    setup.model.springs.iter_mut().for_each(|spring| spring.stiffness *= factor);
    setup
}

/// Powers of ten by which a mode grows from its initial small share of a motion until it is
/// visible.
pub const GROWN_DECADES: f64 = 6.0;

/// Minimum number of columns of a map.
const MIN_COLUMNS: usize = 4;

/// Body with one stiffness of a map.
struct MapRow {
    setup: Setup,
    trial: SurvivalTest,
    found: Option<Prediction>,
}

/// Bodies of a map, one per stiffness. `None` if a run would exceed its budget.
fn rows(setup: &Setup, factors: &[f64], time: f64, amounts: StabilityTimes) -> Option<Vec<MapRow>> {
    let row = |&factor: &f64| {
        let setup = stiffened(setup, factor);
        let mut budget = StudyBudget::new(amounts.predicting);
        let found = predict_film(&setup, time, &mut budget);
        let omega = found.map(|found| found.highest.omega);
        let mut trials = Trials::within(amounts.measuring);
        let trial = SurvivalTest::new(&setup, omega, time, &mut trials)?;
        Some(MapRow { setup, trial, found })
    };
    factors.par_iter().map(row).collect()
}

impl StabilityMap {
    /// Runs every pair, each on one thread, and calls `each` after every run. Returns `None` if a
    /// run would exceed its budget in `amounts`.
    pub fn measure(
        setup: &Setup,
        substeps: Vec<u64>,
        factors: &[f64],
        time: f64,
        amounts: StabilityTimes,
        each: &(dyn Fn() + Sync),
    ) -> Option<Self> {
        let rows = rows(setup, factors, time, amounts)?;
        let cells: Vec<(&MapRow, u64)> =
            rows.iter().flat_map(|row| substeps.iter().map(move |&n| (row, n))).collect();
        let survived = cells
            .par_iter()
            .map(|(MapRow { setup, trial, .. }, substeps)| {
                let mut trials = Trials::within(amounts.measuring);
                let survived = trial.survives_with(setup, *substeps, &mut trials);
                each();
                survived
            })
            .collect::<Option<_>>()?;
        let map = Self { substeps, survived, ..Self::unmeasured(setup, &rows, factors, time) };
        Some(map)
    }

    /// Runs all stiffnesses with increasing numbers of substeps until `amounts.measuring`, which
    /// all runs share, is spent. Larger numbers are omitted. Returns `None` if the budget suffices
    /// for fewer than four numbers of substeps.
    ///
    /// This is for methods with which motions grow slowly. Runs that diverge end early, so they are
    /// cheap. Numbers of substeps above the ones that survive show nothing new.
    pub fn measure_growth(
        setup: &Setup,
        substeps: &[u64],
        factors: &[f64],
        time: f64,
        amounts: StabilityTimes,
        each: &(dyn Fn() + Sync),
    ) -> Option<Self> {
        let rows = rows(setup, factors, time, amounts)?;
        let mut left = amounts.measuring.seconds;
        let mut columns: Vec<Vec<CellRun>> = Vec::new();
        for &substeps in substeps {
            let column = CellRun::column(&rows, substeps, CoreTime { seconds: left }, &columns);
            let Some(column) = column else { break };
            left -= column.iter().map(|run| run.spent).sum::<f64>();
            columns.push(column);
            rows.iter().for_each(|_| each());
        }
        if columns.len() < MIN_COLUMNS {
            return None;
        }
        let survived = (0..rows.len()).flat_map(|row| columns.iter().map(move |it| it[row]));
        let grown = |MapRow { setup, found, .. }: &MapRow| {
            substeps_of_growth(setup, found.as_ref()?.highest, time, GROWN_DECADES)
        };
        Some(Self {
            survived: survived.map(|run| run.survived).collect(),
            substeps: substeps[..columns.len()].to_vec(),
            grown: rows.par_iter().map(grown).collect(),
            ..Self::unmeasured(setup, &rows, factors, time)
        })
    }

    /// Map without measured cells.
    fn unmeasured(setup: &Setup, rows: &[MapRow], factors: &[f64], time: f64) -> Self {
        let predicted = |MapRow { setup, found, .. }: &MapRow| {
            let step = found.and_then(|found| found.longest_step);
            step.filter(|step| step.is_finite()).map(|step| setup.frame_time / step)
        };
        let first = setup.model.springs.first().map_or(0.0, |spring| spring.stiffness);
        Self {
            substeps: Vec::new(),
            stiffness: factors.iter().map(|factor| factor * first).collect(),
            survived: Vec::new(),
            predicted: rows.iter().map(predicted).collect(),
            grown: Vec::new(),
            time,
            film: None,
        }
    }
}

/// Run of a cell.
#[derive(Clone, Copy, Debug)]
struct CellRun {
    substeps: u64,
    survived: bool,
    /// Cost in seconds of one core.
    spent: f64,
}

impl CellRun {
    /// Runs all bodies with `substeps` substeps per frame, each on one thread. `None` if these runs
    /// would probably exceed the remaining budget, judging by the runs with fewer substeps.
    fn column(
        rows: &[MapRow],
        substeps: u64,
        left: CoreTime,
        before: &[Vec<Self>],
    ) -> Option<Vec<Self>> {
        let expected = rows.iter().enumerate().map(|(index, MapRow { setup, trial, .. })| {
            let dt = setup.frame_time / substeps as f64;
            let full_cost = run_time(setup, dt, trial.time).seconds;
            match before.last().map(|column| column[index]) {
                // With more substeps a frame costs more, and motions grow for longer.
                Some(run) if !run.survived => {
                    let ratio = substeps as f64 / run.substeps as f64;
                    full_cost.min(run.spent * ratio * ratio)
                }
                _ => full_cost,
            }
        });
        if expected.sum::<f64>() > left.seconds {
            return None;
        }
        let run = |MapRow { setup, trial, .. }: &MapRow| {
            let mut trials = Trials::within(left);
            let survived = trial.survives_with(setup, substeps, &mut trials)?;
            Some(Self { substeps, survived, spent: left.seconds - trials.left().seconds })
        };
        rows.par_iter().map(run).collect()
    }
}
