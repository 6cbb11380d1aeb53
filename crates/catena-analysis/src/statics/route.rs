//! Ropes of routes in the balance of forces.
//!
//! The rope runs freely over all guides, so it has one tension. Wheels turn freely, and a drum with
//! a motor pulls with its torque over its radius.

use super::Solver;
use super::balance::Guess;
use catena_sim::{Force, Setup, force::applied::FORCE_NAMES};
use std::sync::Arc;

/// The rope of a route at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteRest {
    /// Index among the forces that scenes list.
    pub force: usize,
    /// Tension of the whole rope, at least 0.
    pub tension: f64,
    /// Length along legs and arcs.
    pub length: f64,
    /// Length without load; for a rope with a motor, the one at the start.
    pub rest_length: f64,
    /// Whether a motor winds the rope, so that its tension does not depend on its length.
    pub has_motor: bool,
    /// Whether a guide has friction, which the balance leaves out.
    pub has_friction: bool,
}

impl Solver<'_> {
    /// The ropes of all routes at a guess.
    pub(super) fn routes(&self, guess: &Guess) -> Vec<RouteRest> {
        let listed = self.setup.forces.iter().filter(|force| FORCE_NAMES.contains(&force.name()));
        let of = |(force, each): (usize, &Arc<dyn Force>)| {
            let route = each.route()?;
            let [tension, length, rest_length] = self.balance.rope(route, guess);
            let (has_motor, has_friction) = (route.has_motor(), route.has_friction());
            Some(RouteRest { force, tension, length, rest_length, has_motor, has_friction })
        };
        listed.enumerate().filter_map(of).collect()
    }
}

/// Whether a route of a body has friction.
pub(super) fn have_friction(setup: &Setup) -> bool {
    setup.forces.iter().filter_map(|force| force.route()).any(|route| route.has_friction())
}

/// Nodes on routes that something beside the body holds.
pub(super) fn tied(setup: &Setup) -> impl Iterator<Item = usize> + '_ {
    let routes = setup.forces.iter().filter_map(|force| force.route());
    routes.filter(|route| route.is_tied()).flat_map(|route| route.nodes())
}
