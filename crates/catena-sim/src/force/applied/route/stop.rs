//! Stops of a route: a node does not run into a guide, and a winch then slips.
//!
//! The straight part of a leg beside a guide has a shortest length, as of a hook that is larger
//! than the sheave. A node arrives there at the end of the step in which the part would become
//! shorter. From then on the leg keeps the rope that it has, with its share of the arcs, until it
//! gets more. The stop acts along the rope, and at half of that length away from the guide: each is
//! the gradient of what it keeps, so that it gives no energy. Ends lose the speed at which they
//! approach, and by friction some of that across. Momentum is kept, and energy is lost to contact.

use super::Route;
use super::memory::Edit;
use super::moment::RouteMoment;
use super::path::{Leg, RoutePoint, apart, leg_between};
use crate::body::vector::{Vec3, add, along, dot, norm, scaled, sub};
use crate::body::{Body, Model, State};

/// Shortest straight part, as a share of the radii of its guides, and of a rope without any.
const OF_RADII: f64 = 0.1;
const OF_ROPE: f64 = 1e-3;

/// Share of the shortest length by which a part at its stop may be longer.
const NEAR: f64 = 1e-3;

/// Friction at a stop, by which a node that swings there comes to rest.
const FRICTION: f64 = 0.3;

/// Share of it by which a leg must gain rope to leave its stop.
const LEFT: f64 = 0.1;

/// Rounding error of lengths, as a share of them.
const ROUNDING: f64 = 1e-14;

/// Rounds over all parts, for a node at several stops.
const ROUNDS: usize = 8;

/// Steps of the search for the place at which a part has its shortest length.
const STEPS: usize = 4;

/// A leg whose node does not run into the guide at its other end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegStop {
    /// Index of the point at which the leg starts, along the route.
    pub point: usize,
    /// Nodes of the body at both ends; `None` for a guide that the body does not carry.
    pub nodes: [Option<usize>; 2],
    /// Direction of the leg, a unit vector.
    pub direction: Vec3,
    /// Straight part less its shortest length; below 0 the leg is too short.
    pub gap: f64,
}

impl Route {
    /// Legs that have a shortest length at a state, in the order of the route.
    pub fn leg_stops(&self, body: &Body<'_>, state: &State) -> Vec<LegStop> {
        let now = RouteMoment::new(self, body, state, state.t);
        let of = |leg: &Leg| {
            let shortest = now.shortest(leg).filter(|_| leg.ends[1] == leg.ends[0] + 1)?;
            now.shares(body.model, leg)?;
            Some(LegStop {
                point: leg.ends[0],
                nodes: leg.ends.map(|i| now.nodes[i]),
                direction: leg.u,
                gap: leg.straight - shortest,
            })
        };
        now.way.legs.iter().filter_map(of).collect()
    }

    /// Cuts the straight ways of nodes from a state to positions, so that no node passes through a
    /// guide beside it: a way ends where half of the shortest straight part is left.
    pub fn cut_ways(&self, body: &Body<'_>, from: &State, to: &mut [f64]) {
        let (now, n) = (RouteMoment::new(self, body, from, from.t), body.model.nodes());
        for leg in &now.way.legs {
            let Some(shortest) = now.shortest(leg) else { continue };
            let nodes = leg.ends.map(|i| now.nodes[i]);
            let way_of = |node: Option<usize>, to: &[f64]| {
                let way = |axis: usize| match node {
                    Some(node) if axis < body.model.axes => {
                        to[axis * n + node] - from.x[axis * n + node]
                    }
                    _ => 0.0,
                };
                [way(0), way(1), way(2)]
            };
            let [a, b] = leg.ends.map(|i| now.points[i].center);
            let (start, way) = (sub(b, a), sub(way_of(nodes[1], to), way_of(nodes[0], to)));
            let least = now.distance(leg, 0.5 * shortest);
            let Some(share) = entry(start, way, least) else { continue };
            for node in nodes.into_iter().flatten() {
                for axis in 0..body.model.axes {
                    let (from, to) = (from.x[axis * n + node], &mut to[axis * n + node]);
                    *to = from + share * (*to - from);
                }
            }
        }
    }
}

