//! A plane, or a line in a planar scene. The half space opposite to its normal is solid.

use super::{Collider, Shape, Solid, Surface};
use crate::body::vector::{dot, norm};
use crate::contact::collider::shape::HalfSpace;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// A plane with its surface properties.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// A point on the plane.
    pub point: Components,
    /// Vector towards the free side, of any length above zero.
    pub normal: Components,
    /// Coefficient of restitution, 0 to 1.
    #[serde(default)]
    pub restitution: f64,
    /// Coefficient of Coulomb friction, at least 0.
    #[serde(default)]
    pub friction: f64,
}
crate::identity!(Plane { point, normal, restitution, friction });

const POINT: OptionInfo = OptionInfo {
    name: "point",
    summary: "point on the plane",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "length",
    ..OptionInfo::PLAIN
};

const NORMAL: OptionInfo = OptionInfo {
    name: "normal",
    summary: "direction towards the free side",
    default: OptionInfo::NEEDED,
    range: "a vector that is not zero",
    ..OptionInfo::PLAIN
};

pub(super) const RESTITUTION: OptionInfo = OptionInfo {
    name: "restitution",
    summary: "coefficient of restitution: fraction of the approach speed that remains after the \
              impact",
    default: "0",
    range: "a number from 0 to 1",
    ..OptionInfo::PLAIN
};

pub(super) const FRICTION: OptionInfo = OptionInfo {
    name: "friction",
    summary: "coefficient of Coulomb friction",
    default: "0",
    range: "a number of at least 0",
    ..OptionInfo::PLAIN
};

/// Returns an error for a surface that is out of range.
pub(in crate::contact) fn check_surface(surface: Surface) -> Result<(), BadOption> {
    RESTITUTION.check((0.0..=1.0).contains(&surface.restitution))?;
    FRICTION.check(surface.friction >= 0.0 && surface.friction.is_finite())
}

impl Plane {
    pub(super) const INFO: Info = Info {
        name: "Plane",
        summary: "half-space: everything behind a plane is solid",
        options: &[POINT, NORMAL, RESTITUTION, FRICTION],
    };

    fn unit_normal(&self) -> [f64; 3] {
        let normal = self.normal.xyz();
        let length = norm(normal);
        normal.map(|value| value / length)
    }

    fn half_space(&self) -> HalfSpace {
        HalfSpace { point: self.point.xyz(), normal: self.unit_normal() }
    }
}

impl Collider for Plane {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let normal = self.normal.xyz();
        NORMAL.check(dot(normal, normal).is_normal())?;
        check_surface(self.surface())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.point.check(&POINT, axes)?;
        self.normal.check(&NORMAL, axes)
    }

    fn surface(&self) -> Surface {
        Surface { restitution: self.restitution, friction: self.friction }
    }

    fn solid(&self) -> Solid {
        Solid::HalfSpace { point: self.point.xyz(), normal: self.unit_normal() }
    }

    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.half_space().distance(point)
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.half_space().sweep(from, to, radius)
    }

    fn shape(&self) -> Option<Shape> {
        Some(Shape::HalfSpace(self.half_space()))
    }
}
