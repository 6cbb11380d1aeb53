//! Events: one-time changes of a body during a simulation, at a time or when a condition holds.
//!
//! An event happens at the end of a step. A timed event happens at the end of the step that reaches
//! its time. For a time of 0 or before, it belongs to the initial state. A conditional event
//! happens at the end of the first step after which its condition holds. Events of one step happen
//! in the order of their list, and each sees the effects of the previous ones.

pub mod action;
pub mod condition;

pub use action::Action;
pub use condition::{Condition, Moment};

use crate::body::{Model, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Trigger of an event.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// At this simulated time.
    At(f64),
    /// When a condition holds at the end of a step.
    When(Arc<dyn Condition>),
}
crate::identity!(
    enum Trigger {
        At(value),
        When(value),
    }
);

/// A one-time change of a body.
#[derive(Clone, Debug)]
pub struct Event {
    /// Trigger of the event.
    pub trigger: Trigger,
    /// Effect of the event.
    pub action: Arc<dyn Action>,
}
crate::identity!(Event { trigger, action });

impl Event {
    /// Creates an event at a time.
    pub fn at(time: f64, action: impl Action + 'static) -> Self {
        Self { trigger: Trigger::At(time), action: Arc::new(action) }
    }

    /// Creates an event for the first step at whose end a condition holds.
    pub fn when(condition: impl Condition + 'static, action: impl Action + 'static) -> Self {
        Self { trigger: Trigger::When(Arc::new(condition)), action: Arc::new(action) }
    }
}

/// A body that actions can change: the simulation, or the plan that checks events before a run.
pub trait Target {
    /// Returns masses and springs. For their current state, see [`Target::is_pinned`] and
    /// [`Target::is_whole`].
    fn model(&self) -> &Model;

    /// Returns the current positions and velocities.
    fn state(&self) -> &State;

    /// Whether a node is currently pinned.
    fn is_pinned(&self, node: usize) -> bool;

    /// Whether a spring is currently unbroken.
    fn is_whole(&self, spring: usize) -> bool;

    /// Unpins a node, which keeps the velocity of its anchor.
    fn release(&mut self, node: usize);

    /// Pins a node: to its curve if the setup has an anchor for it, otherwise at its current
    /// position.
    fn pin(&mut self, node: usize);

    /// Breaks a structural spring, and the shear and bending springs across it.
    fn cut(&mut self, spring: usize);

    /// Creates the event's joint with this rest length, above 0.
    fn join(&mut self, rest_length: f64);

    /// Applies an impulse to a node, in units of mass · length/time.
    fn push(&mut self, node: usize, impulse: [f64; 3]);

    /// Sets the acceleration of gravity.
    fn set_gravity(&mut self, acceleration: &[f64]);

    /// Sets the velocity of the medium.
    fn set_wind(&mut self, velocity: &[f64]);

    /// Sets the speed at which routes pay out rope. Returns whether there is one that can.
    fn set_winch(&mut self, speed: f64) -> bool;

    /// Starts the change of the length of the rope that contains `node`, or of the body's only
    /// rope: to `length` within the time `over`.
    ///
    /// # Errors
    /// The reason why no rope of the body can change its length, as the end of a sentence.
    fn reel(&mut self, node: Option<usize>, length: f64, over: f64) -> Result<(), String>;
}

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
