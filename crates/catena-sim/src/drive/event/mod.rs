//! Events: one-time changes of a body during a simulation, at a time or when a condition holds.
//!
//! An event happens at the end of a step. A timed event happens at the end of the step that reaches
//! its time. For a time of 0 or before, it belongs to the initial state. A conditional event
//! happens at the end of the first step after which its condition holds. Events of one step happen
//! in the order of their list, and each sees the effects of the previous ones.

pub mod action;
pub mod condition;
mod memory;
mod target;

pub use action::Action;
pub use condition::{Condition, Moment};
pub use memory::{EventMemory, Happened, Reeled};
pub use target::Target;

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
