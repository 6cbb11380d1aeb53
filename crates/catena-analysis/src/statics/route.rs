//! Ropes of routes in the balance of forces.
//!
//! The rope runs over all guides without friction, so it has a single tension. Wheels turn freely.
//! A drum with a motor pulls with its torque divided by its radius.

use super::balance::Guess;
use super::{Equilibrium, NoRest, Solver, Start, equilibrium_of};
use catena_sim::force::applied::{Amount, FORCE_NAMES, Route};
use catena_sim::{Body, Force, Setup, SpringMemory, State};
use std::sync::Arc;

/// Maximum relative error of the length of a held rope. The pull of a winch that slips has a
/// relative error of at most the square root of this value.
const EXACT: f64 = 1e-14;
/// Maximum number of searches for the lengths of held ropes, and again for those of winches that
/// slip.
const SEARCHES: usize = 12;

/// The rope of a route at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RouteRest {
    /// Index in the list of forces of the scene.
    pub force: usize,
    /// Tension of the whole rope, at least 0.
    pub tension: f64,
    /// Length of the rope along legs and arcs.
    pub length: f64,
    /// Length without load; for a rope with a motor, the one that follows from its length and
    /// tension.
    pub rest_length: f64,
    /// Whether a motor winds the rope, so that its tension does not depend on its length.
    pub has_motor: bool,
    /// Whether a guide has friction, which the equilibrium omits.
    pub has_friction: bool,
    /// Node with the maximum push against a guide at its stop, and the push. `None` if no stop
    /// pushes.
    pub stop: Option<(usize, f64)>,
    /// Whether the winch slips, so that the rope is longer than its prescribed length.
    pub slips: bool,
}

impl Solver<'_> {
    /// The ropes of all routes at a guess.
    pub(super) fn routes(&self, guess: &Guess) -> Vec<RouteRest> {
        let listed = self.setup.forces.iter().filter(|force| FORCE_NAMES.contains(&force.name()));
        let of = |(force, each): (usize, &Arc<dyn Force>)| {
            let route = each.route()?;
            let [tension, length, rest_length] = self.balance.rope(route, guess);
            let (has_motor, has_friction) = (route.has_motor(), route.has_friction());
            let stop = self.balance.stopped(route, guess);
            let slips = false;
            let rope = RouteRest {
                force,
                tension,
                length,
                rest_length,
                has_motor,
                has_friction,
                stop,
                slips,
            };
            Some(rope)
        };
        listed.enumerate().filter_map(of).collect()
    }
}

/// Finds the rest state with ropes at their held lengths, for methods that hold lengths. `balanced`
/// is the setup whose rest state is `rest`. Under tension T a rope has the length l if its length
/// without load is l EA/(EA + T).
///
/// # Errors
/// Returns the reason why there is no rest state, or why it was not found.
pub(super) fn held(
    setup: &Setup,
    mut balanced: Setup,
    mut rest: Equilibrium,
    start: &Start,
) -> Result<Equilibrium, NoRest> {
    let holds = setup.method.holds_lengths();
    let forces = setup.forces.iter().enumerate().filter(|(_, force)| force.route().is_some());
    let places: Vec<(usize, bool)> =
        forces.map(|(index, force)| (index, holds && force.is_held())).collect();
    if !places.iter().any(|(_, is_held)| *is_held) {
        return Ok(rest);
    }
    let lengths: Vec<f64> = rest.routes.iter().map(|route| route.rest_length).collect();
    let iterations = rest.iterations;
    for _ in 0..SEARCHES {
        let mut error = 0.0_f64;
        let ropes = places.iter().zip(&rest.routes).zip(&lengths);
        let taut = ropes.filter(|(((_, is_held), rope), _)| *is_held && rope.tension > 0.0);
        for (((index, _), rope), length) in taut {
            error = error.max((rope.length / length - 1.0).abs());
            let Some(route) = balanced.forces[*index].route() else { continue };
            let own = length * route.axial / (route.axial + rope.tension);
            let (length, speed) = (Some(Amount::constant(own)), None);
            balanced.forces[*index] = Arc::new(Route { length, speed, ..route.clone() });
        }
        if error <= EXACT {
            break;
        }
        rest = equilibrium_of(&balanced, &start.restarted(&balanced)?)?;
        rest.iterations += iterations;
    }
    rest.routes.iter_mut().zip(&lengths).for_each(|(rope, length)| rope.rest_length = *length);
    Ok(rest)
}

