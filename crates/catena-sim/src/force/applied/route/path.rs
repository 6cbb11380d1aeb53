//! The path of a route: straight legs, tangent to circles, and arcs between them.
//!
//! A circle of radius R that the route leaves on its right (s = 1, a clockwise turn) or on its left
//! (s = -1) has ρ = s R. A leg in direction u with the normal n on its left touches the circle
//! around c at c + ρ n. A leg of length L between two circles satisfies c_j - c_i = d = L u +
//! (ρ_i - ρ_j) n. The length of its rope changes at the rate u·d', which includes rope that rolls
//! onto or off the circles. The direction turns as ∂u/∂d = n nᵀ/L. In space, a pulley swivels into
//! the plane of its two legs, which gives the shortest path over the pulley.

use super::memory::{KnownLeg, Memory, PointMemory};
use crate::body::vector::{Vec3, add, along, cross, dot, norm, scaled, sub, unit};
use std::f64::consts::{PI, TAU};

/// A point of the route, without its legs.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoutePoint {
    pub(super) center: Vec3,
    pub(super) radius: f64,
    /// 1 for a clockwise turn, -1 for a counterclockwise turn; ignored in space.
    pub(super) side: f64,
    /// Whether the angle of the turn has no effect, as in a ring without friction.
    pub(super) is_free: bool,
}

/// Minimum distance of two centres at which a straight line touches both circles.
pub(super) fn apart(one: &RoutePoint, other: &RoutePoint, is_planar: bool) -> f64 {
    match is_planar {
        true => (one.side * one.radius - other.side * other.radius).abs(),
        false => (one.radius - other.radius).abs(),
    }
}

/// A straight part of the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// Indices of the points at its ends.
    pub(super) ends: [usize; 2],
    /// Direction from the first end to the second one, a unit vector.
    pub(super) u: Vec3,
    /// Angle of the direction in the plane, in radians; 0 in space.
    pub(super) angle: f64,
    /// Length of the straight part.
    pub(super) straight: f64,
    /// Length of rope that belongs to the leg: the straight part and its shares of the arcs at both
    /// ends.
    pub(super) length: f64,
    /// Points where the leg touches the circles at its ends.
    pub(super) touches: [Vec3; 2],
}

/// The path through all points.
#[derive(Clone, Debug, Default)]
pub(super) struct RoutePath {
    /// Legs between points that the route touches.
    pub(super) legs: List<Leg>,
    /// Angle by which the route turns at each point, in radians; at least 0 at a pulley that the
    /// rope touches.
    pub(super) turned: List<f64>,
    /// Angle of the part of the arc that belongs to the leg before, at each point.
    pub(super) before: List<f64>,
    /// Normals of the planes in which pulleys lie; empty in the plane.
    normals: List<Vec3>,
}

const UP: Vec3 = [0.0, 0.0, 1.0];

/// Minimum square of a leg's straight part, as a share of the square of the distance between its
/// ends.
const MIN_SQUARE: f64 = 1e-12;

/// Maximum number of rounds of the search for the legs between pulleys in space.
const MAX_ROUNDS: usize = 100;

/// Returns the leg between two circles in one plane. `rho` are the signed radii.
fn leg(ends: [usize; 2], centers: [Vec3; 2], rho: [f64; 2], normals: [Vec3; 2]) -> Leg {
    let d = sub(centers[1], centers[0]);
    let (square, apart) = (dot(d, d), rho[0] - rho[1]);
    // Circles that overlap have no tangent: see [`RoutePath::is_lost`].
    let straight = (square - apart * apart).max(MIN_SQUARE * square).sqrt();
    let normal = if rho[0] == 0.0 { normals[1] } else { normals[0] };
    let across = cross(normal, d);
    let u = if apart == 0.0 {
        scaled(d, 1.0 / straight)
    } else {
        scaled(sub(scaled(d, straight), scaled(across, apart)), 1.0 / square)
    };
    along_line(ends, centers, rho, normals, KnownLeg { u, angle: 0.0, straight })
}

/// Returns the direction and the straight length of a leg between two points. `normals` are the
/// normals of the pulley planes at both points.
pub(super) fn leg_between(
    at: [&RoutePoint; 2],
    normals: [Vec3; 2],
    is_planar: bool,
) -> (Vec3, f64) {
    let rho = at.map(|one| if is_planar { one.side * one.radius } else { -one.radius });
    let Leg { u, straight, .. } = leg([0, 1], at.map(|one| one.center), rho, normals);
    (u, straight)
}

/// Returns the leg between two circles, with a known direction, angle and straight length.
fn along_line(
    ends: [usize; 2],
    centers: [Vec3; 2],
    rho: [f64; 2],
    normals: [Vec3; 2],
    known: KnownLeg,
) -> Leg {
    let KnownLeg { u, angle, straight } = known;
    let touch = |i: usize| match rho[i] == 0.0 {
        true => centers[i],
        false => along(centers[i], rho[i], cross(normals[i], u)),
    };
    let touches = [touch(0), touch(1)];
    Leg { ends, u, angle, straight, length: straight, touches }
}

