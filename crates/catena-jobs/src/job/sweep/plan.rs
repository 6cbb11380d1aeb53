//! What a sweep would make and take, before it is made.

use crate::job::RunError;
use catena_scene::sweep::Sweep;
use catena_study::sweep::{
    deal::Deal,
    estimate::estimate,
    measure::{Measure, Shape, measures},
};

/// A sweep before it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPlan {
    /// Variants, those left out not counted where there are few enough to look at each.
    pub variants: u64,
    /// Whether `variants` counts those that are left out as well.
    pub counts_all: bool,
    /// Rows of a variant.
    pub rows_each: u64,
    /// Frames of a variant.
    pub frames: u64,
    /// The names of the columns that measures make.
    pub columns: Vec<String>,
    /// Estimated nanoseconds of one core, measures included.
    pub work: u128,
    /// Whether it may be more: methods iterate until something is exact or divide steps, or nodes
    /// touch.
    pub is_open: bool,
    /// Bunches, which is the most shards that have something to do.
    pub bunches: u64,
}

/// More variants than these are not looked at one by one.
const MOST_COUNTED: u64 = 1_000_000;

/// Says what a sweep would make and take.
///
/// # Errors
/// When a measure does not exist.
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
        work: estimated.work,
        is_open: estimated.is_open,
        bunches: deal.count(),
    })
}

/// Number of variants that are kept, and whether it counts excluded variants too.
pub(super) fn kept(sweep: &Sweep) -> (u64, bool) {
    let is_kept = |number: &u64| !sweep.leaves_out(&sweep.variant(*number));
    match sweep.variants() > MOST_COUNTED {
        true => (sweep.variants(), true),
        false => ((0..sweep.variants()).filter(is_kept).count() as u64, false),
    }
}
