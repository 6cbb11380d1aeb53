//! What the runs behind figures may take: nanoseconds of one core, as [`Setup::step_cost`] counts them. No clock is read, so a
//! figure is the same on every machine; what ends by its budget is said in words.

use crate::sim::Setup;
use crate::text::number::short;

/// One run until rest: of a body at rest, or of one variant.
pub(super) const REST: u128 = 2_400_000_000;
/// All cells of a map of stability.
pub(super) const MAP: u128 = 20_000_000_000;
/// A run of the whole film, frame by frame.
pub(super) const FILM: u128 = 20_000_000_000;

/// How many of a run's frames are within a budget.
pub(super) fn frames(setup: &Setup, wanted: u64, budget: u128) -> u64 {
    let affordable = budget / setup.frame_cost().max(1);
    wanted.min(u64::try_from(affordable).unwrap_or(u64::MAX))
}

/// So much, for people.
pub(super) fn words(nanoseconds: f64) -> String {
    format!("{} s of one core", short(1e-9 * nanoseconds))
}
