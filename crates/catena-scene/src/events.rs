//! Events of a scene: one-time actions on a body, at a time or when a condition becomes true.

use super::choice::{Actions, Choice, Conditions};
use super::diagnostic::Fault;
use super::grammar::Grammar;
use super::layered::FieldValue;
use super::values::NonNegative;
use crate::entry::Entry;
use serde::Deserialize;

entry! {
    /// Event of a body.
    pub struct EventEntry {
        /// Time of the event.
        #[serde(default)]
        pub at: Option<NonNegative>,
        /// Condition of the event, instead of a time.
        #[serde(default)]
        pub when: Option<Choice<Conditions>>,
        /// Action of the event.
        pub r#do: Choice<Actions>,
    }
}

/// Events of a body.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct EventList(pub Vec<EventEntry>);

impl FieldValue for EventList {
    fn grammar() -> Grammar {
        Grammar::List(EventEntry::inside)
    }

    fn expected() -> String {
        "a list of (at: time, do: …) and (when: …, do: …), the actions and conditions listed by `catena methods`".into()
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, EventEntry { when, r#do: action, .. }) in self.0.iter().enumerate() {
            if let Some(Err(fault)) = when.as_ref().map(Choice::check) {
                faults.push((format!("{path}[{index}].when"), fault));
            }
            if let Err(fault) = action.check() {
                faults.push((format!("{path}[{index}].do"), fault));
            }
        }
    }
}

impl EventList {
    /// Returns the text length of all actions and conditions in bytes, and the number of entries.
    pub(super) fn length(&self) -> (usize, usize) {
        let text = |entry: &EventEntry| {
            entry.r#do.length() + entry.when.as_ref().map_or(0, Choice::length)
        };
        (self.0.iter().map(text).sum(), self.0.len())
    }
}
