//! Vectorised response of nodes that rest or slide on one collider, the most frequent kind of
//! contact.
//!
//! The operations and their order are the same as in `response`, for nodes that begin the step on
//! the surface and hit it once. `response` handles all other nodes. Masks replace branches, so the
//! loop over nodes runs on vectors.

mod rest;
mod solid;

use super::collider::{Shape, Surface};
use super::response::NodePath;
use crate::body::vector::Vec3;
use crate::instructions::Instructions;
use crate::lane::{Vector, WideSimd, WideWork};
use rest::{Contact, LanePath};
use solid::Solid;

/// Number of nodes per batch.
pub(super) const LANES: usize = 8;

/// One number per node.
type LaneNumbers = [f64; LANES];

/// One vector per node.
type Vectors = [LaneNumbers; 3];

/// Paths of a batch of nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    from: Vectors,
    to: Vectors,
    before: Vectors,
    v: Vectors,
}

/// Outcome of a step for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneOutcome {
    /// Not computed here, but by `response`.
    Unknown,
    /// The node touches nothing.
    Free,
    /// The node touches and lifts off.
    Leaves,
    /// The node touches and stays on the surface.
    Stays,
}

/// Outcomes of a step for a batch of nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    outcome: LaneNumbers,
    x: Vectors,
    v: Vectors,
    /// Change of velocity by the hit.
    hit: Vectors,
    /// Change of velocity by the curvature of the surface.
    turn: Vectors,
}

impl Paths {
    /// Stores the path of a node in a lane.
    #[inline]
    pub(super) fn put(&mut self, lane: usize, path: &NodePath) {
        put(&mut self.from, lane, path.from);
        put(&mut self.to, lane, path.to);
        put(&mut self.before, lane, path.before);
        put(&mut self.v, lane, path.v);
    }
}

impl Ends {
    /// Returns the outcome for the node in a lane.
    #[inline]
    pub(super) fn outcome(&self, lane: usize) -> LaneOutcome {
        match self.outcome[lane] {
            1.0 => LaneOutcome::Free,
            2.0 => LaneOutcome::Leaves,
            3.0 => LaneOutcome::Stays,
            _ => LaneOutcome::Unknown,
        }
    }

    /// Returns the position and velocity of the node in a lane, valid if it touches.
    #[inline]
    pub(super) fn place(&self, lane: usize) -> (Vec3, Vec3) {
        (of(&self.x, lane), of(&self.v, lane))
    }

    /// Returns the velocity changes by the collider: at the hit, and along a curved surface.
    #[inline]
    pub(super) fn changes(&self, lane: usize) -> [Vec3; 2] {
        [of(&self.hit, lane), of(&self.turn, lane)]
    }

    /// Computes the response of all nodes to a collider of this shape, with contact at a distance
    /// of `radius`.
    pub(super) fn touch(&mut self, shape: &Shape, radius: f64, surface: Surface, paths: &Paths) {
        let ends = self;
        match shape {
            Shape::HalfSpace(it) => Touch { solid: *it, radius, surface, paths, ends }.run(),
            Shape::Ball(it) => Touch { solid: *it, radius, surface, paths, ends }.run(),
            Shape::Rod(it) => Touch { solid: *it, radius, surface, paths, ends }.run(),
            Shape::Block(_) | Shape::Facets(..) | Shape::Other(_) | Shape::Placed(..) => {
                ends.outcome = [0.0; LANES];
            }
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

/// Work on all lanes, one vector at a time.
struct Touch<'a, T> {
    solid: T,
    radius: f64,
    surface: Surface,
    paths: &'a Paths,
    ends: &'a mut Ends,
}

impl<T: Solid> Touch<'_, T> {
    fn run(self) {
        Instructions::best().run_with(self);
    }
}

impl<T: Solid> WideWork for Touch<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let Self { solid, radius, surface, paths, ends } = self;
        let contact = Contact { solid, radius, surface };
        for place in 0..LANES / S::F64_LANES {
            let path = LanePath {
                from: vectors(simd, &paths.from, place),
                to: vectors(simd, &paths.to, place),
                before: vectors(simd, &paths.before, place),
                v: vectors(simd, &paths.v, place),
            };
            let end = contact.touch(path);
            end.outcome.store(&mut ends.outcome, place);
            write(&mut ends.x, place, end.x);
            write(&mut ends.v, place, end.v);
            write(&mut ends.hit, place, end.hit);
            write(&mut ends.turn, place, end.turn);
        }
    }
}

#[inline(always)]
fn vectors<S: WideSimd>(simd: S, lanes: &Vectors, place: usize) -> [Vector<S>; 3] {
    let mut vectors = [Vector::splat(simd, 0.0); 3];
    for axis in 0..3 {
        vectors[axis] = Vector::load(simd, &lanes[axis], place);
    }
    vectors
}

#[inline(always)]
fn write<S: WideSimd>(lanes: &mut Vectors, place: usize, vectors: [Vector<S>; 3]) {
    for axis in 0..3 {
        vectors[axis].store(&mut lanes[axis], place);
    }
}
