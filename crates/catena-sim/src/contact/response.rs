//! Contacts of nodes with colliders. The path of a node through a step is swept, and no node ends
//! inside or behind a collider.
//!
//! The earliest hit is resolved and the remaining path is swept again, up to [`HITS`] times. After
//! the last hit, the node stays at the hit point, which is outside all colliders. Nodes therefore
//! stay outside colliders at any time step and speed. Source: Bridson, Fedkiw, Anderson 2002
//! (friction and last resort); Mirtich 1996 (impulses).

use super::collider::{Shape, facets::Visits};
use super::impact::{is_resting, kept_share, rebound};
use super::obstacle::Obstacles;
use crate::body::vector::{Vec3, add, along, dot, greatest, scaled, scaled_norm, sub};
use std::cell::Cell;
use std::ops::Range;

/// Maximum number of hits resolved per path.
pub(super) const HITS: usize = 8;

/// Sine of the angle between a path along a surface and the part that it hits next.
const STEEP: f64 = 1e-6;

/// The path of a node through a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePath {
    /// Position at the beginning.
    pub(super) from: Vec3,
    /// Position at the end, without contacts.
    pub(super) to: Vec3,
    /// Velocity at the beginning.
    pub(super) before: Vec3,
    /// Velocity at the end.
    pub(super) v: Vec3,
}

impl NodePath {
    /// Returns the half side of a box around the start that contains all positions of the response.
    /// A response stays within a few path lengths.
    #[inline(always)]
    pub(super) fn surroundings(&self) -> f64 {
        4.0 * greatest(sub(self.to, self.from)) + 64.0 * f64::EPSILON * greatest(self.from)
    }
}

/// Position and velocity at the end of a step.
pub(super) type End = (Vec3, Vec3);

/// Velocity change of a node by a collider.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// Index of the collider.
    pub(super) index: usize,
    /// Change of velocity.
    pub(super) change: Vec3,
    /// Work done on the node by the collider's motion, divided by the node's mass.
    pub(super) work: f64,
}

impl Push {
    /// Creates the push of a collider that does not move.
    pub(super) fn new(index: usize, change: Vec3) -> Self {
        Self { index, change, work: 0.0 }
    }
}

/// Response of all colliders to the motion of a node.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) node: usize,
    pub(super) path: NodePath,
    /// Position and velocity at the end of the step; `None` if the node touches nothing.
    pub(super) end: Option<End>,
    /// Range of the node's entries in the list of pushes.
    pub(super) pushes: Range<usize>,
    /// Visits of triangle colliders.
    pub(super) visits: Visits,
}

/// A hit of a node on a collider.
pub(super) struct Meeting {
    /// Index of the collider.
    pub(super) index: usize,
    /// Outward unit normal of the surface at the hit.
    pub(super) normal: Vec3,
    /// Position of the hit.
    pub(super) at: Vec3,
    /// Velocity along the normal at the hit.
    pub(super) approach: f64,
    /// Change of the velocity along the normal in the whole step.
    pub(super) change: f64,
}

/// Motion that remains after a hit.
pub(super) struct AfterHit {
    pub(super) displacement: Vec3,
    pub(super) v: Vec3,
    /// Whether the node keeps sliding along the surface.
    pub(super) stays: bool,
}

/// Returns the rounding error of a distance near this point, in units of length.
pub(super) fn rounding(point: Vec3, radius: f64) -> f64 {
    f64::EPSILON * (greatest(point) + radius) + f64::MIN_POSITIVE
}

/// Error of a path that leaves the surroundings for which obstacles were selected.
pub(super) struct TooFar;

/// Cache of the last distance from a curved or bounded shape, because a response needs it several
/// times.
#[derive(Clone, Copy)]
pub(super) struct Known {
    index: usize,
    point: Vec3,
    distance: (f64, Vec3),
}

impl Known {
    /// An empty cache.
    pub(super) const NOTHING: Self =
        Self { index: usize::MAX, point: [f64::NAN; 3], distance: (f64::NAN, [f64::NAN; 3]) };
}

/// Obstacles that a node can touch while it stays in its surroundings.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) known: &'a Cell<Known>,
    pub(super) obstacles: &'a Obstacles,
    /// Indices of the relevant obstacles, in ascending order.
    pub(super) active: &'a [usize],
    /// Centre of the surroundings; `reach` is their half side along each axis.
    pub(super) middle: Vec3,
    pub(super) reach: f64,
}

