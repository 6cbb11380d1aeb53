//! Colliders that move, through one step.
//!
//! The way of a node beside such a collider is that in its frame, straight from the place in the
//! frame at the start of the step to the place in the frame at the end. All of it is carried to
//! where the frame lies at the end: there the collider is a solid like any other, and only the
//! start of the way is one of its own. `response` resolves hits on such ways, `odometer` tells how
//! long nodes are certainly far away.

mod odometer;
mod response;

use super::collider::{Collider, Shape};
use crate::body::State;
use crate::body::vector::{Vec3, dot, norm, sub};
use crate::drive::motion::{Motion, Placement};
pub(super) use odometer::{FILLED, Odometer};
use std::sync::Arc;

/// A collider that moves, in one step.
pub(super) struct Mover {
    collider: Arc<dyn Collider>,
    motion: Arc<dyn Motion>,
    /// The solid in its frame.
    shape: Shape,
    /// Where the frame is at the start of the step and at its end, and when that is.
    pub(super) start: Placement,
    pub(super) end: Placement,
    times: [f64; 2],
}

/// How far colliders move in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    /// By how much a node's distance from any of them may change, and the length of its way beside
    /// them if it stands still: of nodes at their surfaces. Farther off add the turn times that
    /// distance.
    pub(super) length: f64,
    /// |2 sin(θ/2)| of the greatest angle by which one turns.
    pub(super) turn: f64,
    /// Whether the step follows the one before.
    pub(super) follows: bool,
}

impl Mover {
    /// A collider that moves; `None` for one that stands still.
    pub(super) fn new(collider: &Arc<dyn Collider>) -> Option<Self> {
        let motion = collider.motion()?;
        let start = motion.at(0.0);
        Some(Self {
            shape: Shape::of(collider),
            collider: Arc::clone(collider),
            motion,
            start,
            end: start,
            times: [0.0, f64::NAN],
        })
    }

    /// Goes on to a step between these times; whether it follows the one before.
    pub(super) fn go_on(&mut self, times: [f64; 2]) -> bool {
        let follows = self.times[1] == times[0];
        self.start = if follows { self.end } else { self.motion.at(times[0]) };
        self.end = self.motion.at(times[1]);
        self.times = times;
        follows
    }

    /// The length of the step in time.
    pub(super) fn duration(&self) -> f64 {
        self.times[1] - self.times[0]
    }

    /// The frame after a share of the step.
    pub(super) fn at(&self, share: f64) -> Placement {
        let [from, until] = self.times;
        if share <= 0.0 {
            self.start
        } else if share >= 1.0 {
            self.end
        } else {
            self.motion.at(from + share * (until - from))
        }
    }

    /// The solid at the end of the step.
    pub(super) fn shape(&self) -> Shape {
        self.shape.placed(&self.end)
    }

    /// Its description at the end of the step.
    pub(super) fn solid(&self) -> super::collider::Solid {
        self.collider.solid().placed(&self.end)
    }

    /// Where the way of a node begins that is at `point` at the start of the step: the collider
    /// carries it to the end.
    pub(super) fn carried(&self, point: Vec3) -> Vec3 {
        self.end.point(self.start.inverse(point))
    }

    /// How far it moves in the step, for nodes that keep `radius` from it and go between these
    /// states.
    pub(super) fn stride(&self, radius: f64, states: [&State; 2], nodes: usize) -> Stride {
        let (start, end) = (&self.start, &self.end);
        let axes = start.axes.iter().zip(&end.axes).map(|(a, b)| sub(*b, *a));
        let turn = (0.5 * axes.map(|change| dot(change, change)).sum::<f64>()).sqrt();
        let length = match (&self.shape, self.shape.around()) {
            (_, Some((middle, size))) => {
                let way = sub(end.point(middle), start.point(middle));
                norm(way) + turn * (size + radius)
            }
            (Shape::HalfSpace(it), None) => {
                let (from, to) = (it.placed(start), it.placed(end));
                let way = dot(from.normal, sub(to.point, from.point)).abs();
                let change = norm(sub(to.normal, from.normal));
                let far = if change > 0.0 { farthest(to.point, states, nodes) } else { 0.0 };
                way + change * far
            }
            (_, None) => {
                let way = norm(sub(end.place, start.place));
                let far = if turn > 0.0 { farthest(start.place, states, nodes) } else { 0.0 };
                way + turn * (way + far)
            }
        };
        Stride { length, turn, follows: true }
    }
}

/// How far the farthest of so many nodes is from a point.
fn farthest(point: Vec3, states: [&State; 2], nodes: usize) -> f64 {
    let all = states.into_iter().flat_map(|state| (0..nodes).map(|i| state.position(nodes, i)));
    all.map(|at| norm(sub(at, point))).fold(0.0, f64::max)
}
