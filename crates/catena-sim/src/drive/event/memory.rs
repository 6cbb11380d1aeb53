//! Effects of events on a body, for checkpoints.

use serde::{Deserialize, Serialize};

/// A record of an event that has happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// Index in the list of events.
    pub event: usize,
    /// Number of steps from the start until the event; 0 in the initial state.
    pub step: u64,
    /// Affected nodes; empty for an event that affects the whole body.
    pub nodes: Vec<usize>,
    /// Mean position of the affected nodes at the time of the event; `None` if there are none.
    pub at: Option<[f64; 3]>,
    /// Reason why the event had no effect; `None` if it had one.
    pub nothing: Option<String>,
}

/// A change of a rope's length by an event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reeled {
    /// Index of the rope in the setup's list of changing lengths.
    pub rope: usize,
    /// Time of the event, and time at which the change ends.
    pub times: [f64; 2],
    /// Lengths at both times.
    pub lengths: [f64; 2],
}

/// All changes by events so far. The default is a body without events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventMemory {
    /// Events that have happened, in chronological order.
    pub happened: Vec<Happened>,
    /// Whether each node is pinned; empty while no event has changed the pins.
    pub pinned: Vec<bool>,
    /// Acceleration of gravity; `None` until an event changes it.
    pub gravity: Option<Vec<f64>>,
    /// Velocity of the medium; `None` until an event changes it.
    pub wind: Option<Vec<f64>>,
    /// Speed at which routes pay out rope; `None` until an event changes it.
    #[serde(default)]
    pub winch: Option<f64>,
    /// Changes of rope lengths: the last of each rope.
    #[serde(default)]
    pub reels: Vec<Reeled>,
    /// Rest lengths of joints made by events, by spring index.
    pub joints: Vec<(usize, f64)>,
}
