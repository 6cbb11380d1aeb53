//! The state in which a body rests.

use super::settle::{Ending, RestRule, settle};
use super::variants::drag_of_rate;
use catena_sim::{Setup, State};
use std::sync::Arc;

/// The state in which a body rests: from the balance of forces if that gives it,
/// otherwise from a run with drag added. Drag changes the way to rest, but not the end unless
/// springs flow or break or there is friction.
///
/// # Errors
/// When that run does not come to rest within `limit` frames and its budget: how it ended.
pub fn rest_state(setup: &Setup, limit: u64) -> Result<State, Ending> {
    if let Some(x) = setup.hanging_chain(setup.link_law()) {
        return Ok(State::at_rest(x));
    }
    let rule = RestRule::for_body(setup, None, None, limit);
    // The critical damping of a pendulum as long as the body, which is about its slowest motion.
    let slowest = (setup.gravity_strength() / setup.model.rest_length()).sqrt();
    let mut slowed = setup.clone();
    slowed.forces.push(Arc::new(drag_of_rate(setup, 2.0 * slowest)));
    let settled = settle(&Arc::new(slowed), rule, &|_| true);
    match settled.ending {
        Ending::AtRest { .. } => Ok(State::at_rest(settled.state.x)),
        ending => Err(ending),
    }
}
