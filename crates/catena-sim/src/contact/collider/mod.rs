//! Solid things that nodes cannot enter, one file each.
//!
//! The `table!` call below is the table: a new collider is a file and a line there. All colliders
//! share the response to a contact, in `contact/response.rs`.

use crate::body::vector::along;
use crate::drive::motion::{Motion, Placement};
use crate::named::table;
use crate::named::{BadOption, Info, Nested};
use serde::Deserializer;
use std::fmt::Debug;
use std::sync::Arc;

/// What a contact does to the motion of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Coefficient of restitution: the share of the approach speed that comes back, 0 to 1.
    pub restitution: f64,
    /// Coefficient of Coulomb friction, at least 0.
    pub friction: f64,
}

/// The shape of a collider, for pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// All points x with (x - point)·normal < 0; the normal has length 1.
    HalfSpace {
        /// A point of the surface.
        point: [f64; 3],
        /// The outward normal, of length 1.
        normal: [f64; 3],
    },
    /// All points closer to the line from a to b than the radius; a ball where a = b.
    Capsule {
        /// One end of the axis.
        a: [f64; 3],
        /// The other end.
        b: [f64; 3],
        /// Radius, above zero.
        radius: f64,
    },
    /// All points whose distance from the center along each axis is below the half side.
    Box {
        /// The middle.
        center: [f64; 3],
        /// Directions of the sides, of length 1 and across each other.
        axes: [[f64; 3]; 3],
        /// Half of the length of each side; in the plane the third is 0.
        half: [f64; 3],
    },
}

impl Solid {
    /// The corners of a box: bit 0, 1, 2 of a corner's number is set at the upper end along axis
    /// 0, 1, 2. Other solids have none.
    pub fn corners(&self) -> Vec<[f64; 3]> {
        let Self::Box { center, axes, half } = *self else { return Vec::new() };
        let corner = |number: usize| {
            (0..3).fold(center, |at, k| {
                let side = if number >> k & 1 == 1 { half[k] } else { -half[k] };
                along(at, side, axes[k])
            })
        };
        (0..8).map(corner).collect()
    }

    /// The same solid, where a frame in which it is given like this lies.
    pub fn placed(&self, frame: &Placement) -> Self {
        match *self {
            Self::HalfSpace { point, normal } => {
                Self::HalfSpace { point: frame.point(point), normal: frame.turned(normal) }
            }
            Self::Capsule { a, b, radius } => {
                Self::Capsule { a: frame.point(a), b: frame.point(b), radius }
            }
            Self::Box { center, axes, half } => Self::Box {
                center: frame.point(center),
                axes: axes.map(|axis| frame.turned(axis)),
                half,
            },
        }
    }
}

/// A solid thing. Unused axes of points are 0.
///
/// Where it moves, its shape and all points are those in the frame of its motion; what is asked for
/// at a time is in the scene.
pub trait Collider: Debug + Send + Sync {
    /// The collider's name and options.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption>;

    /// Refuses points that do not have as many components as the scene has axes.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Restitution and friction.
    fn surface(&self) -> Surface;

    /// How its frame moves; `None` where it stands still in the scene.
    fn motion(&self) -> Option<Arc<dyn Motion>> {
        None
    }

    /// Its shape, for pictures.
    fn solid(&self) -> Solid;

    /// Its shape at a time, in the scene.
    fn solid_at(&self, t: f64) -> Solid {
        match self.motion() {
            None => self.solid(),
            Some(motion) => self.solid().placed(&motion.at(t)),
        }
    }

    /// Signed distance at a time of a point of the scene from the surface, and the outward unit
    /// normal there.
    fn distance_at(&self, t: f64, point: [f64; 3]) -> (f64, [f64; 3]) {
        let Some(motion) = self.motion() else { return self.distance(point) };
        let frame = motion.at(t);
        let (distance, normal) = self.distance(frame.inverse(point));
        (distance, frame.turned(normal))
    }

    /// Signed distance of a point from the surface, below zero inside, and the outward unit normal
    /// there. From one point to another it changes by no more than they are apart: nodes that are
    /// far from a collider are not looked at until they may have come close.
    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]);

    /// The first share of the path from `from` to `to`, 0 to 1, at which the distance falls to
    /// `radius`; `None` if it does not or the point only moves away. A point that begins within the
    /// radius and moves inwards hits at 0.
    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64>;

    /// Its shape with all that can be computed once, which gives the same bits; `None` if there is
    /// nothing to compute.
    #[doc(hidden)]
    fn shape(&self) -> Option<Shape> {
        None
    }
}

pub(super) mod geometry;
pub(super) mod shape;

#[doc(hidden)]
pub use shape::Shape;
pub(super) use {capsule::Rod, plane::HalfSpace, sphere::Ball};

table! {
    /// Every collider, in the order in which lists show them.
    COLLIDERS: Info,
    /// Every collider's name, as a scene writes it.
    COLLIDER_NAMES,
    Collider:
    plane::Plane,
    sphere::Sphere,
    capsule::Capsule,
    cuboid::Box,
    moving::Moving,
}

impl Nested for dyn Collider {
    const KIND: &'static str = "collider";
    const NAMES: &'static [&'static str] = COLLIDER_NAMES;

    fn read<'de, D: Deserializer<'de>>(
        name: &str,
        options: D,
    ) -> Option<Result<std::boxed::Box<Self>, D::Error>> {
        read(name, options)
    }
}
