//! Outcomes of the bodies of a scene.

use catena_analysis::settle::Ending;

/// Outcome of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyOutcome {
    /// Label of the body in pictures and messages.
    pub label: String,
    /// Final state if known, from the steady-state comparison or because the body diverged.
    pub ending: Option<Ending>,
    /// Frame at which the body diverged, if it did so by the last requested frame.
    pub diverged: Option<u64>,
    /// Number of unconverged steps up to the divergence or the last requested frame.
    pub unconverged: u64,
    /// Times at which each route first reached its stop, and at which its winch first slipped.
    pub route_stops: Vec<[Option<f64>; 2]>,
    /// Distance of the farthest node from the solved rest, in the frame of `ending`. `None` if the
    /// rest was not solved.
    pub from_solved: Option<f64>,
}
