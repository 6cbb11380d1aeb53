//! Stops of a route: a node stops before it runs into a guide, and a winch then slips.
//!
//! The straight part of a leg between a node and a guide has a minimum length, like the rope above
//! a hook that is larger than the sheave. A node reaches its stop at the end of the step in which
//! the part would become shorter. From then on the rope of the leg, with its share of the arcs,
//! cannot become shorter. The leg leaves the stop when it gets more rope. The stop acts along the
//! rope, and also between the centres if only half of the minimum length is left. Each of the two
//! acts along the gradient of the length that it limits, so that it adds no energy. The ends lose
//! their approach speed, and by friction a part of their speed across. Momentum is conserved, and
//! energy is lost to contact.

use super::Route;
use super::memory::Edit;
use super::moment::RouteMoment;
use super::path::{Leg, RoutePoint, apart, leg_between};
use crate::body::vector::{Vec3, add, along, dot, norm, scaled, sub};
use crate::body::{Body, Model, State};

/// Default minimum length of a straight part, as a share of the radii at its ends.
const OF_RADII: f64 = 0.1;
/// Default minimum length of a straight part without radii, as a share of the rope.
const OF_ROPE: f64 = 1e-3;

/// Tolerance, as a share of the minimum length, within which a longer part counts as at its stop.
const NEAR: f64 = 1e-3;

/// Coefficient of friction at a stop, which brings a swinging node to rest.
const FRICTION: f64 = 0.3;

/// Rope that a leg must gain to leave its stop, as a share of the minimum length.
const LEFT: f64 = 0.1;

/// Relative rounding error of lengths.
const ROUNDING: f64 = 1e-14;

/// Maximum number of rounds over all legs, for nodes at several stops.
const ROUNDS: usize = 8;

/// Maximum number of steps of the search for the position at which a part has its minimum length.
const STEPS: usize = 4;

/// A leg with a node that stops before the guide at the leg's other end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegStop {
    /// Index of the point at which the leg starts, along the route.
    pub point: usize,
    /// Nodes of the body at both ends; `None` for a guide that the body does not carry.
    pub nodes: [Option<usize>; 2],
    /// Direction of the leg, a unit vector.
    pub direction: Vec3,
    /// Length of the straight part minus its minimum; below 0 if the leg is too short.
    pub gap: f64,
}

impl Route {
    /// Returns the legs that have a minimum length at a state, in the order of the route.
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
        now.path.legs.iter().filter_map(of).collect()
    }

    /// Shortens the straight paths of nodes from a state to the positions `to`, so that no node
    /// passes through a neighbouring guide. A path ends where half of the minimum straight part is
    /// left.
    pub fn shorten_paths(&self, body: &Body<'_>, from: &State, to: &mut [f64]) {
        let (now, n) = (RouteMoment::new(self, body, from, from.t), body.model.nodes());
        for leg in &now.path.legs {
            let Some(shortest) = now.shortest(leg) else { continue };
            let nodes = leg.ends.map(|i| now.nodes[i]);
            let displacement_of = |node: Option<usize>, to: &[f64]| {
                let component = |axis: usize| match node {
                    Some(node) if axis < body.model.axes => {
                        to[axis * n + node] - from.x[axis * n + node]
                    }
                    _ => 0.0,
                };
                [component(0), component(1), component(2)]
            };
            let [a, b] = leg.ends.map(|i| now.points[i].center);
            let (start, displacement) =
                (sub(b, a), sub(displacement_of(nodes[1], to), displacement_of(nodes[0], to)));
            let minimum = now.distance(leg, 0.5 * shortest);
            let Some(share) = entry(start, displacement, minimum) else { continue };
            for node in nodes.into_iter().flatten() {
                for axis in 0..body.model.axes {
                    let (from, to) = (from.x[axis * n + node], &mut to[axis * n + node]);
                    *to = from + share * (*to - from);
                }
            }
        }
    }
}

/// Returns the share of a straight path at which it enters a ball around the origin. `None` if it
/// does not enter the ball, or starts inside.
fn entry(start: Vec3, displacement: Vec3, radius: f64) -> Option<f64> {
    let (square, half) = (dot(displacement, displacement), dot(start, displacement));
    let rest = dot(start, start) - radius * radius;
    let under = half * half - square * rest;
    if !(rest > 0.0 && half < 0.0 && under >= 0.0) {
        return None;
    }
    let share = rest / (under.sqrt() - half);
    (share < 1.0).then_some(share)
}

impl Route {
    /// Maximum tension at which the winch reels in; `None` if there is no limit. `held` is the
    /// strain at which a part reached its stop, or 0.
    pub(super) fn most_pull(&self, held: f64) -> Option<f64> {
        self.pull.or((held > 0.0).then_some(held * self.axial))
    }
}

