//! A ball, or a disc in a planar scene: all points closer to the centre than the radius.
//!
//! The distance is |x - centre| - radius. A straight path meets the ball at the smaller root of a
//! quadratic (Ericson 2005, "Real-Time Collision Detection", 5.3.2).

use super::plane::{FRICTION, RESTITUTION, check_surface};
use super::{Collider, Shape, Solid, Surface};
use crate::contact::collider::shape::Ball;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// A ball with its surface properties.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// Centre of the ball.
    pub center: Components,
    /// Radius, above zero.
    pub radius: f64,
    /// Coefficient of restitution, 0 to 1.
    #[serde(default)]
    pub restitution: f64,
    /// Coefficient of Coulomb friction, at least 0.
    #[serde(default)]
    pub friction: f64,
}
crate::identity!(Sphere { center, radius, restitution, friction });

const CENTER: OptionInfo = OptionInfo {
    name: "center",
    summary: "centre of the ball",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "length",
    ..OptionInfo::PLAIN
};

pub(super) const RADIUS: OptionInfo = OptionInfo {
    name: "radius",
    summary: "radius of the solid",
    default: OptionInfo::NEEDED,
    range: "a number above 0, at most 1e100; a collider of zero radius has no surface",
    unit: "length",
    ..OptionInfo::PLAIN
};

/// Returns an error for a radius that is out of range.
pub(super) fn check_radius(radius: f64) -> Result<(), BadOption> {
    RADIUS.check(radius > 0.0 && radius <= 1e100)
}

impl Sphere {
    pub(super) const INFO: Info =
        Info { name: "Sphere", summary: "ball", options: &[CENTER, RADIUS, RESTITUTION, FRICTION] };

    fn ball(&self) -> Ball {
        Ball { center: self.center.xyz(), radius: self.radius }
    }
}

impl Collider for Sphere {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        check_radius(self.radius)?;
        check_surface(self.surface())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.center.check(&CENTER, axes)
    }

    fn surface(&self) -> Surface {
        Surface { restitution: self.restitution, friction: self.friction }
    }

    fn solid(&self) -> Solid {
        let center = self.center.xyz();
        Solid::Capsule { a: center, b: center, radius: self.radius }
    }

    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.ball().distance(point)
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.ball().sweep(from, to, radius)
    }

    fn shape(&self) -> Option<Shape> {
        Some(Shape::Ball(self.ball()))
    }
}
