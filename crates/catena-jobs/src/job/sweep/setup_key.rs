//! The key of a run: equal runs are made once.

use catena_analysis::settle::RestRule;
use catena_output::hash::TextHash;
use catena_sim::Setup;
use std::fmt::Write;

/// SHA-256 of all numbers of a setup, of its rest, and of its frames. Every part of a setup prints
/// all that it is, so two setups have one key only if their runs are the same.
pub(super) fn setup_key(setup: &Setup, rest: &RestRule, frames: u64) -> [u8; 32] {
    let mut hash = TextHash::default();
    // Hashing cannot fail.
    let _ = write!(hash, "{setup:?} {rest:?} {frames}");
    hash.finish()
}
