//! Size and estimated cost of a sweep, and the limit on its work.

use crate::job::RunError;
use catena_base::text::number::{compared_durations, counted, duration};
use catena_scene::Limits;
use catena_scene::sweep::Sweep;
use catena_sim::{Bill, Item};
use catena_study::sweep::deal::Deal;
use catena_study::sweep::estimate::{estimate, quick_estimate};
use catena_study::sweep::measure::{Measure, Shape, measures};

/// Size and estimated cost of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPlan {
    /// Number of variants. Excluded variants are counted only if there are too many to check each
    /// of them.
    pub variants: u64,
    /// Whether `variants` includes excluded variants.
    pub counts_all: bool,
    /// Rows per variant.
    pub rows_each: u64,
    /// Frames per variant.
    pub frames: u64,
    /// Names of the columns of measures.
    pub columns: Vec<String>,
    /// Estimated work in nanoseconds of one core, including measures and the start of one process.
    pub work: u128,
    /// Whether the work may exceed the estimate: methods iterate to convergence or divide steps, or
    /// nodes touch.
    pub is_open: bool,
    /// Number of bunches, which is the maximum number of shards with work.
    pub bunches: u64,
}

/// Maximum number of variants that are checked one by one.
const MAX_COUNTED: u64 = 1_000_000;

/// Estimates the size and cost of a sweep.
///
/// # Errors
/// A measure does not exist.
pub fn plan_sweep(sweep: &Sweep) -> Result<SweepPlan, RunError> {
    let (base, frames) = sweep.example()?;
    let shape = Shape::new(sweep, &base, frames);
    let measures: Vec<Box<dyn Measure>> = measures(&sweep.measures, shape)?;
    let deal = Deal::new(sweep);
    let (variants, counts_all) = kept(sweep);
    let estimated = estimate(sweep, &deal, &measures, variants, frames);
    let columns = measures.iter().flat_map(|measure| measure.columns(shape));
    Ok(SweepPlan {
        variants,
        counts_all,
        rows_each: base.panels.iter().map(|panel| panel.bodies.len() as u64).sum(),
        frames,
        columns: columns.map(|column| column.name).collect(),
        work: estimated.work.saturating_add(start_work()),
        is_open: estimated.is_open,
        bunches: deal.count(),
    })
}

/// Number of variants without excluded ones, and whether excluded variants are counted after all.
pub(super) fn kept(sweep: &Sweep) -> (u64, bool) {
    let is_kept = |number: &u64| !sweep.leaves_out(&sweep.variant(*number));
    match sweep.variants() > MAX_COUNTED {
        true => (sweep.variants(), true),
        false => ((0..sweep.variants()).filter(is_kept).count() as u64, false),
    }
}

/// Nanoseconds per minute.
const MINUTE: u128 = 60_000_000_000;

/// Maximum factor between a sweep's quick estimate and its work.
const SLACK: u128 = 4;

/// Value of `--minutes` that allows a sweep with this work.
fn minutes_for(work: u128, limits: &Limits) -> u128 {
    let runs = (limits.sweep_work() / limits.work.max(1)).max(1);
    work.div_ceil(runs).div_ceil(MINUTE)
}

/// Estimated time of a sweep, and the advice if it exceeds the limit.
pub struct SweepTime {
    /// Time of one core, with enough digits to tell it from the limit.
    pub text: String,
    /// Description of the limit and of options that raise it. `None` if the work is within it.
    pub excess: Option<String>,
}

/// Describes the estimated work of a sweep, in nanoseconds of one core.
pub fn sweep_time(work: u128, limits: &Limits) -> SweepTime {
    let [text, maximum] = compared_durations([work, limits.sweep_work()]);
    let minutes = minutes_for(work, limits);
    let excess = (work > limits.sweep_work()).then(|| {
        format!(
            "the limit of a sweep or shard is {maximum}; --minutes {minutes} allows it, and --unlimited lifts this limit",
        )
    });
    SweepTime { text, excess }
}

/// Work of the start of a process, in nanoseconds of one core.
pub(in crate::job) fn start_work() -> u128 {
    Bill::of(Item::Process, 1).nanoseconds()
}

/// Returns an error if the estimated work of a sweep, or of some of its bunches, exceeds the limit.
pub(super) fn check_work(
    sweep: &Sweep,
    deal: &Deal,
    measures: &[Box<dyn Measure>],
    frames: u64,
    bunches: u64,
    limits: &Limits,
) -> Result<(), RunError> {
    let share = |work: u128| work.saturating_mul(bunches.into()) / u128::from(deal.count().max(1));
    let quick = share(quick_estimate(sweep, deal, measures, frames));
    if quick.saturating_mul(SLACK).saturating_add(start_work()) <= limits.sweep_work() {
        return Ok(());
    }
    let (variants, _) = kept(sweep);
    let all = estimate(sweep, deal, measures, variants, frames).work;
    let SweepTime { text, excess } = sweep_time(share(all).saturating_add(start_work()), limits);
    let Some(words) = excess else { return Ok(()) };
    let what = match bunches < deal.count() {
        true => "this shard".into(),
        false => counted(variants, "variant"),
    };
    Err(RunError::Exhausted(format!(
        "{}: {what} would take about {text} of CPU time; {words}\n  \
         help: use fewer variants, lower `frames`, or divide the sweep with --shard I/N; --plan estimates the cost of a sweep",
        sweep.origin,
    )))
}

/// Error of a sweep whose methods took more work than could be predicted.
pub(super) fn exhausted(sweep: &Sweep, limits: &Limits) -> RunError {
    let maximum = duration(limits.sweep_work());
    RunError::Exhausted(format!(
        "{}: this sweep takes more CPU time than estimated, and more than {maximum}, because methods \
        divide steps or iterate, or nodes touch\n  \
         help: raise tolerances, use fewer variants, or divide the sweep with --shard I/N; a \
         higher --minutes allows more, and --unlimited lifts this limit",
        sweep.origin
    ))
}
