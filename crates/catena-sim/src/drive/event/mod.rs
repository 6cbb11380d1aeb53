//! Events: what happens once to a body while it is simulated, at a time or when something holds.
//!
//! An event happens at the end of a step: one with a time at the end of the step that reaches it
//! (at time 0 or before, in the initial state), one with a condition at the end of the first step
//! after which it holds. Events of one step happen in the order of their list, and each sees what
//! those before it did.

pub mod action;
pub mod condition;
mod memory;
mod target;

pub use action::Action;
pub use condition::{Condition, Moment};
pub use memory::{EventMemory, Happened};
pub use target::Target;

use std::sync::Arc;

/// What starts an event.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// A time.
    At(f64),
    /// A condition, judged at the ends of steps.
    When(Arc<dyn Condition>),
}

/// Something that happens once.
#[derive(Clone, Debug)]
pub struct Event {
    /// What starts it.
    pub trigger: Trigger,
    /// What it does.
    pub action: Arc<dyn Action>,
}

impl Event {
    /// At a time.
    pub fn at(time: f64, action: impl Action + 'static) -> Self {
        Self { trigger: Trigger::At(time), action: Arc::new(action) }
    }

    /// When a condition holds at the end of a step for the first time.
    pub fn when(condition: impl Condition + 'static, action: impl Action + 'static) -> Self {
        Self { trigger: Trigger::When(Arc::new(condition)), action: Arc::new(action) }
    }
}
