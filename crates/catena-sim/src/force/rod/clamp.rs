//! Clamps of a rod: a direction and a material angle that a pinned node holds, both over time.

use crate::body::curve::Curve;
use crate::body::vector::{Vec3, add, along, cross, dot, greatest, norm, scaled, sub};
use crate::drive::track::{Animated, Extent, Track};
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Holds the direction and the material angle of a rod at a node, while the node is pinned.
#[derive(Clone, Debug)]
pub struct Clamp {
    /// Index of the node along the rod.
    pub node: usize,
    /// Direction of the rod there; `None` for its direction at the start of the run.
    pub tangent: Option<Tangent>,
    /// Rotation of the section about the direction, in turns from its orientation at the start.
    pub turn: Animated<1>,
}
crate::identity!(Clamp { node, tangent, turn });

/// Direction of a clamp over time.
#[derive(Clone, Debug)]
pub enum Tangent {
    /// A constant direction of any length above 0.
    Constant(Vec3),
    /// A curve whose vector is the direction. The section follows it without spin.
    Along(Arc<dyn Curve>),
    /// A curve that [turns](Curve::turn), such as the curve of a bone. The direction turns with the
    /// curve. At the start of the run it is the given vector, or with `None` the direction of the
    /// rod.
    Turning(Arc<dyn Curve>, Option<Vec3>),
}
crate::identity!(
    enum Tangent {
        Constant(value),
        Along(value),
        Turning(a, b),
    }
);

/// A clamp with the frame that it has at the start of the run.
#[derive(Clone, Debug)]
pub(super) struct Holder {
    /// Index of the node in the body.
    pub node: usize,
    turn: Animated<1>,
    motion: Motion,
}
crate::identity!(Holder { node, turn, motion });

/// Direction and orientation over time.
#[derive(Clone, Debug)]
enum Motion {
    Still(Frame),
    /// Directions at the keys of the curve, each with the normal carried there.
    Along {
        curve: Arc<dyn Curve>,
        keys: Vec<(f64, Frame)>,
    },
    Turning {
        curve: Arc<dyn Curve>,
        start: Frame,
        back: DQuat,
    },
}
crate::identity!(enum Motion {
    Still(value), Along { curve, keys }, Turning { curve, start, back },
});

/// Orientation of a section: two perpendicular unit vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Direction along the rod.
    pub tangent: Vec3,
    /// Direction across the rod, fixed in the material.
    pub normal: Vec3,
}
crate::identity!(Frame { tangent, normal });

impl Frame {
    /// Returns the frame rotated to this tangent by the smallest rotation.
    pub(super) fn carried(self, tangent: Vec3) -> Self {
        Self { tangent, normal: carried(self.normal, self.tangent, tangent) }
    }

    /// Returns the angle about the tangent from the frame's normal to `normal`, from -π to π.
    pub(super) fn angle_to(self, normal: Vec3) -> f64 {
        let sine = dot(self.tangent, cross(self.normal, normal));
        libm::atan2(sine, dot(self.normal, normal))
    }

    /// Returns the frame rotated about its tangent, by an angle in radians.
    pub(super) fn rotated(self, angle: f64) -> Self {
        let (sine, cosine) = libm::sincos(angle);
        let across = cross(self.tangent, self.normal);
        Self { normal: add(scaled(self.normal, cosine), scaled(across, sine)), ..self }
    }

    /// Returns a frame with this tangent and an arbitrary normal.
    pub(super) fn any(tangent: Vec3) -> Self {
        let size = tangent.map(f64::abs);
        let axis = if size[2] <= size[0] && size[2] <= size[1] {
            [0.0, 0.0, 1.0]
        } else if size[1] <= size[0] {
            [0.0, 1.0, 0.0]
        } else {
            [1.0, 0.0, 0.0]
        };
        let across = along(axis, -dot(axis, tangent), tangent);
        Self { tangent, normal: scaled(across, 1.0 / norm(across)) }
    }
}

/// Carries a vector from one unit tangent to another by the smallest rotation. Between opposite
/// tangents the smallest rotation is ambiguous, and the vector is returned unchanged.
pub(super) fn carried(vector: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let closeness = 1.0 + dot(from, to);
    if closeness <= 0.0 {
        return vector;
    }
    along(vector, -dot(vector, to) / closeness, add(from, to))
}

