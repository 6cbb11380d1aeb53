//! Events of one body: from the entries of a scene to events of a simulation.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::events::{EventEntry, EventList};
use super::schema::Settings;
use super::stack::{Stack, refuse};
use catena_sim::Model;
use catena_sim::drive::event::{Event, Trigger};

/// Maximum number of events of a body.
const MAX_EVENTS: usize = 1000;

/// Reads the events of a body of this model.
///
/// # Errors
/// Returns an error at the first event that names something the body does not have.
pub(super) fn events(
    stack: &Stack<'_>,
    settings: &Settings,
    model: &Model,
) -> Result<Vec<Event>, SceneError> {
    let Some(EventList(entries)) = &settings.events else { return Ok(Vec::new()) };
    if entries.len() > MAX_EVENTS {
        let fault =
            Fault::new(format!("{} events are more than the limit of {MAX_EVENTS}", entries.len()));
        return Err(refuse(stack, "events", fault.help("remove some of them")));
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
    entries.iter().enumerate().map(event).collect()
}
