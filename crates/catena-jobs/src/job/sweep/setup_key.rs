//! Key of a run, by which equal runs are simulated only once.

use catena_analysis::settle::RestRule;
use catena_output::hash::TextHash;
use catena_scene::recorded::Reference;
use catena_sim::Setup;
use std::fmt::Write;

/// SHA-256 of a setup, a rule for rest, a number of frames and a reference. The debug form of a
/// setup contains all of its parts, so two setups with the same key have the same run.
pub(super) fn setup_key(
    setup: &Setup,
    rest: &RestRule,
    frames: u64,
    reference: Option<&Reference>,
) -> [u8; 32] {
    let mut hash = TextHash::default();
    // Writing into a hash cannot fail.
    let _ = write!(hash, "{setup:?} {rest:?} {frames}");
    // Measures may compare equal runs with different motions.
    if let Some(reference) = reference {
        let _ = write!(hash, " {}", reference.motion.identity());
    }
    hash.finish()
}