impl Surroundings<'_> {
    /// Returns the position and velocity of the node at the end; `None` if it touches nothing.
    /// Replaces `pushes` by the velocity change of each hit.
    pub(super) fn respond(
        &self,
        path: NodePath,
        pushes: &mut Vec<Push>,
    ) -> Result<Option<End>, TooFar> {
        pushes.clear();
        let (mut at, mut to, mut v) = (path.from, path.to, path.v);
        let mut before = path.before;
        let mut touched: Option<(usize, bool)> = None;
        for _ in 0..HITS {
            let Some((share, index)) = self.first(at, to)? else {
                let Some(end) = self.outside(to)? else { return Ok(Some((at, v))) };
                return Ok(match touched {
                    Some((index, true)) => {
                        let (end, turned) = self.follow(index, end, v)?;
                        pushes.push(Push::new(index, sub(turned, v)));
                        Some((end, turned))
                    }
                    Some(_) => Some((end, v)),
                    None => (end != to).then_some((end, v)),
                });
            };
            let Some(hit) = self.outside(along(at, share, sub(to, at)))? else {
                return Ok(Some((at, v)));
            };
            let normal =
                self.hit_normal(index, at, to).unwrap_or_else(|| self.distance(index, hit).1);
            let approach = dot(normal, along(before, share, sub(v, before)));
            let left = scaled(sub(to, at), 1.0 - share);
            let change = dot(normal, sub(path.v, path.before));
            let met = Meeting { index, normal, at: hit, approach, change };
            let rest = self.after_hit(&met, left, v);
            (at, to) = (hit, self.clear(index, hit, normal, add(hit, rest.displacement)));
            pushes.push(Push::new(index, sub(rest.v, v)));
            // Later hits of the path start from the velocity after the previous hit.
            (v, before) = (rest.v, rest.v);
            touched = Some((index, rest.stays));
        }
        Ok(Some((at, v)))
    }

    pub(super) fn radius(&self) -> f64 {
        self.obstacles.radius
    }

    /// Returns the distance of a point from a collider, and the normal there.
    #[inline]
    pub(super) fn distance(&self, index: usize, point: Vec3) -> (f64, Vec3) {
        let shape = &self.obstacles.all[index].shape;
        if let Shape::HalfSpace(it) = shape {
            return it.distance(point);
        }
        let known = self.known.get();
        let is_same =
            known.index == index && known.point.map(f64::to_bits) == point.map(f64::to_bits);
        if is_same {
            return known.distance;
        }
        let distance = shape.distance(point);
        self.known.set(Known { index, point, distance });
        distance
    }

    /// Returns the normal of the part of a surface with valleys that a path hits first.
    pub(super) fn hit_normal(&self, index: usize, from: Vec3, to: Vec3) -> Option<Vec3> {
        self.obstacles.all[index].shape.hit_normal(from, to, self.radius())
    }

    /// Returns `point` if it is outside the collider, otherwise the nearest point of the surface,
    /// moved out in several attempts if rounding requires it. Returns `None` if the attempts fail.
    #[inline]
    pub(super) fn lifted(&self, index: usize, point: Vec3) -> Option<Vec3> {
        let (mut point, mut slack) = (point, rounding(point, self.radius()));
        for _ in 0..64 {
            let (distance, normal) = self.distance(index, point);
            if distance >= self.radius() {
                return Some(point);
            }
            point = along(point, self.radius() - distance + slack, normal);
            slack *= 2.0;
        }
        None
    }

    /// Iterates over the relevant shapes and their indices.
    #[inline]
    pub(super) fn shapes(&self) -> impl Iterator<Item = (usize, &Shape)> {
        self.active.iter().map(|&index| (index, &self.obstacles.all[index].shape))
    }

    /// Returns an error for a point outside of the surroundings.
    #[inline]
    pub(super) fn admit(&self, point: Vec3) -> Result<(), TooFar> {
        let is_near = |axis: usize| (point[axis] - self.middle[axis]).abs() <= self.reach;
        match self.reach == f64::INFINITY || (is_near(0) && is_near(1) && is_near(2)) {
            true => Ok(()),
            false => Err(TooFar),
        }
    }

    /// Returns the path fraction of the earliest hit, and the index of the collider.
    #[inline]
    fn first(&self, from: Vec3, to: Vec3) -> Result<Option<(f64, usize)>, TooFar> {
        self.admit(to)?;
        if let [index] = self.active
            && self.reach < f64::INFINITY
        {
            let shape = &self.obstacles.all[*index].shape;
            let close = 64.0 * rounding(from, self.radius());
            if shape.is_met_at_once(from, to, self.radius(), close) {
                return Ok(Some((0.0, *index)));
            }
        }
        let mut first: Option<(f64, usize)> = None;
        for (index, shape) in self.shapes() {
            let Some(share) = shape.sweep(from, to, self.radius()) else { continue };
            if first.is_none_or(|(earliest, _)| share < earliest) {
                first = Some((share, index));
            }
        }
        let Some((share, index)) = first else { return Ok(None) };
        // A touching node is hit at once; otherwise rounding would let resting nodes creep.
        let gap = self.distance(index, from).0 - self.radius();
        let touches = gap <= 64.0 * rounding(from, self.radius());
        Ok(Some((if touches { 0.0 } else { share }, index)))
    }

    /// Returns `point` if it is outside all relevant colliders, otherwise a close point outside
    /// them; `None` if no such point is found.
    #[inline]
    pub(super) fn outside(&self, point: Vec3) -> Result<Option<Vec3>, TooFar> {
        self.outside_of(self.active.iter().copied(), point)
    }

    /// Returns `point` if it is outside the given colliders, otherwise a close point outside them;
    /// `None` if no such point is found.
    #[inline]
    pub(super) fn outside_of(
        &self,
        colliders: impl Iterator<Item = usize> + Clone,
        point: Vec3,
    ) -> Result<Option<Vec3>, TooFar> {
        let is_inside = |point, index: usize| {
            let distance = self.distance(index, point).0;
            distance.is_nan() || distance < self.radius()
        };
        let mut point = point;
        self.admit(point)?;
        for _ in 0..4 {
            let mut is_lifted = false;
            for index in colliders.clone() {
                if self.distance(index, point).0 >= self.radius() {
                    continue;
                }
                is_lifted = true;
                let Some(lifted) = self.lifted(index, point) else { return Ok(None) };
                point = lifted;
                self.admit(point)?;
            }
            if !is_lifted || !colliders.clone().any(|index| is_inside(point, index)) {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    /// Moves the end of a path along the surface outwards, until rounding causes no further hit.
    /// Returns the hit point if this fails.
    #[inline]
    pub(super) fn clear(&self, index: usize, hit: Vec3, normal: Vec3, to: Vec3) -> Vec3 {
        let shape = &self.obstacles.all[index].shape;
        let (mut to, mut slack) = (to, rounding(to, self.radius()));
        for _ in 0..20 {
            // A later sweep finds the next hit on another part of the same surface.
            let steep = |next: Vec3| dot(next, sub(to, hit)) < -STEEP * scaled_norm(sub(to, hit));
            let met = shape.hit_normal(hit, to, self.radius());
            if met.is_some_and(steep) {
                return to;
            }
            let is_outside = self.distance(index, to).0 >= self.radius();
            // A path that hits a surface with valleys has a hit normal, so `None` means no hit.
            let is_free = || match shape.has_valleys() {
                true => met.is_none(),
                false => shape.sweep(hit, to, self.radius()).is_none(),
            };
            if is_outside && is_free() {
                return to;
            }
            to = along(to, slack, normal);
            slack *= 2.0;
        }
        hit
    }

    /// Moves a sliding node back to a curved surface, because a path along the tangent leaves the
    /// surface.
    #[inline]
    pub(super) fn follow(&self, index: usize, end: Vec3, v: Vec3) -> Result<(Vec3, Vec3), TooFar> {
        let (distance, normal) = self.distance(index, end);
        let gap = distance - self.radius();
        if gap <= 64.0 * rounding(end, self.radius()) {
            return Ok((end, v));
        }
        let is_free = |point: &Vec3| {
            let others = self.shapes().filter(|(other, _)| !self.obstacles.are_one(*other, index));
            others.map(|(_, other)| other).all(|other| {
                other.sweep(end, *point, self.radius()).is_none()
                    && other.gap(*point) >= self.radius()
            })
        };
        let Some(down) = self.lifted(index, along(end, -gap, normal)) else {
            return Ok((end, v));
        };
        self.admit(down)?;
        if !is_free(&down) {
            return Ok((end, v));
        }
        // The surface turns the velocity and does no work.
        let turned = along(v, -dot(normal, v), normal);
        let (speed, left) = (scaled_norm(v), scaled_norm(turned));
        if left <= 0.5 * speed {
            return Ok((end, v));
        }
        Ok((down, scaled(turned, speed / left)))
    }

    /// Returns the speed at which a curved surface recedes from a node that slides to `end`; 0 for
    /// a path into a valley, which ends inside the surface.
    pub(super) fn turn(&self, index: usize, end: Vec3, tangent: Vec3) -> f64 {
        let (distance, normal) = self.distance(index, end);
        let is_within = distance < self.radius() - 64.0 * rounding(end, self.radius());
        if is_within && self.obstacles.all[index].shape.has_valleys() {
            return 0.0;
        }
        dot(normal, tangent).max(0.0)
    }

    /// Applies restitution and friction at a hit. Friction scales the remaining path along the
    /// surface by the same factor as the velocity.
    ///
    /// A curved surface turns the velocity of a sliding node, which requires a part of the pressing
    /// force. If the pressing force is smaller, the node lifts off without friction.
    pub(super) fn after_hit(&self, met: &Meeting, left: Vec3, v: Vec3) -> AfterHit {
        let &Meeting { index, normal, at: hit, approach, change } = met;
        let surface = self.obstacles.all[index].surface;
        let now = dot(normal, v);
        let after = rebound(surface.restitution, approach, now, change);
        let (push, tangent) = (after - now, along(v, -now, normal));
        let displacement = along(left, -dot(normal, left), normal);
        let bounces = after > 0.0;
        let turn = if bounces { 0.0 } else { self.turn(index, add(hit, displacement), tangent) };
        if turn > push && is_resting(approach, change) {
            return AfterHit { displacement, v, stays: false };
        }
        let share = kept_share(surface.friction, (push - turn).max(0.0), scaled_norm(tangent));
        let v = along(scaled(tangent, share), after, normal);
        AfterHit { displacement: scaled(displacement, share), v, stays: !bounces && turn <= push }
    }
}
