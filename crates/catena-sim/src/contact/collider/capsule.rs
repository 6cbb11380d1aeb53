//! A capsule: all points closer to the line from a to b than the radius; a ball where a = b.
//!
//! The distance is that from the nearest point of the axis, less the radius. A node on a straight
//! path meets the capsule where it first meets one of three parts: the balls at the two ends, or
//! the round side between them (Ericson 2005, "Real-Time Collision Detection", 5.3.7).

use super::geometry::{direction, reach};
use super::plane::{FRICTION, RESTITUTION, check_surface};
use super::sphere::{RADIUS, check_radius};
use super::{Collider, Solid, Surface};
use crate::body::vector::{along, dot, scaled_norm, sub};
use crate::named::Components;
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// The capsule and its surface.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capsule {
    /// One end of the axis.
    pub a: Components,
    /// The other end.
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

const A: OptionInfo = OptionInfo {
    name: "a",
    summary: "one end of the axis",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
};

const B: OptionInfo = OptionInfo {
    name: "b",
    summary: "the other end of the axis",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
};

impl Capsule {
    pub(super) const INFO: Info = Info {
        name: "Capsule",
        summary: "a rod with round ends",
        options: &[A, B, RADIUS, RESTITUTION, FRICTION],
    };

    /// The vector from the nearest point of the axis to `point`.
    fn off_axis(&self, point: [f64; 3]) -> [f64; 3] {
        let from = sub(point, self.a.xyz());
        let axis = sub(self.b.xyz(), self.a.xyz());
        let unit = direction(axis);
        along(from, -dot(from, unit).clamp(0.0, scaled_norm(axis)), unit)
    }

    /// The share of the path at which it meets the side between the two ends.
    fn meets_side(&self, from: [f64; 3], way: [f64; 3], radius: f64) -> Option<f64> {
        let axis = sub(self.b.xyz(), self.a.xyz());
        let (unit, size) = (direction(axis), scaled_norm(axis));
        let from = sub(from, self.a.xyz());
        let (begins, goes) = (dot(from, unit), dot(way, unit));
        let share = reach(along(from, -begins, unit), along(way, -goes, unit), radius)?;
        (0.0..=size).contains(&(begins + share * goes)).then_some(share)
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
        let from = self.off_axis(point);
        (scaled_norm(from) - self.radius, direction(from))
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        let (way, radius) = (sub(to, from), self.radius + radius);
        let outwards = self.off_axis(from);
        // The distance is convex along the path: if it does not fall at first, it never does.
        if dot(outwards, way) >= 0.0 {
            return None;
        }
        if scaled_norm(outwards) <= radius {
            return Some(0.0);
        }
        let ends = [self.a, self.b].map(|end| reach(sub(from, end.xyz()), way, radius));
        let side = self.meets_side(from, way, radius);
        ends.into_iter().chain([side]).flatten().reduce(f64::min)
    }
}
