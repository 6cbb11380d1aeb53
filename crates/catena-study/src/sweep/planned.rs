//! Plan of the measuring of a sweep, from which its cost is estimated.

use catena_analysis::settle::RestRule;
use catena_sim::Setup;
use std::sync::Arc;

/// Planned run of a body, as the basis for cost estimates of measures.
pub struct PlannedMeasuring<'a> {
    /// Initial setup.
    pub setup: &'a Arc<Setup>,
    /// Rule for a body at rest.
    pub rest: RestRule,
    /// Number of frames.
    pub frames: u64,
    /// Number of frames without divergence, as far as known.
    pub in_order: u64,
    /// Estimated nanoseconds per frame: simulated in a bunch of similar variants, and individually.
    pub a_frame: [u128; 2],
}