/// Share of a straight way from a point outside of a ball about the origin at which it enters the
/// ball; `None` if it does not.
fn entry(start: Vec3, way: Vec3, radius: f64) -> Option<f64> {
    let (square, half) = (dot(way, way), dot(start, way));
    let rest = dot(start, start) - radius * radius;
    let under = half * half - square * rest;
    if !(rest > 0.0 && half < 0.0 && under >= 0.0) {
        return None;
    }
    let share = rest / (under.sqrt() - half);
    (share < 1.0).then_some(share)
}

impl Route {
    /// Largest tension by which the winch reels in; `None` without a limit. `held` is the strain at
    /// which a part reached its stop, or 0.
    pub(super) fn most_pull(&self, held: f64) -> Option<f64> {
        self.pull.or((held > 0.0).then_some(held * self.axial))
    }
}

impl RouteMoment<'_> {
    /// Shortest straight part of a leg; `None` unless a guide and a node are at its ends.
    fn shortest(&self, leg: &Leg) -> Option<f64> {
        let has_guide = leg.ends.iter().any(|&end| self.route.guide(end).is_some());
        let has_node = leg.ends.iter().any(|&i| self.nodes[i].is_some());
        if !(has_guide && has_node) {
            return None;
        }
        let radii: f64 = leg.ends.iter().map(|&i| self.points[i].radius).sum();
        Some(self.route.stop.unwrap_or_else(|| match radii > 0.0 {
            true => OF_RADII * radii,
            false => OF_ROPE * self.memory.rest().iter().sum::<f64>(),
        }))
    }

    /// Rope of a leg with its arcs. In space, the other legs of its pulleys count as still.
    fn rope_of(&self, leg: &Leg) -> f64 {
        if self.is_planar {
            return leg.length;
        }
        let arc = |&i: &usize| self.points[i].radius * self.way.turned[i].max(0.0);
        leg.straight + leg.ends.iter().map(arc).sum::<f64>()
    }

    /// Distance of the centres of a leg at which its straight part would have a length.
    fn distance(&self, leg: &Leg, straight: f64) -> f64 {
        let [a, b] = leg.ends.map(|i| &self.points[i]);
        let apart = apart(a, b, self.is_planar);
        (apart * apart + straight * straight).sqrt()
    }

    /// Whether a leg is shorter than at its stop, or may have been since the memory.
    pub(super) fn is_short(&self, leg: &Leg) -> bool {
        let Some(shortest) = self.shortest(leg) else { return false };
        let [a, b] = leg.ends;
        let stop = self.memory.point(a).stop;
        if stop > 0.0 {
            let d = sub(self.points[b].center, self.points[a].center);
            let rope = self.rope_of(leg);
            return rope < stop - ROUNDING * (stop + rope)
                || norm(d) < self.distance(leg, 0.5 * shortest);
        }
        let way = dot(leg.u, sub(self.velocities[b], self.velocities[a])) * self.elapsed;
        // Not a number needs no stop.
        leg.straight - way.abs() < shortest
    }

    /// Notes the legs at their stops. Returns whether there are any.
    pub(super) fn remember_stops(&self, next: &mut Edit<'_>) -> bool {
        let mut has_stopped = false;
        for leg in &self.way.legs {
            // A lifted pulley has no leg, and gets another reference of its arc.
            if leg.ends[1] != leg.ends[0] + 1 {
                (leg.ends[0]..leg.ends[1]).for_each(|i| next.change(i, |own| own.stop = 0.0));
                continue;
            }
            let Some(shortest) = self.shortest(leg) else { continue };
            let (rope, known) = (self.rope_of(leg), self.memory.point(leg.ends[0]).stop);
            let stop = match known > 0.0 {
                true if rope > known + LEFT * shortest => 0.0,
                true => known,
                false if leg.straight < (1.0 + NEAR) * shortest => {
                    rope + (shortest - leg.straight).max(0.0)
                }
                false => 0.0,
            };
            has_stopped |= stop > 0.0;
            if stop != known {
                next.change(leg.ends[0], |own| own.stop = stop);
            }
        }
        has_stopped
    }

    /// Shares by which the ends of a leg yield to a change of their distance; `None` if neither
    /// does.
    fn shares(&self, model: &Model, leg: &Leg) -> Option<[f64; 2]> {
        let nodes = leg.ends.map(|i| self.nodes[i]);
        let weights = nodes.map(|node| match node {
            Some(node) if !model.pinned[node] => 1.0 / model.mass[node],
            _ => 0.0,
        });
        let sum = weights[0] + weights[1];
        (sum > 0.0 && nodes[0] != nodes[1]).then(|| [-weights[0] / sum, weights[1] / sum])
    }

    /// Changes of the distance and the relative velocity of the ends of a leg at its stop.
    fn change(&self, leg: &Leg) -> Option<[Vec3; 2]> {
        let shortest = self.shortest(leg)?;
        let [a, b] = leg.ends;
        let d = sub(self.points[b].center, self.points[a].center);
        let v = sub(self.velocities[b], self.velocities[a]);
        let stop = self.memory.point(a).stop;
        if stop == 0.0 {
            let ends = Ends {
                at: [&self.points[a], &self.points[b]],
                normals: leg.ends.map(|i| self.way.normal(i)),
                is_planar: self.is_planar,
            };
            let (place, velocity) = ends.stopped(d, v, self.elapsed, shortest)?;
            return Some([sub(place, d), rubbed(v, sub(velocity, v))]);
        }
        let (mut moved, mut slowed) = ([0.0; 3], [0.0; 3]);
        let mut keep = |short: f64, direction: Vec3| {
            if short > 0.0 {
                moved = along(moved, short, direction);
                slowed = along(slowed, -dot(direction, add(v, slowed)).min(0.0), direction);
            }
        };
        // Inside of the circle there is no direction of the rope.
        if norm(d) > self.distance(leg, 0.0) {
            keep(stop - self.rope_of(leg), leg.u);
        }
        keep(self.distance(leg, 0.5 * shortest) - norm(d), scaled(d, 1.0 / norm(d)));
        Some([moved, rubbed(v, slowed)])
    }
}

