//! Events of a scene: one-time actions on a body, at a time or when a condition holds.

use super::choice::{Actions, Choice, Conditions};
use super::diagnostic::Fault;
use super::error::SceneError;
use super::grammar::Grammar;
use super::layered::FieldValue;
use super::stack::{Stack, refuse};
use super::values::NonNegative;
use crate::entry::Entry;
use catena_sim::{
    Model,
    drive::event::{Event, Trigger},
};
use serde::Deserialize;

/// Maximum number of events of a body.
const MAX_EVENTS: usize = 1000;

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
    /// Returns the length of its actions and conditions in bytes, and the number of entries.
    pub(super) fn length(&self) -> (usize, usize) {
        let text = |entry: &EventEntry| {
            entry.r#do.length() + entry.when.as_ref().map_or(0, Choice::length)
        };
        (self.0.iter().map(text).sum(), self.0.len())
    }

    /// Reads the events for a body of this model.
    ///
    /// # Errors
    /// Returns an error at the first event that names something the body does not have.
    pub(super) fn of(&self, stack: &Stack<'_>, model: &Model) -> Result<Vec<Event>, SceneError> {
        if self.0.len() > MAX_EVENTS {
            let fault = Fault::new(format!("{} events are more than {MAX_EVENTS}", self.0.len()));
            return Err(refuse(stack, "events", fault.help("leave some out")));
        }
        let parts = model.part_list();
        let event = |(index, entry): (usize, &EventEntry)| {
            let path = format!("events[{index}]");
            let trigger = match (&entry.at, &entry.when) {
                (Some(at), None) => Trigger::At(at.0),
                (None, Some(when)) => {
                    let refused = |fault| refuse(stack, &format!("{path}.when"), fault);
                    Trigger::When(when.read_of(model, &parts).map_err(refused)?.into())
                }
                (at, _) => {
                    let what = if at.is_some() { "both a time and" } else { "neither a time nor" };
                    let fault = Fault::new(format!("the event has {what} a condition"));
                    return Err(refuse(stack, &path, fault.help("set either `at` or `when`")));
                }
            };
            let refused = |fault| refuse(stack, &format!("{path}.do"), fault);
            let action = entry.r#do.read_of(model, &parts).map_err(refused)?.into();
            Ok(Event { trigger, action })
        };
        self.0.iter().enumerate().map(event).collect()
    }
}
