//! Stops of routes: a node stops before it reaches the neighbouring guide.
//!
//! The rope in a leg at its stop has a fixed length, so the stop acts along the leg, as a contact
//! that only pushes. In a run this is the length with which the node arrived. Here the straight
//! part at rest has exactly its minimum length, as if the node had arrived slowly.

use super::{Balance, Guess, Touch};
use catena_sim::contact::gaps::{Gap, GapKey};
use catena_sim::force::applied::{LegStop, Route};
use catena_sim::vector::scaled;
use catena_sim::{Body, State};

impl Balance<'_> {
    /// Routes, each with its index in `others`.
    fn routes(&self) -> impl Iterator<Item = (usize, &Route)> {
        let routes = self.others.iter().enumerate();
        routes.filter_map(|(index, other)| Some((index, other.route()?)))
    }

    /// Whether the body has routes, whose nodes may arrive at stops.
    pub(in crate::statics) fn has_routes(&self) -> bool {
        self.routes().next().is_some()
    }

    /// Appends the stops that push, and the stops of legs that are too short.
    pub(super) fn add_stops(&self, guess: &Guess, touches: &mut Vec<Touch>) {
        for (index, route) in self.routes() {
            for stop in self.legs(route, &guess.x) {
                let push = self.push_of(index, stop.point, guess);
                if stop.gap < 0.0 || push != 0.0 {
                    touches.push(Touch { gap: gap(key(index, stop.point), &stop), push });
                }
            }
        }
    }

    /// Push of a stop; 0 if it does not push.
    fn push_of(&self, route: usize, point: usize, guess: &Guess) -> f64 {
        let key = key(route, point);
        let place = guess.pushes.binary_search_by_key(&key, |(key, _)| *key);
        place.map_or(0.0, |place| guess.pushes[place].1)
    }

    /// Stop of a route with the maximum push: its node and the push. `None` if no stop pushes.
    pub(in crate::statics) fn stopped(&self, route: &Route, guess: &Guess) -> Option<(usize, f64)> {
        let (index, _) = self.routes().find(|(_, own)| std::ptr::eq(*own, route))?;
        let of = |stop: LegStop| {
            let node = stop.nodes.into_iter().flatten().next()?;
            Some((node, self.push_of(index, stop.point, guess)))
        };
        let pushes = self.legs(route, &guess.x).into_iter().filter_map(of);
        pushes.filter(|(_, push)| *push > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn legs(&self, route: &Route, x: &[f64]) -> Vec<LegStop> {
        let body = Body { model: &self.setup.model, springs: self.memory };
        route.leg_stops(&body, &self.state(x))
    }

    /// Gap of a stop or of a pair of pieces at positions; `None` if it does not exist.
    pub(super) fn gap_at(&self, key: GapKey, x: &[f64]) -> Option<Gap> {
        let Some(index) = route_of(key) else { return self.gaps.at(key, x) };
        let route = self.others.get(index)?.route()?;
        let stop = self.legs(route, x).into_iter().find(|stop| stop.point == key.1)?;
        Some(gap(key, &stop))
    }

    /// Shortens straight displacements so that no node of a route passes through a neighbouring
    /// guide.
    pub(super) fn cut_at_stops(&self, from: &[f64], to: &mut [f64]) {
        let body = Body { model: &self.setup.model, springs: self.memory };
        let from: State = self.state(from);
        self.routes().for_each(|(_, route)| route.shorten_paths(&body, &from, to));
    }
}

/// Key of the stop of a leg. Nodes count up from 0, and routes count down from the maximum number.
fn key(route: usize, point: usize) -> GapKey {
    (usize::MAX - route, point)
}

/// Index in `others` of the route to which a key belongs; `None` for pairs of pieces.
pub(super) fn route_of(key: GapKey) -> Option<usize> {
    (key.0 > usize::MAX / 2).then(|| usize::MAX - key.0)
}

/// The stop of a leg as a gap between its ends.
fn gap(key: GapKey, stop: &LegStop) -> Gap {
    let u = stop.direction;
    let (nodes, count, weights, normal) = match stop.nodes {
        [Some(a), Some(b)] => ([b, a, 0, 0], 2, [1.0, -1.0, 0.0, 0.0], u),
        [None, Some(b)] => ([b, 0, 0, 0], 1, [1.0, 0.0, 0.0, 0.0], u),
        [Some(a), None] => ([a, 0, 0, 0], 1, [1.0, 0.0, 0.0, 0.0], scaled(u, -1.0)),
        [None, None] => ([0; 4], 0, [0.0; 4], u),
    };
    Gap { key, collider: None, nodes, count, weights, normal, gap: stop.gap }
}