/// The change of a relative velocity with friction, which takes at most a share of its size from
/// the velocity across.
fn rubbed(v: Vec3, slowed: Vec3) -> Vec3 {
    let size = norm(slowed);
    if size == 0.0 {
        return slowed;
    }
    let (left, normal) = (add(v, slowed), scaled(slowed, 1.0 / size));
    let across = along(left, -dot(normal, left), normal);
    let speed = norm(across);
    let share = if speed > FRICTION * size { FRICTION * size / speed } else { 1.0 };
    along(slowed, -share, across)
}

/// Two ends of a leg.
struct Ends<'a> {
    at: [&'a RoutePoint; 2],
    /// Normals of the planes of pulleys.
    normals: [Vec3; 2],
    is_planar: bool,
}

impl Ends<'_> {
    /// Direction and straight part of the leg, from one centre to the other.
    fn leg(&self, d: Vec3) -> (Vec3, f64) {
        let [a, b] = self.at;
        let moved = RoutePoint { center: add(a.center, d), ..*b };
        leg_between([a, &moved], self.normals, self.is_planar)
    }

    /// Returns the distance of the centres at the end of a step that ended at `d` with the velocity
    /// `v`, and the velocity; `None` if the part has not been too short.
    fn stopped(&self, d: Vec3, v: Vec3, h: f64, shortest: f64) -> Option<(Vec3, Vec3)> {
        let [a, b] = self.at;
        let apart = apart(a, b, self.is_planar);
        let (start, limit) = (along(d, -h, v), apart * apart + shortest * shortest);
        // The first share of the step after which the square of the distance is the limit.
        let way = sub(d, start);
        let (square, half, rest) = (dot(way, way), dot(start, way), dot(start, start) - limit);
        let share = if rest <= 0.0 {
            0.0
        } else {
            let under = half * half - square * rest;
            if !(under >= 0.0 && half < 0.0) {
                return None;
            }
            rest / (under.sqrt() - half)
        };
        if share > 1.0 {
            return None;
        }
        // The rest of the step goes on but for what would shorten the part.
        let hit = along(start, share, way);
        let (u, left) = (self.leg(hit).0, scaled(way, 1.0 - share));
        let mut place = along(d, -dot(u, left).min(0.0), u);
        for _ in 0..STEPS {
            let (u, straight) = self.leg(place);
            if straight >= shortest {
                break;
            }
            place = along(place, shortest - straight, u);
        }
        // A rest that leads through the circle ends where it met it.
        let square = dot(place, place);
        if square.is_nan() || square < (1.0 - NEAR) * limit {
            let inside = dot(hit, hit);
            place = if inside > 0.0 { scaled(hit, (limit / inside).sqrt()) } else { return None };
        }
        let (u, _) = self.leg(place);
        Some((place, along(v, -dot(u, v).min(0.0), u)))
    }
}

