//! Size and estimated cost of a sweep.

use crate::job::RunError;
use catena_scene::sweep::Sweep;
use catena_study::sweep::{
    deal::Deal,
    estimate::estimate,
    measure::{Measure, Shape, measures},
};

/// Size and estimated cost of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPlan {
    /// Number of variants. Excluded ones count only if there are too many to check each.
    pub variants: u64,
    /// Whether `variants` includes excluded variants.
    pub counts_all: bool,
    /// Rows per variant.
    pub rows_each: u64,
    /// Frames per variant.
    pub frames: u64,
    /// Names of the columns of measures.
    pub columns: Vec<String>,
    /// Estimated work in nanoseconds of one core, including measures.
    pub work: u128,
    /// Whether the work may exceed the estimate: methods iterate to convergence or divide steps, or
    /// nodes touch.
    pub is_open: bool,
    /// Number of bunches, which is the maximum number of shards with work.
    pub bunches: u64,
}

/// Maximum number of variants that are checked one by one.
const MOST_COUNTED: u64 = 1_000_000;

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
    let estimated = estimate((sweep, &deal), &measures, (variants, frames));
    let columns = measures.iter().flat_map(|measure| measure.columns(shape));
    Ok(SweepPlan {
        variants,
        counts_all,
        rows_each: base.panels.iter().map(|panel| panel.bodies.len() as u64).sum(),
        frames,
        columns: columns.map(|column| column.name).collect(),
        work: estimated.work,
        is_open: estimated.is_open,
        bunches: deal.count(),
    })
}

/// Number of variants that are kept, and whether it includes excluded variants.
pub(super) fn kept(sweep: &Sweep) -> (u64, bool) {
    let is_kept = |number: &u64| !sweep.leaves_out(&sweep.variant(*number));
    match sweep.variants() > MOST_COUNTED {
        true => (sweep.variants(), true),
        false => ((0..sweep.variants()).filter(is_kept).count() as u64, false),
    }
}
