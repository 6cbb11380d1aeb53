//! Stability map: the choice of its cells, and a check against its budget.

use super::budgets;
use super::budgets::MAPS;
use super::plan::{Figures, ReportPlan};
use crate::job::report::grouping::grouped;
use catena_analysis::{
    budget::CoreTime,
    stability::{
        StabilityTimes,
        map::{FilmRun, GROWN_DECADES, StabilityMap},
        predict::{Prediction, substeps_of_growth},
    },
};
use catena_base::text::number::short;
use catena_sim::Setup;
use catena_study::figure::study::stability as stability_figure;

/// Minimum and maximum time that a cell must survive, in periods of the highest mode. Between them,
/// the duration of the film is used. There is no maximum if the user chooses a study time.
const PERIODS: [f64; 2] = [20.0, 300.0];

/// Maximum cost of a cell relative to the average cell. Cells with many substeps cost more.
const UNEVEN: f64 = 8.0;

/// Cells of a map.
struct Grid {
    substeps: Vec<u64>,
    factors: Vec<f64>,
    /// Simulated time per cell.
    time: f64,
    /// Whether unstable motions grow so slowly that the stability limit is far from the cells in
    /// which runs diverge.
    is_slow: bool,
}

impl Grid {
    fn cells(&self) -> usize {
        self.substeps.len() * self.factors.len()
    }

    /// Measures the map of a body. `None` if a run would exceed its budget.
    fn measure(&self, plan: &ReportPlan<'_>, setup: &Setup, count: usize) -> Option<StabilityMap> {
        let Self { substeps, factors, time, is_slow } = self;
        let maximum = plan.share(MAPS);
        let predicting = StabilityTimes::among(count * factors.len()).predicting;
        let predicting = plan.scaled(predicting);
        let each = || plan.extent.add_one((count * self.cells()) as u64);
        if *is_slow {
            let amounts = StabilityTimes { predicting, measuring: maximum };
            return StabilityMap::measure_growth(setup, substeps, factors, *time, amounts, &each);
        }
        let measuring = maximum.times(UNEVEN).shared(self.cells());
        let amounts = StabilityTimes { predicting, measuring };
        StabilityMap::measure(setup, substeps.clone(), factors, *time, amounts, &each)
    }
}

pub(super) fn stability(plan: &ReportPlan<'_>) -> Figures {
    let (mut maps, mut left_out) = (Vec::new(), Vec::new());
    let subjects = plan.subjects();
    let (maximum, count) = (plan.share(MAPS), subjects.len());
    plan.learn_limits();
    for (subject, found) in subjects.into_iter().zip(plan.predictions()) {
        let setup = &*subject.body.setup;
        match grid(plan, setup, *found, maximum) {
            Ok(grid) => match grid.measure(plan, setup, count) {
                Some(map) => {
                    let film = FilmRun::of(setup, plan.film_time(setup), maximum);
                    maps.push((subject, StabilityMap { film, ..map }));
                }
                None => left_out.push((
                    subject.label,
                    "a run with its highest stiffness would exceed the work limit of a run".into(),
                )),
            },
            Err(reason) => left_out.push((subject.label, reason)),
        }
    }
    let spent = plan.options.study_time.map(|time| MAPS.times(budgets::scale(Some(time))));
    Figures {
        studies: stability_figure::study(&maps, spent).into_iter().collect(),
        left_out: grouped("No stability map", left_out),
    }
}

/// Stiffness factors from 1/16 to 16, `halves` half powers of 2 apart.
fn factors(halves: usize) -> Vec<f64> {
    (-8..=8).step_by(halves).map(|i| libm::exp2(f64::from(i) / 2.0)).collect()
}

/// Resolutions of maps, the best first: number of columns, and half powers of 2 between
/// stiffnesses. Columns that extend the map to the scene's own number of substeps are not counted.
const DETAILS: [(usize, usize); 2] = [(25, 1), (13, 2)];

/// Chooses the cells of a body's map.
///
/// # Errors
/// There is no limit to show, or the runs would take too long.
fn grid(
    plan: &ReportPlan<'_>,
    setup: &Setup,
    found: Option<Prediction>,
    share: CoreTime,
) -> Result<Grid, String> {
    if setup.chooses_its_step() {
        return Err("its steps are adaptive".into());
    }
    let found = found.ok_or(match setup.has_known_limit() {
        true => "its method integrates no spring that limits the step",
        false => "a slip changes its stability, so no limit can be predicted",
    })?;
    let step = found.longest_step.unwrap_or(0.0);
    if !step.is_finite() {
        return Err(
            "small motions about the start and the shape at rest are stable at any step".into()
        );
    }
    let period = 2.0 * std::f64::consts::PI / found.highest.omega;
    let film = plan.film_time(setup);
    let middle = setup.frame_time / step;
    let edge = |time: f64| substeps_of_growth(setup, found.highest, time, GROWN_DECADES);
    let [minimum, maximum] = PERIODS.map(|periods| periods * period);
    if edge(film.max(minimum)).is_some_and(|edge| SLOW * edge < middle) {
        return slow_grid(setup, [film.max(minimum), minimum], &edge, share);
    }
    if !middle.is_finite() {
        return Err("it diverges sooner or later at every step size".into());
    }
    let maximum = if plan.options.study_time.is_some() { f64::INFINITY } else { maximum };
    let wanted = film.clamp(minimum, maximum);
    let mut needed = CoreTime { seconds: 0.0 };
    for (columns, halves) in DETAILS {
        let substeps = substeps(setup.substeps as f64, middle, columns);
        if substeps.len() < 2 {
            return Err(format!(
                "one step per frame is only {} times as long as the limit, so every number of \
                 substeps is stable",
                short(middle)
            ));
        }
        let factors = factors(halves);
        let work = |time: f64| work(setup, &substeps, factors.len(), time);
        let affordable = wanted * (1e9 * share.seconds / work(wanted)).min(1.0);
        let time = affordable.max(minimum);
        needed = CoreTime::nanoseconds(work(time));
        if needed.seconds <= 1.1 * share.seconds {
            return Ok(Grid { substeps, factors, time, is_slow: false });
        }
    }
    Err(format!("its runs would take {needed}, more than the limit of {share}"))
}

