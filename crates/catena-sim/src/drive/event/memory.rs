//! What events have done to a body, for checkpoints.

use serde::{Deserialize, Serialize};

/// An event that has happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// Its number in the list of events.
    pub event: usize,
    /// The step, counted from the start, at whose end it happened; 0 in the initial state.
    pub step: u64,
    /// The nodes at which it happened; none where it happened to the whole body.
    pub nodes: Vec<usize>,
    /// The mean of their positions then; `None` without nodes.
    pub at: Option<[f64; 3]>,
    /// Why it changed nothing, if it did not.
    pub nothing: Option<String>,
}

/// All that events have changed so far. The default is a body to which nothing has happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventMemory {
    /// Events that have happened, in their order in time.
    pub happened: Vec<Happened>,
    /// Whether each node is pinned; empty as long as the pins are those of the setup.
    pub pinned: Vec<bool>,
    /// The acceleration of gravity, once it was changed.
    pub gravity: Option<Vec<f64>>,
    /// The velocity of the medium, once it was changed.
    pub wind: Option<Vec<f64>>,
    /// Rest lengths of joints that have been made, by spring.
    pub joints: Vec<(usize, f64)>,
}
