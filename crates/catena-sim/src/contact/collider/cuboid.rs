//! A box in any orientation; a rectangle in a planar scene.
//!
//! The signed distance from a convex body is convex along a straight path. Newton's method from the
//! start of the path therefore never passes the first hit.

use super::geometry::direction;
use super::plane::{FRICTION, RESTITUTION, check_surface};
use super::{Collider, Shape, Solid, Surface};
use crate::body::vector::{Vec3, along, cross, dot, norm};
use crate::contact::collider::shape::Block;
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// A box with its surface properties.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Box {
    /// Centre of the box.
    pub center: Components,
    /// Lengths of the sides, each above zero.
    pub size: Components,
    /// Direction of the first side, of any length above zero; `None` for the x axis.
    #[serde(default)]
    pub along: Option<Components>,
    /// Direction of the second side, in space only; its component along the first side is ignored.
    /// `None` for the y axis, or the x axis if the first side is close to the y axis.
    #[serde(default)]
    pub up: Option<Components>,
    /// Coefficient of restitution, 0 to 1.
    #[serde(default)]
    pub restitution: f64,
    /// Coefficient of Coulomb friction, at least 0.
    #[serde(default)]
    pub friction: f64,
}
crate::identity!(Box { center, size, along, up, restitution, friction });

const CENTER: OptionInfo = OptionInfo {
    name: "center",
    summary: "centre of the box",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "length",
    ..OptionInfo::PLAIN
};

const SIZE: OptionInfo = OptionInfo {
    name: "size",
    summary: "lengths of the sides",
    default: OptionInfo::NEEDED,
    range: "numbers above 0, at most 1e100",
    unit: "length",
    ..OptionInfo::PLAIN
};

const ALONG: OptionInfo = OptionInfo {
    name: "along",
    summary: "direction of the first side",
    default: "along x",
    range: "a vector that is not zero",
    ..OptionInfo::PLAIN
};

const UP: OptionInfo = OptionInfo {
    name: "up",
    summary: "direction of the second side, in space",
    default: "along y",
    range: "a vector in space that is not zero and not along the first side",
    ..OptionInfo::PLAIN
};

/// Sine of the angle between `along` and `up` below which they count as parallel.
const PARALLEL: f64 = 1e-6;

impl Box {
    pub(super) const INFO: Info = Info {
        name: "Box",
        summary: "box with any orientation",
        options: &[CENTER, SIZE, ALONG, UP, RESTITUTION, FRICTION],
    };

    /// Unit vectors along the sides.
    fn axes(&self) -> [Vec3; 3] {
        let first = direction(self.along.map_or([1.0, 0.0, 0.0], |along| along.xyz()));
        if self.is_planar() {
            return [first, [-first[1], first[0], 0.0], [0.0, 0.0, 1.0]];
        }
        let default = if first[1].abs() > 0.999 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let up = direction(self.up.map_or(default, |up| up.xyz()));
        let second = direction(along(up, -dot(up, first), first));
        [first, second, cross(first, second)]
    }

    fn is_planar(&self) -> bool {
        self.center.count() == 2
    }

    fn block(&self) -> Block {
        let (axes, size, sides) = (self.axes(), self.size.xyz(), self.center.count());
        Block { center: self.center.xyz(), axes, size, sides }
    }
}

impl Collider for Box {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let sides = &self.size.xyz()[..self.size.count()];
        SIZE.check(sides.iter().all(|side| *side > 0.0 && *side <= 1e100))?;
        let is_vector = |vector: Option<Components>| {
            vector.is_none_or(|vector| dot(vector.xyz(), vector.xyz()).is_normal())
        };
        ALONG.check(is_vector(self.along))?;
        UP.check(is_vector(self.up))?;
        let first = direction(self.along.map_or([1.0, 0.0, 0.0], |along| along.xyz()));
        let up = self.up.map(|up| norm(cross(direction(up.xyz()), first)));
        UP.check(up.is_none_or(|sine| sine > PARALLEL))?;
        check_surface(self.surface())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.center.check(&CENTER, axes)?;
        self.size.check(&SIZE, axes)?;
        self.along.map_or(Ok(()), |along| along.check(&ALONG, axes))?;
        UP.check(axes == 3 || self.up.is_none())?;
        self.up.map_or(Ok(()), |up| up.check(&UP, axes))
    }

    fn surface(&self) -> Surface {
        Surface { restitution: self.restitution, friction: self.friction }
    }

    fn solid(&self) -> Solid {
        let half = self.size.xyz().map(|side| 0.5 * side);
        Solid::Box { center: self.center.xyz(), axes: self.axes(), half }
    }

    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.block().distance(point)
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.block().sweep(from, to, radius)
    }

    fn shape(&self) -> Option<Shape> {
        Some(Shape::Block(self.block()))
    }
}
