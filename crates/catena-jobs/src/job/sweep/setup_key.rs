//! Key of a run, by which equal runs are simulated only once.

use catena_analysis::settle::RestRule;
use catena_output::hash::ByteHash;
use catena_scene::recorded::Reference;
use catena_sim::Setup;
use catena_sim::identity::identify;

/// SHA-256 of a setup, a rule for rest, a number of frames and a reference. Two setups with the
/// same key have the same run, because the identity of a setup contains all of its parts.
pub(super) fn setup_key(
    setup: &Setup,
    rest: &RestRule,
    frames: u64,
    reference: Option<&Reference>,
) -> [u8; 32] {
    let mut hash = ByteHash::default();
    // Equal runs may have different reference motions.
    let motion = reference.map(|reference| reference.motion.identity());
    identify(&(setup, rest, frames, motion), &mut |bytes| hash.update(bytes));
    hash.finish()
}
