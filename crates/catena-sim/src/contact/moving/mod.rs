//! Moving colliders within one step.
//!
//! A node's path relative to a moving collider is straight in the collider's frame. The path leads
//! from the node's initial to its final position in that frame. The path is then transformed by the
//! placement of the frame at the end. The collider is then a fixed solid; only the start of the
//! path differs per collider. `response` resolves hits on these paths. `odometer` tracks how long
//! nodes are certainly far away.

mod odometer;
mod response;

use super::collider::shape::{Scales, scales};
use super::collider::{Collider, Shape};
use crate::body::State;
use crate::body::vector::{Vec3, add, dot, greatest, norm, sub};
use crate::contact::deformation::Posed;
use crate::drive::motion::{Motion, Placement};
pub(super) use odometer::{FILLED, Odometer};
use std::sync::Arc;

/// A moving collider in one step.
pub(super) struct Mover {
    collider: Arc<dyn Collider>,
    motion: Arc<dyn Motion>,
    /// The solid in its frame.
    shape: Shape,
    /// Placement of the frame at the start of the step.
    start: Placement,
    /// Placement of the frame at the end of the step.
    end: Placement,
    /// Times of the start and the end of the step.
    times: [f64; 2],
    /// Surfaces at the start and the end of the step, if the collider deforms.
    skins: Option<[Arc<Posed>; 2]>,
}

/// Maximum motion of colliders in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    /// Maximum change of a node's distance from a collider by the collider's motion, for nodes at
    /// its surface. The relative path of a node at rest has at most this length. For a node at a
    /// distance, add `turn` times its distance from the surface.
    pub(super) length: f64,
    /// Maximum of |2 sin(θ/2)| over the rotation angles θ of all colliders.
    pub(super) turn: f64,
    /// Whether the step directly follows the previous one.
    pub(super) follows: bool,
}

impl Mover {
    /// Creates the mover of a collider; `None` if the collider does not move.
    pub(super) fn new(collider: &Arc<dyn Collider>) -> Option<Self> {
        let motion = collider.motion()?;
        let start = motion.at(0.0);
        Some(Self {
            shape: Shape::of(collider),
            skins: collider.posed_at(0.0).map(|posed| [Arc::clone(&posed), posed]),
            collider: Arc::clone(collider),
            motion,
            start,
            end: start,
            times: [0.0, f64::NAN],
        })
    }

    /// Advances to a step between these times. Returns whether it directly follows the previous
    /// one.
    pub(super) fn advance(&mut self, times: [f64; 2]) -> bool {
        let follows = self.times[1] == times[0];
        self.start = if follows { self.end } else { self.motion.at(times[0]) };
        self.end = self.motion.at(times[1]);
        if let Some([start, end]) = &mut self.skins {
            let posed = |t| self.collider.posed_at(t);
            *start = if follows { Some(Arc::clone(end)) } else { posed(times[0]) }
                .unwrap_or_else(|| Arc::clone(end));
            *end = posed(times[1]).unwrap_or_else(|| Arc::clone(end));
        }
        self.times = times;
        follows
    }

    /// Returns the duration of the step.
    pub(super) fn duration(&self) -> f64 {
        self.times[1] - self.times[0]
    }

    /// Returns the frame that carries the surface near a point of the scene at the end of the step.
    pub(super) fn end_near(&self, point: Vec3) -> Placement {
        self.skins.as_ref().map_or(self.end, |[_, end]| end.near(point))
    }

    /// Returns the frame that carries the surface near a point of the scene at the start of the
    /// step.
    pub(super) fn start_near(&self, point: Vec3) -> Placement {
        self.skins.as_ref().map_or(self.start, |[start, _]| start.near(point))
    }

    /// Returns the frames that carry the surface after a fraction of the step and at its end.
    /// `point` is a point of the scene near the surface at the end.
    pub(super) fn frames(&self, share: f64, point: Vec3) -> [Placement; 2] {
        let Some([start, end]) = &self.skins else { return [self.at(share), self.end] };
        let [until, from] = end.frames(start, point);
        let mixed = |from: Vec3, until: Vec3| {
            let offset = sub(until, from);
            [0, 1, 2].map(|axis| from[axis] + share * offset[axis])
        };
        let place = mixed(from.place, until.place);
        let velocity = mixed(from.velocity, until.velocity);
        [Placement { place, velocity, ..from }, until]
    }

