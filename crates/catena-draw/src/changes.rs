//! Changes that events made to a body and that a frame shows.

use catena_sim::Simulation;
use serde::{Deserialize, Serialize};

/// Number of frames for which a mark is shown.
pub(crate) const SHOWN: u64 = 30;

/// Changes that events have made to a body, as shown in a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyChanges {
    /// Whether each node is pinned. Empty until an event changes the pins of the setup.
    pub pinned: Vec<bool>,
    /// Number of joints made by events. They are the last springs.
    pub joints: usize,
    /// Marks of recent events.
    pub marks: Vec<EventMark>,
}

/// A mark around the place of an event.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventMark {
    /// Position; z is 0 in the plane.
    pub at: [f64; 3],
    /// Number of frames since the event, below `SHOWN`.
    pub age: u64,
}

impl BodyChanges {
    /// No changes.
    pub const NONE: Self = Self { pinned: Vec::new(), joints: 0, marks: Vec::new() };

    /// Changes made by the events of a run so far.
    pub fn of(simulation: &Simulation) -> Self {
        let (memory, setup) = (simulation.events(), simulation.setup());
        let marks = memory.happened.iter().filter_map(|happened| {
            let age = simulation.frame().saturating_sub(happened.step.div_ceil(setup.substeps));
            Some(EventMark { at: happened.at?, age }).filter(|mark| mark.age < SHOWN)
        });
        let pinned = memory.pinned.clone();
        Self { pinned, joints: setup.joints(), marks: marks.collect() }
    }
}
