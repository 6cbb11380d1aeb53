//! Finds the rest state of a body.

use super::settle::{Ending, RestRule, settle};
use super::variants::drag_of_rate;
use catena_sim::{Setup, State};
use std::sync::Arc;

/// Finds the rest state of a body: from the balance of forces if possible, otherwise from a run
/// with added drag. Drag changes the path to rest. It changes the rest state only if springs flow
/// or break, or there is friction.
///
/// # Errors
/// Outcome of the run, if it does not come to rest within `limit` frames and its budget.
pub fn rest_state(setup: &Setup, limit: u64) -> Result<State, Ending> {
    if let Some(x) = setup.hanging_chain(setup.link_law()) {
        return Ok(State::at_rest(x));
    }
    let rule = RestRule::for_body(setup, None, None, limit);
    // Critical damping of a pendulum as long as the body, which approximates its slowest motion.
    let slowest = (setup.gravity_strength() / setup.model.rest_length()).sqrt();
    let mut slowed = setup.clone();
    slowed.forces.push(Arc::new(drag_of_rate(setup, 2.0 * slowest)));
    let settled = settle(&Arc::new(slowed), rule, &|_| true);
    match settled.ending {
        Ending::AtRest { .. } => Ok(State::at_rest(settled.state.x)),
        ending => Err(ending),
    }
}
