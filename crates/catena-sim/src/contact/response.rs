//! Contacts of nodes with colliders: the path of a node through a step is swept, and no node ends
//! inside or behind a collider.
//!
//! The earliest hit is resolved and the rest of the path swept again, a few times. After that the
//! node stays at the last hit point, which lies outside of everything. So the guarantee holds at
//! any dt and speed. Source: Bridson, Fedkiw, Anderson 2002 (friction and last resort); Mirtich
//! 1996 (impulses).

use super::collider::Shape;
use super::impact::{is_resting, kept_share, rebound};
use super::obstacle::Obstacles;
use crate::body::vector::{Vec3, add, along, dot, greatest, scaled, scaled_norm, sub};
use std::cell::Cell;
use std::ops::Range;

/// Hits that are resolved on one path.
pub(super) const HITS: usize = 8;

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
    /// How far along each axis a response stays around the start: within a few times the path.
    #[inline(always)]
    pub(super) fn surroundings(&self) -> f64 {
        4.0 * greatest(sub(self.to, self.from)) + 64.0 * f64::EPSILON * greatest(self.from)
    }
}

/// Position and velocity at the end of a step.
pub(super) type End = (Vec3, Vec3);

/// What a collider did to the velocity of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// The number of the collider.
    pub(super) index: usize,
    /// By what the velocity changed.
    pub(super) change: Vec3,
    /// The work that the collider did on the node by its motion, by the mass of the node.
    pub(super) work: f64,
}

impl Push {
    /// By a collider that stands.
    pub(super) fn new(index: usize, change: Vec3) -> Self {
        Self { index, change, work: 0.0 }
    }
}

/// What colliders do to a node.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) node: usize,
    pub(super) way: NodePath,
    /// Its position and velocity at the end, if it touches anything.
    pub(super) end: Option<End>,
    /// The place of what changed its velocity.
    pub(super) pushes: Range<usize>,
}

/// A node at the point where it hits a collider.
pub(super) struct Meeting {
    /// Number of the collider.
    pub(super) index: usize,
    /// Normal of its surface there.
    pub(super) normal: Vec3,
    /// The point.
    pub(super) at: Vec3,
    /// Velocity along the normal at the hit.
    pub(super) approach: f64,
    /// Change of the velocity along the normal in the step.
    pub(super) change: f64,
}

/// The motion that is left after a hit.
pub(super) struct AfterHit {
    pub(super) way: Vec3,
    pub(super) v: Vec3,
    /// Whether the node slides along the surface.
    pub(super) stays: bool,
}

/// The size of rounding errors of a distance near this point.
pub(super) fn rounding(point: Vec3, radius: f64) -> f64 {
    f64::EPSILON * (greatest(point) + radius) + f64::MIN_POSITIVE
}

/// A path leaves the surroundings for which obstacles have been chosen.
pub(super) struct TooFar;

/// The last distance from something round that was computed: it is asked for several times.
#[derive(Clone, Copy)]
pub(super) struct Known {
    index: usize,
    point: Vec3,
    distance: (f64, Vec3),
}

impl Known {
    /// Nothing.
    pub(super) const NOTHING: Self =
        Self { index: usize::MAX, point: [f64::NAN; 3], distance: (f64::NAN, [f64::NAN; 3]) };
}

/// The obstacles that a node can touch as long as it stays in its surroundings.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) known: &'a Cell<Known>,
    pub(super) obstacles: &'a Obstacles,
    /// Numbers of the obstacles that count, in order.
    pub(super) active: &'a [usize],
    /// The middle, and how far they reach along each axis.
    pub(super) middle: Vec3,
    pub(super) reach: f64,
}

