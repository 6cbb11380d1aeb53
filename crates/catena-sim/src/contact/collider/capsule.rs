//! A capsule: all points closer to the segment from a to b than the radius; a ball if a = b.
//!
//! The distance is that from the nearest point of the axis, minus the radius. A straight path meets
//! the capsule where it first meets one of three parts: a ball at either end, or the cylinder
//! between them (Ericson 2005, "Real-Time Collision Detection", 5.3.7).

use super::geometry::{direction, dives, length_and_direction, reach};
use super::plane::{FRICTION, RESTITUTION, check_surface};
use super::sphere::{RADIUS, check_radius};
use super::{Collider, Shape, Solid, Surface};
use crate::body::vector::{Vec3, along, dot, scaled_norm, sub};
use crate::drive::motion::Placement;
use crate::named::Components;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// A capsule with its surface properties.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capsule {
    /// First end of the axis.
    pub a: Components,
    /// Second end of the axis.
    pub b: Components,
    /// Radius, above zero.
    pub radius: f64,
    /// Coefficient of restitution, 0 to 1.
    #[serde(default)]
    pub restitution: f64,
    /// Coefficient of Coulomb friction, at least 0.
    #[serde(default)]
    pub friction: f64,
}
crate::identity!(Capsule { a, b, radius, restitution, friction });

const A: OptionInfo = OptionInfo {
    name: "a",
    summary: "one end of the axis",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "length",
    ..OptionInfo::PLAIN
};

const B: OptionInfo = OptionInfo {
    name: "b",
    summary: "the other end of the axis",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "length",
    ..OptionInfo::PLAIN
};

impl Capsule {
    pub(super) const INFO: Info = Info {
        name: "Capsule",
        summary: "capsule: a rod with round ends",
        options: &[A, B, RADIUS, RESTITUTION, FRICTION],
    };

    fn rod(&self) -> Rod {
        let axis = sub(self.b.xyz(), self.a.xyz());
        let ends = [self.a.xyz(), self.b.xyz()];
        Rod { ends, unit: direction(axis), length: scaled_norm(axis), radius: self.radius }
    }
}

impl Collider for Capsule {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        check_radius(self.radius)?;
        check_surface(self.surface())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.a.check(&A, axes)?;
        self.b.check(&B, axes)
    }

    fn surface(&self) -> Surface {
        Surface { restitution: self.restitution, friction: self.friction }
    }

    fn solid(&self) -> Solid {
        Solid::Capsule { a: self.a.xyz(), b: self.b.xyz(), radius: self.radius }
    }

    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.rod().distance(point)
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.rod().sweep(from, to, radius)
    }

    fn shape(&self) -> Option<Shape> {
        Some(Shape::Rod(self.rod()))
    }
}

/// Precomputed capsule: all points closer to a segment than a radius.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Rod {
    pub(in crate::contact) ends: [Vec3; 2],
    pub(in crate::contact) unit: Vec3,
    pub(in crate::contact) length: f64,
    pub(in crate::contact) radius: f64,
}

impl Rod {
    pub(super) fn placed(&self, frame: &Placement) -> Self {
        let ends = self.ends.map(|end| frame.point(end));
        Self { ends, unit: frame.turned(self.unit), length: self.length, radius: self.radius }
    }

    /// Returns the vector from the nearest point of the axis to `point`.
    #[inline]
    fn off_axis(&self, point: Vec3) -> Vec3 {
        let from = sub(point, self.ends[0]);
        along(from, -dot(from, self.unit).clamp(0.0, self.length), self.unit)
    }

    /// Returns the path fraction at which the path meets the cylinder between the two ends.
    fn meets_side(&self, from: Vec3, way: Vec3, radius: f64) -> Option<f64> {
        let (unit, size) = (self.unit, self.length);
        let from = sub(from, self.ends[0]);
        let (begins, goes) = (dot(from, unit), dot(way, unit));
        let share = reach(along(from, -begins, unit), along(way, -goes, unit), radius)?;
        (0.0..=size).contains(&(begins + share * goes)).then_some(share)
    }

    #[inline]
    pub(super) fn distance(&self, point: Vec3) -> (f64, Vec3) {
        let (size, normal) = length_and_direction(self.off_axis(point));
        (size - self.radius, normal)
    }

    #[inline]
    pub(super) fn gap(&self, point: Vec3) -> f64 {
        scaled_norm(self.off_axis(point)) - self.radius
    }

    #[inline]
    pub(super) fn rough_gap(&self, point: Vec3) -> f64 {
        let from = self.off_axis(point);
        dot(from, from).sqrt() - self.radius
    }

    /// Whether a path certainly hits the cylinder at its start; ends are not considered.
    #[inline]
    pub(super) fn is_met_at_once(&self, from: Vec3, to: Vec3, radius: f64, close: f64) -> bool {
        let (radius, ends) = (self.radius + radius, 1e-6 * self.length);
        let place = dot(sub(from, self.ends[0]), self.unit);
        place > ends
            && place < self.length - ends
            && dives(self.off_axis(from), sub(to, from), radius, radius + self.length, close)
    }

    #[inline]
    pub(super) fn sweep(&self, from: Vec3, to: Vec3, radius: f64) -> Option<f64> {
        let (way, radius) = (sub(to, from), self.radius + radius);
        let outwards = self.off_axis(from);
        // The distance is convex along the path: if it does not decrease at first, it never does.
        if dot(outwards, way) >= 0.0 {
            return None;
        }
        if scaled_norm(outwards) <= radius {
            return Some(0.0);
        }
        let ends = self.ends.map(|end| reach(sub(from, end), way, radius));
        let side = self.meets_side(from, way, radius);
        ends.into_iter().chain([side]).flatten().reduce(f64::min)
    }
}