    /// Returns the placement of the frame after a fraction of the step.
    fn at(&self, share: f64) -> Placement {
        let [from, until] = self.times;
        if share <= 0.0 {
            self.start
        } else if share >= 1.0 {
            self.end
        } else {
            self.motion.at(from + share * (until - from))
        }
    }

    /// Whether the collider turns in this step. Points that move with a turning collider move on
    /// circles.
    pub(super) fn turns(&self) -> bool {
        self.start.axes != self.end.axes
    }

    /// Turns a direction with the collider from the start of the step to its end.
    pub(super) fn turned(&self, direction: Vec3) -> Vec3 {
        self.end.turned(self.start.unturned(direction))
    }

    /// Returns the positions of a point of the solid at both ends of the step, each with the
    /// velocity. `number` is the index of the point in the solid.
    pub(super) fn ends(&self, number: usize, point: Vec3) -> [(Vec3, Vec3); 2] {
        match &self.skins {
            Some(skins) => [0, 1]
                .map(|k: usize| (skins[k].facets.points()[number], skins[k].velocities[number])),
            None => [&self.start, &self.end].map(|frame| {
                let at = frame.point(point);
                (at, frame.velocity_at(at))
            }),
        }
    }

    /// Returns a point of the solid and the normal there, at both ends of the step.
    pub(super) fn half_space(&self, (point, normal): (Vec3, Vec3)) -> [(Vec3, Vec3); 2] {
        [&self.start, &self.end].map(|frame| (frame.point(point), frame.turned(normal)))
    }

    /// Returns the shape at the end of the step.
    pub(super) fn shape(&self) -> Shape {
        match &self.skins {
            Some([_, end]) => Shape::Facets(Arc::clone(&end.facets), None),
            None => self.shape.placed(&self.end),
        }
    }

    /// Returns the scales of the solid at the end of the step.
    pub(super) fn scales(&self) -> Scales {
        match (&self.skins, &self.shape) {
            (Some([_, end]), _) => Scales { magnitude: end.facets.size(), round: 0.0 },
            (None, Shape::Facets(it, _)) => {
                let magnitude = 3.0_f64.sqrt() * it.size() + greatest(self.end.place);
                Scales { magnitude, round: 0.0 }
            }
            _ => scales(&self.collider.solid().placed(&self.end)),
        }
    }

    /// Returns the start of the relative path of a node that begins the step at `point`. This start
    /// is the position to which the collider would carry the node.
    pub(super) fn carried(&self, point: Vec3) -> Vec3 {
        match &self.skins {
            Some([start, end]) => {
                let [from, until] = start.frames(end, point);
                add(point, sub(until.place, from.place))
            }
            None => self.end.point(self.start.inverse(point)),
        }
    }

    /// Returns bounds for the motion in the step, for nodes that keep `radius` from the collider
    /// and move between these states.
    pub(super) fn stride(&self, radius: f64, states: [&State; 2], nodes: usize) -> Stride {
        if let Some([start, end]) = &self.skins {
            return Stride { length: end.maximum_displacement(start), turn: 0.0, follows: true };
        }
        let (start, end) = (&self.start, &self.end);
        let axes = start.axes.iter().zip(&end.axes).map(|(a, b)| sub(*b, *a));
        let turn = (0.5 * axes.map(|change| dot(change, change)).sum::<f64>()).sqrt();
        let length = match (&self.shape, self.shape.around()) {
            (_, Some((middle, size))) => {
                let displacement = sub(end.point(middle), start.point(middle));
                norm(displacement) + turn * (size + radius)
            }
            (Shape::HalfSpace(it), None) => {
                let (from, to) = (it.placed(start), it.placed(end));
                let displacement = dot(from.normal, sub(to.point, from.point)).abs();
                let change = norm(sub(to.normal, from.normal));
                let far = if change > 0.0 { farthest(to.point, states, nodes) } else { 0.0 };
                displacement + change * far
            }
            (_, None) => {
                let displacement = norm(sub(end.place, start.place));
                let far = if turn > 0.0 { farthest(start.place, states, nodes) } else { 0.0 };
                displacement + turn * (displacement + far)
            }
        };
        Stride { length, turn, follows: true }
    }
}

/// Returns the maximum distance of a node from a point, over all states.
fn farthest(point: Vec3, states: [&State; 2], nodes: usize) -> f64 {
    let all = states.into_iter().flat_map(|state| (0..nodes).map(|i| state.position(nodes, i)));
    all.map(|at| norm(sub(at, point))).fold(0.0, f64::max)
}