/// Finds the rest state with winches that slip: a winch reels in only as far as its pull and its
/// stop allow. `balanced` is the setup whose rest state is `rest`.
///
/// # Errors
/// Returns the reason why there is no rest state, or why it was not found.
pub(super) fn slipped(
    mut balanced: Setup,
    mut rest: Equilibrium,
    start: &Start,
) -> Result<(Setup, Equilibrium), NoRest> {
    let forces = balanced.forces.iter().enumerate();
    let routes = forces.filter_map(|(index, force)| Some((index, force.route()?)));
    let winch = |(index, route): (usize, &Route)| {
        let may_slip = route.has_winch() && !route.has_motor();
        may_slip.then(|| Winch { index, maximum: at_start(&balanced, index), lengths: [None; 2] })
    };
    let mut winches: Vec<Option<Winch>> = routes.map(winch).collect();
    let iterations = rest.iterations;
    for _ in 0..SEARCHES {
        let mut has_changed = false;
        for (winch, rope) in winches.iter_mut().zip(&rest.routes) {
            let Some(winch) = winch else { continue };
            let Some(route) = balanced.forces[winch.index].route() else { continue };
            let Some(limit) = route.most_reeled(rope.stop.is_some()) else { continue };
            let Some(own) = winch.next(rope, limit, route.axial) else { continue };
            let (length, speed) = (Some(Amount::constant(own)), None);
            balanced.forces[winch.index] = Arc::new(Route { length, speed, ..route.clone() });
            has_changed = true;
        }
        if !has_changed {
            break;
        }
        rest = equilibrium_of(&balanced, &start.restarted(&balanced)?)?;
        rest.iterations += iterations;
    }
    let slips = |winch: &Option<Winch>| winch.as_ref().is_some_and(Winch::slips);
    rest.routes.iter_mut().zip(&winches).for_each(|(rope, winch)| rope.slips = slips(winch));
    Ok((balanced, rest))
}

/// A winch that may slip.
struct Winch {
    /// Index of its route among all forces.
    index: usize,
    /// Length without load at the start of the run.
    maximum: f64,
    /// Bracket of the length without load: the longest rope that pulls too much, and the shortest
    /// one that does not, each with its tension.
    lengths: [Option<(f64, f64)>; 2],
}

impl Winch {
    fn slips(&self) -> bool {
        self.lengths[0].is_some()
    }

    /// Updates the bracket by a searched rope, and returns the next length without load to try;
    /// `None` if the search is done. `limit` is the strain up to which the winch reels in.
    fn next(&mut self, rope: &RouteRest, limit: f64, axial: f64) -> Option<f64> {
        let (length, tension, pull) = (rope.rest_length, rope.tension, limit * axial);
        if (tension / pull - 1.0).abs() <= EXACT.sqrt() || (tension < pull && !self.slips()) {
            return None;
        }
        self.lengths[usize::from(tension < pull)] = Some((length, tension));
        if rope.stop.is_some() {
            // At a stop, the length of the path does not depend on the rope.
            return Some((rope.length / (1.0 + limit)).min(self.maximum));
        }
        match self.lengths {
            [Some((short, maximum)), Some((long, minimum))] => {
                Some(short + (long - short) * (maximum - pull) / (maximum - minimum))
            }
            // A load larger than the pull is not lifted.
            [Some((short, _)), None] if short < (1.0 - EXACT) * self.maximum => Some(self.maximum),
            _ => None,
        }
    }
}

/// Length without load of the rope of a route at the start of the run.
fn at_start(setup: &Setup, index: usize) -> f64 {
    let memory = SpringMemory::default();
    let body = Body { model: &setup.model, springs: &memory };
    let state = State { t: setup.start_time, ..setup.initial.clone() };
    setup.forces[index].route().map_or(f64::INFINITY, |route| route.rest_at(&body, &state))
}

/// Whether a route of a body has friction.
pub(super) fn have_friction(setup: &Setup) -> bool {
    setup.forces.iter().filter_map(|force| force.route()).any(Route::has_friction)
}

/// Nodes on routes that are tied to something outside the body.
pub(super) fn tied(setup: &Setup) -> impl Iterator<Item = usize> + '_ {
    let routes = setup.forces.iter().filter_map(|force| force.route());
    routes.filter(|route| route.is_tied()).flat_map(Route::nodes)
}
