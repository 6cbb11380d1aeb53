//! Stability map: the choice of its cells, and a check against its budget.

use super::{
    budgets::{self, MAPS},
    plan::{Figures, ReportPlan},
    studies::grouped,
};
use catena_analysis::{
    budget::CoreTime,
    stability::{
        StabilityTimes,
        map::{FilmRun, StabilityMap},
        predict::Prediction,
    },
};
use catena_base::text::number::short;
use catena_sim::Setup;
use catena_study::figure::findings::{Fact, LimitFacts};
use catena_study::figure::study::{Subject, stability as stability_figure};

/// Minimum and maximum time that a cell must survive, in periods of the highest mode. In between,
/// the duration of the film counts. A study time that the user chooses knows no maximum.
const PERIODS: [f64; 2] = [20.0, 300.0];

/// Maximum cost of a cell relative to the average, since cells with many substeps cost more.
const UNEVEN: f64 = 8.0;

/// Cells of a map.
struct Grid {
    substeps: Vec<u64>,
    factors: Vec<f64>,
    /// Simulated time per cell.
    time: f64,
}

pub(super) fn stability(plan: &ReportPlan<'_>) -> Figures {
    let (mut maps, mut left_out) = (Vec::new(), Vec::new());
    let subjects = plan.subjects();
    let (most, count) = (plan.share(MAPS), subjects.len() as u64);
    for (index, (subject, found)) in subjects.into_iter().zip(plan.predictions()).enumerate() {
        let body = subject.body;
        if let Some(found) = found.filter(|_| !body.setup.chooses_its_step()) {
            plan.learn(Fact::Limit(index, LimitFacts::new(&body.setup, &found)));
        }
        match grid(plan, &subject, *found, most) {
            Ok(Grid { substeps, factors, time }) => {
                let cell = most.times(UNEVEN).shared(substeps.len() * factors.len());
                let predicting = StabilityTimes::among(count as usize * factors.len()).predicting;
                let predicting = plan.scaled(predicting);
                let amounts = StabilityTimes { predicting, measuring: cell };
                let all = count * (substeps.len() * factors.len()) as u64;
                let each = || plan.extent.add_one(all);
                match StabilityMap::measure(&body.setup, substeps, &factors, time, amounts, &each) {
                    Some(map) => {
                        let film = plan.film_time(&body.setup);
                        let film = FilmRun::of(&body.setup, film, most);
                        maps.push((subject, StabilityMap { film, ..map }));
                    }
                    None => left_out.push((
                        subject.label,
                        "a run of its stiffest body would take more than one run may".into(),
                    )),
                }
            }
            Err(reason) => left_out.push((subject.label, reason)),
        }
    }
    let spent = MAPS.times(budgets::scale(plan.options.study_time));
    Figures {
        studies: stability_figure::study(&maps, spent).into_iter().collect(),
        left_out: grouped("No map of stability", left_out),
    }
}

/// Chooses the cells of a body's map.
///
/// # Errors
/// There is no limit to show, or the runs would take too long.
fn grid(
    plan: &ReportPlan<'_>,
    subject: &Subject<'_>,
    found: Option<Prediction>,
    share: CoreTime,
) -> Result<Grid, String> {
    let body = subject.body;
    let setup = &*body.setup;
    if setup.chooses_its_step() {
        return Err("the step is chosen as it runs".into());
    }
    let found = found.ok_or("no spring that is integrated limits its step")?;
    let step = found.longest_step.ok_or("every step is lost sooner or later")?;
    if !step.is_finite() {
        return Err(
            "small motions about the start and the shape at rest are stable at any step".into()
        );
    }
    let middle = setup.frame_time / step;
    let substeps = substeps(setup.substeps as f64, middle);
    if substeps.len() < 2 {
        return Err(format!(
            "one step a frame is {} times as long as the limit, so every number of them is stable",
            short(middle)
        ));
    }
    // Stiffness factors from 1/16 to 16. The limit depends on their square root.
    let factors: Vec<f64> = (-8..=8).map(|i| libm::exp2(f64::from(i) / 2.0)).collect();
    let period = 2.0 * std::f64::consts::PI / found.highest.omega;
    let [least, most] = PERIODS.map(|periods| periods * period);
    let most = if plan.options.study_time.is_some() { f64::INFINITY } else { most };
    let wanted = plan.film_time(setup).clamp(least, most);
    let work = |time: f64| work(setup, &substeps, factors.len(), time);
    let affordable = wanted * (1e9 * share.seconds / work(wanted)).min(1.0);
    let time = affordable.max(least);
    let needed = CoreTime::nanoseconds(work(time));
    if needed.seconds > 1.1 * share.seconds {
        return Err(format!("its runs would take {needed}, more than {share}"));
    }
    Ok(Grid { substeps, factors, time })
}

/// Maximum factor between the scene's own number of substeps and the required one, for a map that
/// shows both.
const FARTHEST: f64 = 1024.0;

/// Substeps from a quarter of the required number to four times that number. The range extends to
/// the scene's own number, beyond a factor of 32 in steps of 2, unless it is very far away.
fn substeps(own: f64, middle: f64) -> Vec<u64> {
    let (low, high) = (
        (own / 1.5).clamp(middle / 32.0, middle / 4.0),
        (own * 1.5).clamp(middle * 4.0, middle * 32.0),
    );
    let step = libm::log2(high / low) / 24.0;
    let mut substeps: Vec<u64> =
        (0..=24).map(|i| (low * libm::exp2(f64::from(i) * step)).round().max(1.0) as u64).collect();
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
