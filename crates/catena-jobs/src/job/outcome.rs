//! What became of the bodies of a scene.

use catena_analysis::settle::Ending;

/// What became of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyOutcome {
    /// What pictures and messages call it.
    pub label: String,
    /// How it ended, where that is known: by the steady-state comparison, or because it diverged.
    pub ending: Option<Ending>,
    /// The frame at which it diverged, up to the last frame that was asked for.
    pub diverged: Option<u64>,
    /// How many steps did not converge up to that frame.
    pub unconverged: u64,
}
