//! Key of a run, by which equal runs are simulated only once.

use catena_analysis::settle::RestRule;
use catena_output::hash::TextHash;
use catena_sim::Setup;
use std::fmt::Write;

/// SHA-256 of a setup, a rule for rest and a number of frames. The debug form of a setup contains
/// all of its parts, so two setups with the same key have the same run.
pub(super) fn setup_key(setup: &Setup, rest: &RestRule, frames: u64) -> [u8; 32] {
    let mut hash = TextHash::default();
    // Writing into a hash cannot fail.
    let _ = write!(hash, "{setup:?} {rest:?} {frames}");
    hash.finish()
}