impl RouteMoment<'_> {
    /// Minimum length of the straight part of a leg; `None` unless a guide and a node are at its
    /// ends.
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

    /// Length of rope of a leg with its share of the arcs. In space it includes the whole arcs at
    /// both ends, as if the other legs did not move.
    fn rope_of(&self, leg: &Leg) -> f64 {
        if self.is_planar {
            return leg.length;
        }
        let arc = |&i: &usize| self.points[i].radius * self.path.turned[i].max(0.0);
        leg.straight + leg.ends.iter().map(arc).sum::<f64>()
    }

    /// Distance between the centres of a leg at which its straight part has the length `straight`.
    fn distance(&self, leg: &Leg, straight: f64) -> f64 {
        let [a, b] = leg.ends.map(|i| &self.points[i]);
        let apart = apart(a, b, self.is_planar);
        (apart * apart + straight * straight).sqrt()
    }

    /// Whether a leg is shorter than at its stop, or may have been since the last update of the
    /// memory.
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
        let displacement = dot(leg.u, sub(self.velocities[b], self.velocities[a])) * self.elapsed;
        // NaN does not count as short.
        leg.straight - displacement.abs() < shortest
    }

    /// Stores the rope length of legs at their stops. Returns whether any leg is at its stop.
    pub(super) fn remember_stops(&self, next: &mut Edit<'_>) -> bool {
        let mut has_stopped = false;
        for leg in &self.path.legs {
            // A pulley that the rope does not touch has no leg of its own.
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

    /// Displacement of each end of a leg per change of their distance, by the masses. `None` if
    /// neither end can move.
    fn shares(&self, model: &Model, leg: &Leg) -> Option<[f64; 2]> {
        let nodes = leg.ends.map(|i| self.nodes[i]);
        let weights = nodes.map(|node| match node {
            Some(node) if !model.pinned[node] => 1.0 / model.mass[node],
            _ => 0.0,
        });
        let sum = weights[0] + weights[1];
        (sum > 0.0 && nodes[0] != nodes[1]).then(|| [-weights[0] / sum, weights[1] / sum])
    }

    /// Returns the changes of the relative position and velocity of the ends of a leg at its stop.
    fn change(&self, leg: &Leg) -> Option<[Vec3; 2]> {
        let shortest = self.shortest(leg)?;
        let [a, b] = leg.ends;
        let d = sub(self.points[b].center, self.points[a].center);
        let v = sub(self.velocities[b], self.velocities[a]);
        let stop = self.memory.point(a).stop;
        if stop == 0.0 {
            let ends = Ends {
                at: [&self.points[a], &self.points[b]],
                normals: leg.ends.map(|i| self.path.normal(i)),
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
        // Inside the circle, the rope has no direction.
        if norm(d) > self.distance(leg, 0.0) {
            keep(stop - self.rope_of(leg), leg.u);
        }
        keep(self.distance(leg, 0.5 * shortest) - norm(d), scaled(d, 1.0 / norm(d)));
        Some([moved, rubbed(v, slowed)])
    }
}

/// Adds friction to the change `slowed` of a relative velocity. Friction reduces the speed across
/// by at most [`FRICTION`] times the size of the change.
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

/// The two ends of a leg.
struct Ends<'a> {
    at: [&'a RoutePoint; 2],
    /// Normals of the planes of the pulleys at both ends.
    normals: [Vec3; 2],
    is_planar: bool,
}

impl Ends<'_> {
    /// Returns the direction and the straight length of the leg, for the vector `d` from one centre
    /// to the other.
    fn leg(&self, d: Vec3) -> (Vec3, f64) {
        let [a, b] = self.at;
        let moved = RoutePoint { center: add(a.center, d), ..*b };
        leg_between([a, &moved], self.normals, self.is_planar)
    }

    /// Corrects the vector `d` between the centres and the relative velocity `v` at the end of a
    /// step of length `h`. `None` if the part was never too short.
    fn stopped(&self, d: Vec3, v: Vec3, h: f64, shortest: f64) -> Option<(Vec3, Vec3)> {
        let [a, b] = self.at;
        let apart = apart(a, b, self.is_planar);
        let (start, limit) = (along(d, -h, v), apart * apart + shortest * shortest);
        // The share of the step after which the squared distance first equals the limit.
        let displacement = sub(d, start);
        let (square, half, rest) =
            (dot(displacement, displacement), dot(start, displacement), dot(start, start) - limit);
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
        // The rest of the displacement remains, except for its component that shortens the part.
        let hit = along(start, share, displacement);
        let (u, left) = (self.leg(hit).0, scaled(displacement, 1.0 - share));
        let mut place = along(d, -dot(u, left).min(0.0), u);
        for _ in 0..STEPS {
            let (u, straight) = self.leg(place);
            if straight >= shortest {
                break;
            }
            place = along(place, shortest - straight, u);
        }
        // If the rest of the displacement leads through the circle, it ends where it reached the
        // circle.
        let square = dot(place, place);
        if square.is_nan() || square < (1.0 - NEAR) * limit {
            let inside = dot(hit, hit);
            place = if inside > 0.0 { scaled(hit, (limit / inside).sqrt()) } else { return None };
        }
        let (u, _) = self.leg(place);
        Some((place, along(v, -dot(u, v).min(0.0), u)))
    }
}

/// Moves nodes that have run into a guide back to their stops. Adds their indices to `displaced`.
pub(super) fn stop(route: &Route, body: &Body<'_>, state: &mut State, displaced: &mut Vec<usize>) {
    let count = RouteMoment::new(route, body, state, state.t).path.legs.len();
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

/// Maximum number of corrections of a rope whose length a method keeps constant.
const CORRECTIONS: usize = 50;

/// Stops the other nodes of a rope whose length a method keeps constant, after some of its nodes
/// have stopped. Otherwise the rope would pull the nodes back in the next step, like a spring
/// without damping.
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

/// Stops the leg with index `k` on the path. Returns whether it moved a node by more than the
/// rounding error.
fn stop_leg(
    route: &Route,
    body: &Body<'_>,
    state: &mut State,
    displaced: &mut Vec<usize>,
    k: usize,
) -> bool {
    let (model, n) = (body.model, body.model.nodes());
    let now = RouteMoment::new(route, body, state, state.t);
    let Some(leg) = now.path.legs.get(k).filter(|leg| now.is_short(leg)) else { return false };
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
