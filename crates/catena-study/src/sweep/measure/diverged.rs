//! Measures: whether and when a run diverged, and whether and when it came to rest.

use super::{Ended, Measure, Measuring, PlannedMeasuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_analysis::settle::{Ending, Settled, settle, settle_all};
use catena_sim::{Outcome, Setup};
use std::sync::Arc;

/// Measure of divergence, which needs no state.
pub(super) struct DivergedMeasure;

impl Measure for DivergedMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        ["diverged_frame", "diverged_step"].map(Column::whole).to_vec()
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(Self)
    }
}

impl Measuring for DivergedMeasure {
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        match end.simulation.outcome() {
            Outcome::Diverged { frame, step } => vec![Value::Whole(frame), Value::Whole(step)],
            Outcome::Fine => vec![Value::None; 2],
        }
    }
}

/// Measure of settling. Runs the body again, up to the limit of its rest rule instead of the last
/// frame.
pub(super) struct SettledMeasure;

/// Maximum estimated nanoseconds of a trial run before the sweep, which finds out when the body
/// comes to rest.
const MAX_TRIED: u64 = 60_000_000;

impl Measure for SettledMeasure {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        vec![Column::whole("settled_frame")]
    }

    fn begin(&self, _setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(Self)
    }

    /// Work of the measurement and of this estimate, in nanoseconds. A trial run counts the frames
    /// until rest or divergence; if it ends before, the limit of the rest counts.
    fn work(&self, run: &PlannedMeasuring<'_>) -> [u128; 2] {
        let price = run.setup.frame_cost().max(1);
        let maximum = (u128::from(MAX_TRIED) / price) as u64;
        let frames = match settle(run.setup, run.rest, &|it| it.frame() < maximum).ending {
            Ending::AtRest { frame } => frame + run.rest.frames,
            Ending::Diverged { frame } => frame,
            Ending::Moving { .. } => run.rest.limit,
        };
        let took = price.saturating_mul(frames.min(maximum.max(1)).into());
        [run.a_frame.together.saturating_mul(frames.into()), took]
    }

    fn values(&self, runs: &mut [Ended<'_>]) -> Vec<Vec<Value>> {
        let subjects: Vec<_> =
            runs.iter().map(|run| (Arc::clone(run.end.setup), run.end.rest)).collect();
        settle_all(&subjects).iter().map(values_of).collect()
    }
}

impl Measuring for SettledMeasure {
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        values_of(&settle(end.setup, end.rest, &|_| true))
    }
}

/// Values of a run to rest.
fn values_of(settled: &Settled) -> Vec<Value> {
    let frame = match settled.ending {
        Ending::AtRest { frame } => Some(frame),
        Ending::Moving { .. } | Ending::Diverged { .. } => None,
    };
    vec![Value::whole(frame)]
}