impl Surroundings<'_> {
    /// Position and velocity of the node at the end; `None` if nothing was in its way. Adds which
    /// colliders changed its velocity, and by what, to `pushes`.
    pub(super) fn respond(
        &self,
        way: NodePath,
        pushes: &mut Vec<Push>,
    ) -> Result<Option<End>, TooFar> {
        pushes.clear();
        let (mut at, mut to, mut v) = (way.from, way.to, way.v);
        let mut before = way.before;
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
            let normal = self.distance(index, hit).1;
            let approach = dot(normal, along(before, share, sub(v, before)));
            let left = scaled(sub(to, at), 1.0 - share);
            let change = dot(normal, sub(way.v, way.before));
            let met = Meeting { index, normal, at: hit, approach, change };
            let rest = self.after_hit(&met, left, v);
            (at, to) = (hit, self.clear(index, hit, normal, add(hit, rest.way)));
            pushes.push(Push::new(index, sub(rest.v, v)));
            // At a further hit the velocity is the one after the last hit.
            (v, before) = (rest.v, rest.v);
            touched = Some((index, rest.stays));
        }
        Ok(Some((at, v)))
    }

    pub(super) fn radius(&self) -> f64 {
        self.obstacles.radius
    }

    /// The distance of a point from a collider, and the normal there.
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

    /// The point, or the nearest one to it outside of the collider. Rounding may need more than one
    /// attempt.
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

    /// The shapes that count, with their numbers.
    #[inline]
    pub(super) fn shapes(&self) -> impl Iterator<Item = (usize, &Shape)> {
        self.active.iter().map(|&index| (index, &self.obstacles.all[index].shape))
    }

    /// Refuses a point outside of the surroundings.
    #[inline]
    pub(super) fn admit(&self, point: Vec3) -> Result<(), TooFar> {
        let is_near = |axis: usize| (point[axis] - self.middle[axis]).abs() <= self.reach;
        match self.reach == f64::INFINITY || (is_near(0) && is_near(1) && is_near(2)) {
            true => Ok(()),
            false => Err(TooFar),
        }
    }

    /// The earliest hit, and the index of the collider.
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
        // A node that already touches is hit at once; otherwise nodes at rest would creep by
        // rounding.
        let gap = self.distance(index, from).0 - self.radius();
        let touches = gap <= 64.0 * rounding(from, self.radius());
        Ok(Some((if touches { 0.0 } else { share }, index)))
    }

    /// The point if it is outside of all colliders, else a point close to it that is; `None` if
    /// there is none.
    #[inline]
    pub(super) fn outside(&self, point: Vec3) -> Result<Option<Vec3>, TooFar> {
        self.outside_of(self.active.iter().copied(), point)
    }

    /// The same of these colliders.
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

    /// The end of a path along the surface, moved out so far that rounding does not make the path
    /// another hit.
    #[inline]
    pub(super) fn clear(&self, index: usize, hit: Vec3, normal: Vec3, to: Vec3) -> Vec3 {
        let shape = &self.obstacles.all[index].shape;
        let (mut to, mut slack) = (to, rounding(to, self.radius()));
        for _ in 0..20 {
            let is_outside = self.distance(index, to).0 >= self.radius();
            if is_outside && shape.sweep(hit, to, self.radius()).is_none() {
                return to;
            }
            to = along(to, slack, normal);
            slack *= 2.0;
        }
        hit
    }

    /// Moves a sliding node back to a curved surface, which the path along the tangent has left.
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

    /// Restitution and friction at a hit; `approach` and `change` are along the normal. Friction
    /// shortens the rest of the path along the surface as it does the velocity.
    ///
    /// A round surface turns the velocity of a sliding node, which takes a part of the force that
    /// presses on it. A node pressed less than that lifts off without friction.
    pub(super) fn after_hit(&self, met: &Meeting, left: Vec3, v: Vec3) -> AfterHit {
        let &Meeting { index, normal, at: hit, approach, change } = met;
        let surface = self.obstacles.all[index].surface;
        let now = dot(normal, v);
        let after = rebound(surface.restitution, approach, now, change);
        let (push, tangent) = (after - now, along(v, -now, normal));
        let way = along(left, -dot(normal, left), normal);
        let bounces = after > 0.0;
        let end_normal = self.distance(index, add(hit, way)).1;
        let turn = if bounces { 0.0 } else { dot(end_normal, tangent).max(0.0) };
        if turn > push && is_resting(approach, change) {
            return AfterHit { way, v, stays: false };
        }
        let share = kept_share(surface.friction, (push - turn).max(0.0), scaled_norm(tangent));
        let v = along(scaled(tangent, share), after, normal);
        AfterHit { way: scaled(way, share), v, stays: !bounces && turn <= push }
    }
}