/// Moves the nodes of a route that have run into a guide to its stop. Adds them to `displaced`.
pub(super) fn stop(route: &Route, body: &Body<'_>, state: &mut State, displaced: &mut Vec<usize>) {
    let count = RouteMoment::new(route, body, state, state.t).way.legs.len();
    for _ in 0..ROUNDS {
        let mut has_moved = false;
        for k in 0..count {
            has_moved |= stop_leg(route, body, state, displaced, k);
        }
        if !has_moved {
            break;
        }
    }
}

/// Maximum number of corrections of a rope that is held at its length.
const CORRECTIONS: usize = 50;

/// Stops the other nodes of a rope that a method holds at its length, where nodes of it have
/// stopped. Otherwise it would pull them back in the next step, as a spring without damping.
pub(super) fn catch(
    route: &Route,
    body: &Body<'_>,
    state: &mut State,
    stopped: &[usize],
    displaced: &mut Vec<usize>,
) {
    let (model, n) = (body.model, body.model.nodes());
    let weight = |node: usize| match model.pinned[node] || stopped.contains(&node) {
        true => 0.0,
        false => 1.0 / model.mass[node],
    };
    let mut move_by = |all: &mut [f64], parts: &[(usize, Vec3)], amount: f64| {
        for (node, by_x) in parts.iter().filter(|(node, _)| weight(*node) > 0.0) {
            for axis in 0..model.axes {
                all[axis * n + node] -= weight(*node) * amount * by_x[axis];
            }
            displaced.push(*node);
        }
    };
    for _ in 0..CORRECTIONS {
        let (length, rest, parts) = route.stretched(body, state);
        let sum: f64 = parts.iter().map(|(node, g)| weight(*node) * dot(*g, *g)).sum();
        if !(length - rest > ROUNDING * rest && sum > 0.0) {
            return;
        }
        let speed: f64 = parts.iter().map(|(node, g)| dot(*g, state.velocity(n, *node))).sum();
        move_by(&mut state.x, &parts, (length - rest) / sum);
        move_by(&mut state.v, &parts, speed.max(0.0) / sum);
    }
}

/// Stops one leg, by its place on the way. Returns whether it moved anything by more than rounding.
fn stop_leg(
    route: &Route,
    body: &Body<'_>,
    state: &mut State,
    displaced: &mut Vec<usize>,
    k: usize,
) -> bool {
    let (model, n) = (body.model, body.model.nodes());
    let now = RouteMoment::new(route, body, state, state.t);
    let Some(leg) = now.way.legs.get(k).filter(|leg| now.is_short(leg)) else { return false };
    let Some((shares, changes)) = now.shares(model, leg).zip(now.change(leg)) else {
        return false;
    };
    let (nodes, straight) = (leg.ends.map(|i| now.nodes[i]), leg.straight);
    let [moved, slowed] = changes;
    for (node, share) in nodes.into_iter().zip(shares) {
        let Some(node) = node.filter(|_| share != 0.0) else { continue };
        for axis in 0..model.axes {
            state.x[axis * n + node] += share * moved[axis];
            state.v[axis * n + node] += share * slowed[axis];
        }
        displaced.push(node);
    }
    norm(moved) > 1e-12 * straight
}