/// Returns the angle nearest to `near` that differs from `angle` by whole turns.
fn unwound(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

/// Appends the legs through these points in the plane.
fn planar(
    points: &[RoutePoint],
    touched: &[usize],
    memory: Option<&Memory<'_>>,
    legs: &mut List<Leg>,
) {
    for pair in touched.windows(2) {
        let ends = [pair[0], pair[1]];
        let at = ends.map(|i| points[i]);
        let (rho, centers) = (at.map(|one| one.side * one.radius), at.map(|one| one.center));
        let known = memory.filter(|_| ends[1] == ends[0] + 1);
        legs.push(match known.and_then(|memory| memory.leg(ends[0], centers)) {
            Some(known) => along_line(ends, centers, rho, [UP; 2], known),
            None => {
                let leg = leg(ends, centers, rho, [UP; 2]);
                Leg { angle: libm::atan2(leg.u[1], leg.u[0]), ..leg }
            }
        });
    }
}

/// Returns the legs through these points in space, and the normals of the pulleys.
fn spatial(points: &[RoutePoint], touched: &[usize]) -> (List<Leg>, List<Vec3>) {
    let centers: List<Vec3> = touched.iter().map(|&i| points[i].center).collect();
    let last = touched.len() - 1;
    // Ends, at each point, of the leg before it and of the leg after it.
    let mut contacts: List<[Vec3; 2]> = centers.iter().map(|&center| [center; 2]).collect();
    let mut normals = List::from_elem(UP, points.len());
    for _ in 0..MAX_ROUNDS {
        let mut moved = 0.0_f64;
        for i in 0..=last {
            let (center, radius) = (centers[i], points[touched[i]].radius);
            if radius == 0.0 {
                continue;
            }
            let before = contacts[i.saturating_sub(1)][1];
            let after = contacts[(i + 1).min(last)][0];
            let (to, from) = (sub(center, before), sub(after, center));
            let bend = cross(to, from);
            // A straight line through the centre does not bend; the path is equally short on every
            // side.
            let normal = match norm(bend) > 1e-12 * norm(to) * norm(from) {
                true => unit(bend),
                false => unit(cross(to, least_axis(to))),
            };
            normals[touched[i]] = normal;
            let touch = |other: Vec3, is_before: bool| {
                let (centers, rho) = match is_before {
                    true => ([other, center], [0.0, -radius]),
                    false => ([center, other], [-radius, 0.0]),
                };
                leg([0, 1], centers, rho, [normal; 2]).touches[usize::from(is_before)]
            };
            let found = [
                if i > 0 { touch(before, true) } else { center },
                if i < last { touch(after, false) } else { center },
            ];
            for (found, known) in found.iter().zip(&contacts[i]) {
                moved = moved.max(norm(sub(*found, *known)) / radius);
            }
            contacts[i] = found;
        }
        if moved < 1e-14 {
            break;
        }
    }
    let legs = (0..last).map(|i| {
        let touches = [contacts[i][1], contacts[i + 1][0]];
        let offset = sub(touches[1], touches[0]);
        let straight = norm(offset);
        let ends = [touched[i], touched[i + 1]];
        let u = scaled(offset, 1.0 / straight);
        Leg { ends, u, angle: 0.0, straight, length: straight, touches }
    });
    (legs.collect(), normals)
}

/// Returns the axis with the smallest component of a vector.
fn least_axis(a: Vec3) -> Vec3 {
    let minimum = (0..3).min_by(|&i, &j| a[i].abs().total_cmp(&a[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[minimum] = 1.0;
    axis
}

impl RoutePath {
    /// Finds the path through points. In the plane, the path skips pulleys that it would otherwise
    /// pass on the wrong side.
    pub(super) fn find(&mut self, points: &[RoutePoint], memory: &Memory<'_>, is_planar: bool) {
        let mut touched: List<usize> = (0..points.len()).collect();
        loop {
            self.go_through(points, memory, is_planar, &touched);
            let inner = touched.iter().skip(1).take(touched.len().saturating_sub(2));
            let worst = inner
                .filter(|&&i| points[i].radius > 0.0 && self.turned[i] < 0.0)
                .min_by(|&&i, &&j| self.turned[i].total_cmp(&self.turned[j]));
            let Some(&worst) = worst.filter(|_| is_planar) else { return };
            touched.retain(|i| *i != worst);
        }
    }

    fn go_through(
        &mut self,
        points: &[RoutePoint],
        memory: &Memory<'_>,
        is_planar: bool,
        touched: &[usize],
    ) {
        self.legs.clear();
        if is_planar {
            planar(points, touched, Some(memory), &mut self.legs);
        } else {
            (self.legs, self.normals) = spatial(points, touched);
        }
        for list in [&mut self.turned, &mut self.before] {
            list.clear();
            list.resize(points.len(), 0.0);
        }
        for (k, &i) in touched.iter().enumerate() {
            let RoutePoint { radius, side, .. } = points[i];
            let arriving = k.checked_sub(1).map(|k| &self.legs[k]);
            let leaving = self.legs.get(k);
            let [enters, leaves] = match (arriving, leaving) {
                _ if points[i].is_free => [0.0, 0.0],
                (Some(a), Some(b)) if !is_planar || radius == 0.0 => {
                    let turn = angle_between(a.u, b.u);
                    self.turned[i] = turn;
                    [0.5 * turn, 0.5 * turn]
                }
                _ if radius == 0.0 || !is_planar => [0.0, 0.0],
                _ => {
                    let known = memory.point(i);
                    let toward = |leg: &Leg| side * (leg.angle - known.reference);
                    let enters = arriving.map_or(0.0, |leg| unwound(toward(leg), known.enters));
                    let leaves = leaving.map_or(0.0, |leg| {
                        let near = known.enters - known.turned;
                        let rest = -unwound(toward(leg), near);
                        if arriving.is_some() { rest } else { unwound(rest, known.turned) }
                    });
                    self.turned[i] = enters + leaves;
                    [enters, leaves]
                }
            };
            self.before[i] = enters;
            if k > 0 {
                self.legs[k - 1].length += radius * enters;
            }
            if k < self.legs.len() {
                self.legs[k].length += radius * leaves;
            }
        }
    }

    /// Normal of a pulley's plane.
    pub(super) fn normal(&self, i: usize) -> Vec3 {
        self.normals.get(i).copied().unwrap_or(UP)
    }

    /// Whether two neighbouring circles on the path overlap, so that no straight line touches both.
    pub(super) fn is_lost(&self, points: &[RoutePoint], is_planar: bool) -> bool {
        let overlap = |leg: &Leg| {
            let [a, b] = leg.ends.map(|i| &points[i]);
            let (d, needed) = (sub(b.center, a.center), apart(a, b, is_planar));
            let square = dot(d, d);
            square.is_nan() || square <= needed * needed
        };
        self.legs.iter().any(overlap)
    }

    /// Returns the memory of each point at the start: the reference angle and the turn.
    pub(super) fn first_memory(points: &[RoutePoint], is_planar: bool) -> List<PointMemory> {
        let all: List<usize> = (0..points.len()).collect();
        let mut memory = List::from_elem(PointMemory::default(), points.len());
        if !is_planar {
            return memory;
        }
        let mut legs = List::new();
        planar(points, &all, None, &mut legs);
        for (i, point) in points.iter().enumerate() {
            let angle = |leg: &Leg| leg.angle;
            let (arriving, leaving) =
                (i.checked_sub(1).map(|k| angle(&legs[k])), legs.get(i).map(angle));
            let own = &mut memory[i];
            own.side = point.side;
            match (arriving, leaving) {
                (Some(arrives), Some(leaves)) => {
                    let turn = point.side * (arrives - leaves);
                    // A turn of nearly a whole circle counts as a small turn to the opposite side.
                    let turn = turn - TAU * (turn / TAU).floor();
                    own.turned = if turn > TAU - 0.5 * PI { turn - TAU } else { turn };
                    own.enters = 0.5 * own.turned;
                    own.reference = arrives - point.side * own.enters;
                }
                (Some(angle), None) | (None, Some(angle)) => own.reference = angle,
                (None, None) => {}
            }
        }
        memory
    }
}

/// Returns the angle between two unit vectors, from 0 to π.
fn angle_between(a: Vec3, b: Vec3) -> f64 {
    let (apart, together) = (norm(sub(a, b)), norm(add(a, b)));
    2.0 * libm::atan2(apart, together)
}

/// Returns the side on which a route passes a pulley in the plane, from the neighbouring points: 1
/// for a clockwise turn, -1 for a counterclockwise turn, 0 if all three are in line.
pub(super) fn side_of(before: Vec3, center: Vec3, after: Vec3) -> f64 {
    let (to, from) = (sub(center, before), sub(after, center));
    let bend = to[0] * from[1] - to[1] * from[0];
    let scale = norm(to) * norm(from);
    if bend.abs() <= 1e-9 * scale {
        0.0
    } else if bend > 0.0 {
        -1.0
    } else {
        1.0
    }
}

/// A list for the points of a route, which allocates memory only for more than eight entries. A
/// step with a typical route allocates none.
pub(super) type List<T> = smallvec::SmallVec<[T; 8]>;
