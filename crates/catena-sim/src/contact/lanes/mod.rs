//! Nodes that rest or slide on one collider, several at a time: what most nodes do that touch
//! anything.
//!
//! The arithmetic is that of `response`, operation by operation, for nodes that begin the step on
//! the surface and meet it once. All others are left to `response`. Nothing branches, so that the
//! loop over nodes becomes vectors.

mod solid;

use super::collider::{Shape, Surface};
use super::impact::{is_resting, kept_share, rebound};
use super::response::{NodePath, rounding};
use crate::body::vector::{Vec3, add, along, scaled, sub};
use crate::instructions::Instructions;
use pulp::NullaryFnOnce;
use solid::{Solid, dot, length};

/// Nodes that go together.
pub(super) const LANES: usize = 8;

/// Numbers up to this size have squares and quotients that are finite.
const MOST: f64 = 1e60;

/// One number for each node.
type Lane = [f64; LANES];

/// A vector for each node.
type Vectors = [Lane; 3];

/// The paths of some nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    from: Vectors,
    to: Vectors,
    before: Vectors,
    v: Vectors,
}

/// What becomes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// That is not known here.
    Unknown,
    /// Nothing is in its way.
    Free,
    /// It touches, and lifts off.
    Leaves,
    /// It touches, and stays on the surface.
    Stays,
}

/// What becomes of some nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    fate: Lane,
    x: Vectors,
    v: Vectors,
    /// What the hit changed the velocity by, and what the turn of the surface did.
    hit: Vectors,
    turn: Vectors,
}

/// The same of one node.
struct End {
    fate: f64,
    x: Vec3,
    v: Vec3,
    hit: Vec3,
    turn: Vec3,
}

impl Paths {
    /// Puts the path of a node into a lane.
    #[inline]
    pub(super) fn put(&mut self, lane: usize, way: &NodePath) {
        put(&mut self.from, lane, way.from);
        put(&mut self.to, lane, way.to);
        put(&mut self.before, lane, way.before);
        put(&mut self.v, lane, way.v);
    }

    /// The path in a lane.
    #[inline(always)]
    pub(super) fn of(&self, lane: usize) -> NodePath {
        NodePath {
            from: of(&self.from, lane),
            to: of(&self.to, lane),
            before: of(&self.before, lane),
            v: of(&self.v, lane),
        }
    }
}

impl Ends {
    /// What becomes of the node in a lane.
    #[inline]
    pub(super) fn fate(&self, lane: usize) -> Fate {
        match self.fate[lane] {
            1.0 => Fate::Free,
            2.0 => Fate::Leaves,
            3.0 => Fate::Stays,
            _ => Fate::Unknown,
        }
    }

    /// Position and velocity of the node in a lane, if it touches.
    #[inline]
    pub(super) fn place(&self, lane: usize) -> (Vec3, Vec3) {
        (of(&self.x, lane), of(&self.v, lane))
    }

    /// By what the collider changed its velocity: at the hit, and along a surface that turns it.
    #[inline]
    pub(super) fn changes(&self, lane: usize) -> [Vec3; 2] {
        [of(&self.hit, lane), of(&self.turn, lane)]
    }

    /// Lets all nodes touch this shape, from which they keep a radius.
    pub(super) fn touch(&mut self, shape: &Shape, (radius, surface): (f64, Surface), ways: &Paths) {
        let ends = self;
        match shape {
            Shape::HalfSpace(it) => Touch { solid: *it, radius, surface, ways, ends }.run(),
            Shape::Ball(it) => Touch { solid: *it, radius, surface, ways, ends }.run(),
            Shape::Rod(it) => Touch { solid: *it, radius, surface, ways, ends }.run(),
            Shape::Block(_) | Shape::Other(_) => ends.fate = [0.0; LANES],
        }
    }
}

#[inline(always)]
fn of(vectors: &Vectors, lane: usize) -> Vec3 {
    [vectors[0][lane], vectors[1][lane], vectors[2][lane]]
}

#[inline(always)]
fn put(vectors: &mut Vectors, lane: usize, vector: Vec3) {
    vectors[0][lane] = vector[0];
    vectors[1][lane] = vector[1];
    vectors[2][lane] = vector[2];
}

#[inline(always)]
fn either(is_first: bool, first: Vec3, second: Vec3) -> Vec3 {
    [
        if is_first { first[0] } else { second[0] },
        if is_first { first[1] } else { second[1] },
        if is_first { first[2] } else { second[2] },
    ]
}

struct Touch<'a, S> {
    solid: S,
    radius: f64,
    surface: Surface,
    ways: &'a Paths,
    ends: &'a mut Ends,
}

impl<S: Solid> Touch<'_, S> {
    fn run(self) {
        Instructions::best().run(self);
    }
}

impl<S: Solid> NullaryFnOnce for Touch<'_, S> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { solid, radius, surface, ways, ends } = self;
        for lane in 0..LANES {
            let end = touch(solid, (radius, surface), ways.of(lane));
            ends.fate[lane] = end.fate;
            put(&mut ends.x, lane, end.x);
            put(&mut ends.v, lane, end.v);
            put(&mut ends.hit, lane, end.hit);
            put(&mut ends.turn, lane, end.turn);
        }
    }
}

