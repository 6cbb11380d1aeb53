//! The state in which a body rests.

use super::settle::{Ending, RestRule, settle};
use crate::sim::{Setup, State, force::Drag};
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
    let settled = settle(&Arc::new(slowed(setup, 2.0 * slowest)), rule, &|_| true);
    match settled.ending {
        Ending::AtRest { .. } => Ok(State::at_rest(settled.state.x)),
        ending => Err(ending),
    }
}

/// A setup with more drag: `rate` is c/m per time, for nodes of the mean mass.
fn slowed(setup: &Setup, rate: f64) -> Setup {
    let mass = setup.model.mass.iter().sum::<f64>() / setup.model.nodes() as f64;
    let drag = Drag { coefficient: rate * mass, wind: vec![0.0; setup.model.axes] };
    let mut setup = setup.clone();
    setup.forces.push(Arc::new(drag));
    setup
}
