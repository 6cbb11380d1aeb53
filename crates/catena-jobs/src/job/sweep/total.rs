//! The limit on the work of a whole sweep, or of a shard of one.

use super::plan::kept;
use crate::job::RunError;
use catena_base::text::number::{counted, duration};
use catena_scene::{Limits, sweep::Sweep};
use catena_study::sweep::{
    deal::Deal,
    estimate::{estimate, quick_estimate},
    measure::Measure,
};

/// Nanoseconds of a minute.
const MINUTE: u128 = 60_000_000_000;

/// Factor between a sweep's quick estimate and its work, at most.
const SLACK: u128 = 4;

/// Minutes to allow with `--minutes`, so that a sweep may take this work.
fn minutes_for(work: u128, limits: &Limits) -> u128 {
    let runs = (limits.sweep_work() / limits.work.max(1)).max(1);
    work.div_ceil(runs).div_ceil(MINUTE)
}

/// Words of a sweep whose work is above the limit; `None` where it is within.
pub fn excess(work: u128, limits: &Limits) -> Option<String> {
    let most = limits.sweep_work();
    let minutes = minutes_for(work, limits);
    (work > most).then(|| {
        format!(
            "the limit of a sweep or shard is {}; --minutes {minutes} allows it, and --unlimited lifts this limit",
            duration(most)
        )
    })
}

/// Refuses a sweep, or a number of its bunches, whose estimated work is above the limit.
pub(super) fn check(
    (sweep, deal): (&Sweep, &Deal),
    measures: &[Box<dyn Measure>],
    (frames, bunches): (u64, u64),
    limits: &Limits,
) -> Result<(), RunError> {
    let share = |work: u128| work.saturating_mul(bunches.into()) / u128::from(deal.count().max(1));
    let quick = share(quick_estimate(sweep, deal, measures, frames));
    if quick.saturating_mul(SLACK) <= limits.sweep_work() {
        return Ok(());
    }
    let (variants, _) = kept(sweep);
    let all = estimate(sweep, deal, measures, variants, frames).work;
    let Some(words) = excess(share(all), limits) else { return Ok(()) };
    let what = match bunches < deal.count() {
        true => "this shard".into(),
        false => counted(variants, "variant"),
    };
    Err(RunError::Exhausted(format!(
        "{}: {what} would take about {} of one core; {words}\n  \
         help: vary less, lower `frames`, or divide the sweep with --shard I/N; --plan says what a sweep takes",
        sweep.origin,
        duration(share(all))
    )))
}

/// The error of a sweep whose methods took more than could be known before.
pub(super) fn exhausted(sweep: &Sweep, limits: &Limits) -> RunError {
    let most = duration(limits.sweep_work());
    RunError::Exhausted(format!(
        "{}: beyond its estimate this sweep takes more than {most} of one core, since methods divide steps or iterate, or nodes touch\n  \
         help: raise tolerances, vary less, or divide the sweep with --shard I/N; more --minutes allow it, and --unlimited lifts this limit",
        sweep.origin
    ))
}