impl Holder {
    /// Creates the holder of a clamp. `own` is the direction of the rod at the start, and `before`
    /// the frame carried along the rod from the clamp before. `t` is the time.
    pub(super) fn new(clamp: &Clamp, node: usize, own: Vec3, before: Frame, t: f64) -> Self {
        let from = |direction: Vec3| before.carried(unit_or(direction, own));
        let motion = match &clamp.tangent {
            None => Motion::Still(from(own)),
            Some(Tangent::Constant(direction)) => Motion::Still(from(*direction)),
            Some(Tangent::Along(curve)) => {
                let mut frame = from(curve.at(t).0);
                let mut keys = vec![(t, frame)];
                for (time, place) in curve.places() {
                    if time > t {
                        frame = frame.carried(unit_or(place, frame.tangent));
                        keys.push((time, frame));
                    }
                }
                Motion::Along { curve: Arc::clone(curve), keys }
            }
            Some(Tangent::Turning(curve, direction)) => {
                let start = from(direction.unwrap_or(own));
                let back = curve.turn(t).unwrap_or(DQuat::IDENTITY).inverse();
                Motion::Turning { curve: Arc::clone(curve), start, back }
            }
        };
        Self { node, turn: clamp.turn.clone(), motion }
    }

    /// Frame of the clamp without its own turn, at a time.
    pub(super) fn frame(&self, t: f64) -> Frame {
        match &self.motion {
            Motion::Still(frame) => *frame,
            Motion::Along { curve, keys } => {
                let next = keys.partition_point(|(time, _)| *time <= t);
                let before = keys[next.saturating_sub(1)].1;
                before.carried(unit_or(curve.at(t).0, before.tangent))
            }
            Motion::Turning { curve, start, back } => {
                let turn = curve.turn(t).unwrap_or(DQuat::IDENTITY) * *back;
                let turned = |vector: Vec3| (turn * DVec3::from_array(vector)).to_array();
                Frame { tangent: turned(start.tangent), normal: turned(start.normal) }
            }
        }
    }

    /// Returns the clamp at a time as a constant clamp, rotated by a small angle about an axis.
    pub(super) fn rotated(&self, t: f64, axis: usize, angle: f64) -> Self {
        let (sine, cosine) = libm::sincos(angle);
        let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
        let about = |mut vector: Vec3| {
            let (a, b) = (vector[p], vector[q]);
            (vector[p], vector[q]) = (cosine * a - sine * b, sine * a + cosine * b);
            vector
        };
        let Frame { tangent, normal } = self.frame(t);
        let frame = Frame { tangent: about(tangent), normal: about(normal) };
        Self { motion: Motion::Still(frame), ..self.clone() }
    }

    /// Own turn of the clamp at a time, in radians.
    pub(super) fn turned(&self, t: f64) -> f64 {
        TAU * self.turn.at(t).0[0]
    }

    /// Angle in radians by which the direction and the section turn between two times.
    pub(super) fn turned_between(&self, from: f64, until: f64) -> f64 {
        let [a, b] = [self.frame(from), self.frame(until)];
        let carried = Frame { tangent: b.tangent, normal: carried(a.normal, a.tangent, b.tangent) };
        let bent = libm::atan2(norm(cross(a.tangent, b.tangent)), dot(a.tangent, b.tangent));
        let own = self.turned(until) - self.turned(from);
        bent + (own + carried.angle_to(b.normal)).abs()
    }

    /// Whether the frame or the turn follows a curve.
    pub(super) fn moves(&self) -> bool {
        matches!(self.turn, Animated::Moving(_)) || !matches!(self.motion, Motion::Still(_))
    }

    /// Time range in which the frame or the turn changes.
    pub(super) fn extent(&self) -> Extent {
        let motion = match &self.motion {
            Motion::Still(_) => Extent::Still,
            Motion::Along { curve, .. } | Motion::Turning { curve, .. } => curve.extent(),
        };
        self.turn.extent().with(motion)
    }

    /// Whether the clamp has the same frame and turn at two times.
    pub(super) fn is_still(&self, from: f64, to: f64) -> bool {
        self.turned(from) == self.turned(to) && self.frame(from) == self.frame(to)
    }
}

/// Returns a vector scaled to length 1, or the unit vector `other` if the vector has no direction.
pub(super) fn unit_or(vector: Vec3, other: Vec3) -> Vec3 {
    let scale = greatest(vector);
    if !(scale > 0.0 && scale.is_finite()) {
        return other;
    }
    let vector = scaled(vector, 1.0 / scale);
    scaled(vector, 1.0 / norm(vector))
}

/// Returns the largest angle between successive directions of a curve, in radians.
pub fn largest_turn(curve: &dyn Curve) -> f64 {
    let places = curve.places();
    let pairs = places.windows(2);
    pairs
        .map(|pair| {
            let [a, b] = [pair[0].1, pair[1].1].map(|place| unit_or(place, [1.0, 0.0, 0.0]));
            2.0 * libm::atan2(norm(sub(a, b)), norm(add(a, b)))
        })
        .fold(0.0, f64::max)
}
