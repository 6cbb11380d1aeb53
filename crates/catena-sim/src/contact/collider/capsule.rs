//! A capsule: all points closer to the segment from a to b than the radius; a ball if a = b.
//!
//! The distance is measured from the nearest point of the axis, minus the radius. A straight path
//! meets the capsule where it first meets one of three parts: a ball at either end, or the cylinder
//! between them (Ericson 2005, "Real-Time Collision Detection", 5.3.7).

use super::geometry::direction;
use super::plane::{FRICTION, RESTITUTION, check_surface};
use super::sphere::{RADIUS, check_radius};
use super::{Collider, Shape, Solid, Surface};
use crate::body::vector::{scaled_norm, sub};
use crate::contact::collider::shape::Rod;
use crate::named::{BadOption, Components, Info, OptionInfo};
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