/// Whether all components are small enough to count with.
#[inline(always)]
fn is_small(a: Vec3) -> bool {
    (a[0].abs() < MOST) & (a[1].abs() < MOST) & (a[2].abs() < MOST)
}

#[inline(always)]
fn is_near(a: Vec3, b: Vec3, reach: f64) -> bool {
    ((a[0] - b[0]).abs() <= reach)
        & ((a[1] - b[1]).abs() <= reach)
        & ((a[2] - b[2]).abs() <= reach)
}

/// The way along the surface and the velocity after a hit, and whether the node stays there.
#[inline(always)]
fn after_hit<S: Solid>(
    solid: S,
    surface: Surface,
    (hit, normal): (Vec3, Vec3),
    way: &NodePath,
) -> (Vec3, Vec3, bool) {
    let NodePath { from, to, before, v } = *way;
    let left = sub(to, from);
    let approach = dot(normal, along(before, 0.0, sub(v, before)));
    let change = dot(normal, sub(v, before));
    let now = dot(normal, v);
    let after = rebound(surface.restitution, approach, now, change);
    let (push, tangent) = (after - now, along(v, -now, normal));
    let slide = along(left, -dot(normal, left), normal);
    let bounces = after > 0.0;
    let end_normal = solid.distance(add(hit, slide)).1;
    let turn = if bounces { 0.0 } else { dot(end_normal, tangent).max(0.0) };
    let lifts = (turn > push) & is_resting(approach, change);
    let share = kept_share(surface.friction, (push - turn).max(0.0), length(tangent));
    let kept = along(scaled(tangent, share), after, normal);
    let way = either(lifts, slide, scaled(slide, share));
    (way, either(lifts, v, kept), !lifts & !bounces & (turn <= push))
}

/// Where a node is that slides along the surface, and its velocity, put back to where the surface
/// turns it; the last says whether that is certain.
#[inline(always)]
fn follow<S: Solid>(
    solid: S,
    radius: f64,
    (end, v): (Vec3, Vec3),
    (middle, reach): (Vec3, f64),
) -> (Vec3, Vec3, bool) {
    let (distance, normal) = solid.distance(end);
    let gap = distance - radius;
    let is_there = gap <= 64.0 * rounding(end, radius);
    if S::IS_FLAT {
        return (end, v, is_there);
    }
    let down = along(end, -gap, normal);
    let (distance, up) = solid.distance(down);
    let lifted = along(down, radius - distance + rounding(down, radius), up);
    let down = either(distance >= radius, down, lifted);
    let is_sure = (solid.distance(down).0 >= radius) & is_near(down, middle, reach);
    let turned = along(v, -dot(normal, v), normal);
    let (speed, left) = (length(v), length(turned));
    let stays = is_there | (left <= 0.5 * speed);
    let turned = scaled(turned, speed / left);
    (either(stays, end, down), either(stays, v, turned), is_there | is_sure)
}

/// What becomes of a node, with the bits of `Surroundings::respond` in surroundings in which there
/// is this collider alone.
#[inline(always)]
fn touch<S: Solid>(solid: S, (radius, surface): (f64, Surface), way: NodePath) -> End {
    let NodePath { from, to, before, v } = way;
    let path = sub(to, from);
    let reach = way.surroundings();
    let away = solid.distance(from).0;
    let begins = (away >= radius) & (away - radius <= 64.0 * rounding(from, radius));
    let is_met = solid.meets(from, to, radius);
    let hit = along(from, 0.0, path);
    let normal = solid.distance(hit).1;
    let (slide, turned, stays) = after_hit(solid, surface, (hit, normal), &way);
    let mut end = either(is_met, add(hit, slide), to);
    let mut slack = rounding(end, radius);
    let mut is_clear =
        (solid.distance(end).0 >= radius) & !(is_met & solid.meets(hit, end, radius));
    let is_free = is_clear;
    if S::IS_FLAT {
        // Rounding puts about every other node too low.
        for _ in 0..2 {
            end = either(is_clear, end, along(end, slack, normal));
            slack *= 2.0;
            is_clear = (solid.distance(end).0 >= radius) & !solid.meets(hit, end, radius);
        }
    }
    let (x, kept, is_there) = follow(solid, radius, (end, turned), (from, reach));
    let (x, kept) = (either(stays, x, end), either(stays, kept, turned));
    let is_small = is_small(from) & is_small(to) & is_small(before) & is_small(v);
    let is_sure = is_small & begins & is_clear & is_near(end, from, reach) & (!stays | is_there);
    let touched = if stays { 3.0 } else { 2.0 };
    let touched = if is_sure { touched } else { 0.0 };
    let missed = if is_small & is_free { 1.0 } else { 0.0 };
    End {
        fate: if is_met { touched } else { missed },
        x,
        v: kept,
        hit: sub(turned, v),
        turn: sub(kept, turned),
    }
}