/// Minimum ratio of the number of substeps that is stable forever to the number that survives the
/// film, for a map around the latter number.
const SLOW: f64 = 4.0;

/// Assumed share of the cells of a slow map that run to their end. The other runs diverge early.
const WHOLE_RUNS: f64 = 0.5;

/// Returns cells around the substeps at which runs diverge within a time. The time is the longest
/// affordable one between `minimum` and `wanted`.
///
/// # Errors
/// The shortest time takes too long.
fn slow_grid(
    setup: &Setup,
    [wanted, minimum]: [f64; 2],
    edge: &dyn Fn(f64) -> Option<f64>,
    share: CoreTime,
) -> Result<Grid, String> {
    let mut needed = CoreTime { seconds: f64::INFINITY };
    let grid = |time: f64, (columns, halves): (usize, usize)| {
        let substeps = slow_substeps(setup.substeps, edge(time)?, columns);
        Some(Grid { substeps, factors: factors(halves), time, is_slow: true })
    };
    let mut affordable = |grid: Grid| {
        let far = 2.0 * edge(grid.time)?;
        let near: Vec<u64> = grid.substeps.iter().copied().filter(|it| *it as f64 <= far).collect();
        let work = WHOLE_RUNS * work(setup, &near, grid.factors.len(), grid.time);
        needed = CoreTime::nanoseconds(work);
        (needed.seconds <= share.seconds).then_some(grid)
    };
    for detail in DETAILS {
        if let Some(grid) = grid(wanted, detail).and_then(&mut affordable) {
            return Ok(grid);
        }
    }
    let [_, coarse] = DETAILS;
    let mut time = wanted;
    while time > minimum {
        time = (time / std::f64::consts::SQRT_2).max(minimum);
        if let Some(grid) = grid(time, coarse).and_then(&mut affordable) {
            return Ok(grid);
        }
    }
    Err(format!("its runs would take {needed}, more than the limit of {share}"))
}

/// Returns numbers of substeps from a sixteenth of the number at the edge to twice that number. The
/// range extends to the scene's own number unless that is very far away.
fn slow_substeps(own: u64, edge: f64, columns: usize) -> Vec<u64> {
    let (low, octaves) = (edge / 16.0, 5.0);
    let step = octaves / (columns - 1) as f64;
    let number = |i: usize| (low * libm::exp2(i as f64 * step)).round().max(1.0) as u64;
    let mut substeps: Vec<u64> = (0..columns).map(number).collect();
    if own as f64 / edge <= FARTHEST && edge / own as f64 <= FARTHEST {
        extend_to(own, &mut substeps);
        // The scene's own run is one of the cells.
        substeps.push(own);
    }
    substeps.sort_unstable();
    substeps.dedup();
    substeps
}

/// Maximum factor between the scene's own number of substeps and the required one, for a map that
/// shows both.
const FARTHEST: f64 = 1024.0;

/// Substeps from a quarter of the required number to four times that number. The range extends to
/// the scene's own number, beyond a factor of 32 in steps of 2, unless it is very far away.
fn substeps(own: f64, middle: f64, columns: usize) -> Vec<u64> {
    let (low, high) = (
        (own / 1.5).clamp(middle / 32.0, middle / 4.0),
        (own * 1.5).clamp(middle * 4.0, middle * 32.0),
    );
    let step = libm::log2(high / low) / (columns - 1) as f64;
    let number = |i: usize| (low * libm::exp2(i as f64 * step)).round().max(1.0) as u64;
    let mut substeps: Vec<u64> = (0..columns).map(number).collect();
    if own / middle <= FARTHEST && middle / own <= FARTHEST {
        extend_to(own as u64, &mut substeps);
    }
    substeps.sort_unstable();
    substeps.dedup();
    substeps
}

/// Adds powers of 2 times the last or the first number, until `own` is within the range.
fn extend_to(own: u64, substeps: &mut Vec<u64>) {
    let [low, high] = [substeps.first(), substeps.last()].map(|end| end.copied().unwrap_or(own));
    let above = std::iter::successors(Some(high), |number| number.checked_mul(2));
    substeps.extend(above.skip(1).take_while(|number| *number < own));
    let below = std::iter::successors(Some(low), |number| Some(number / 2));
    substeps.extend(below.skip(1).take_while(|number| *number > own));
    substeps.extend((own < low || own > high).then_some(own));
}

/// Estimated work of all cells in nanoseconds of one core. Each cell runs whole frames.
fn work(setup: &Setup, substeps: &[u64], rows: usize, time: f64) -> f64 {
    let frames = (time / setup.frame_time).ceil().max(1.0);
    let steps: f64 = substeps.iter().map(|&substeps| substeps as f64).sum();
    frames * steps * rows as f64 * setup.step_cost() as f64
}
