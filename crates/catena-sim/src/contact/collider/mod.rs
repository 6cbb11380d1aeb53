//! Solids that nodes cannot enter, one file each.
//!
//! To add a collider, add a file and a line in the `table!` call below. All colliders share the
//! contact response in `contact/response.rs`.

use self::facets::Facets;
use self::file::{BadContent, FileContent, WantedFile};
use crate::body::vector::{Vec3, along};
pub(super) use crate::contact::collider::shape::{Ball, HalfSpace, Rod};
use crate::contact::deformation::{Deformation, Posed};
use crate::drive::motion::{Motion, Placement};
use crate::identity::Identity;
use crate::named::{BadOption, Info, Nested, table};
use serde::Deserializer;
use std::fmt::Debug;
use std::sync::Arc;

/// Contact properties of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Coefficient of restitution, 0 to 1: ratio of rebound speed to approach speed.
    pub restitution: f64,
    /// Coefficient of Coulomb friction, at least 0.
    pub friction: f64,
}
crate::identity!(Surface { restitution, friction });

/// The shape of a collider, for pictures.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// All points x with (x - point)·normal < 0; the normal has length 1.
    HalfSpace {
        /// A point of the surface.
        point: [f64; 3],
        /// The outward normal, of length 1.
        normal: [f64; 3],
    },
    /// All points closer to the segment from a to b than the radius; a ball if a = b.
    Capsule {
        /// First end of the axis.
        a: [f64; 3],
        /// Second end of the axis.
        b: [f64; 3],
        /// Radius, above zero.
        radius: f64,
    },
    /// All points whose distance from the centre along each axis is below the half side.
    Box {
        /// Centre of the box.
        center: [f64; 3],
        /// Unit vectors along the sides, perpendicular to each other.
        axes: [[f64; 3]; 3],
        /// Half length of each side; the third is 0 in the plane.
        half: [f64; 3],
    },
    /// All points inside a closed surface of triangles.
    Facets {
        /// Points of the surface.
        points: Arc<[Vec3]>,
        /// Corners of each triangle, anticlockwise as seen from outside.
        facets: Arc<[[usize; 3]]>,
    },
    /// All points inside a polygon in the plane.
    Polygon {
        /// Corners, in order around it.
        points: Arc<[Vec3]>,
    },
}

impl Solid {
    /// Returns the shape of a solid that triangles enclose.
    pub(super) fn of_facets(facets: &Facets) -> Self {
        Self::Facets { points: facets.points().into(), facets: facets.triangles().into() }
    }

    /// Returns an empty solid.
    pub(super) fn nothing() -> Self {
        Self::Facets { points: [].into(), facets: [].into() }
    }

    /// Returns the 8 corners of a box; none for other solids. Bit k of a corner's index is set at
    /// the upper end along axis k.
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

    /// Transforms a solid from the coordinates of `frame` to scene coordinates.
    pub fn placed(&self, frame: &Placement) -> Self {
        let moved = |points: &[Vec3]| points.iter().map(|point| frame.point(*point)).collect();
        match *self {
            Self::Facets { ref points, ref facets } => {
                Self::Facets { points: moved(points), facets: Arc::clone(facets) }
            }
            Self::Polygon { ref points } => Self::Polygon { points: moved(points) },
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

/// A solid obstacle. In a planar scene, the z component of points is 0.
///
/// The shape and points of a moving collider are in the frame of its motion. Functions that take a
/// time use the coordinates of the scene.
pub trait Collider: Debug + Identity + Send + Sync {
    /// Returns the collider's name and options.
    fn info(&self) -> Info;

    /// Checks that all options are in range.
    fn check(&self) -> Result<(), BadOption>;

    /// Returns an error if the number of components of a point differs from the number of axes.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Returns the restitution and friction of the surface.
    fn surface(&self) -> Surface;

    /// Returns the motion of the collider's frame; `None` if the collider does not move.
    fn motion(&self) -> Option<Arc<dyn Motion>> {
        None
    }

    /// Returns the deformation of the collider; `None` if the collider is rigid.
    fn deformation(&self) -> Option<Arc<dyn Deformation>> {
        None
    }

    /// Returns the shape and velocities of a deforming collider at time `t`; `None` if it is rigid.
    fn posed_at(&self, _t: f64) -> Option<Arc<Posed>> {
        None
    }

    /// Returns the file that the collider still needs; `None` if the collider is complete.
    fn wanted_file(&self) -> Option<WantedFile<'_>> {
        None
    }

    /// Returns the collider with the content of the file that it needs.
    ///
    /// # Errors
    /// The content does not make a solid.
    fn with_file(&self, content: FileContent) -> Result<Arc<dyn Collider>, BadContent> {
        let _ = content;
        let message = format!("{} needs no file", self.info().name);
        Err(BadContent { entry: None, message, help: None })
    }

    /// Returns the shape for pictures, in the frame of the collider's motion.
    fn solid(&self) -> Solid;

    /// Returns the shape at time `t`, in the scene.
    fn solid_at(&self, t: f64) -> Solid {
        match self.motion() {
            None => self.solid(),
            Some(motion) => self.solid().placed(&motion.at(t)),
        }
    }

    /// Returns the signed distance of a point of the scene from the surface at time `t`, and the
    /// outward unit normal there.
    fn distance_at(&self, t: f64, point: [f64; 3]) -> (f64, [f64; 3]) {
        let Some(motion) = self.motion() else { return self.distance(point) };
        let frame = motion.at(t);
        let (distance, normal) = self.distance(frame.inverse(point));
        (distance, frame.turned(normal))
    }

    /// Returns the frame that carries the surface near a point of the scene at time `t`; `None` if
    /// the collider does not move.
    fn frame_at(&self, t: f64, _point: [f64; 3]) -> Option<Placement> {
        self.motion().map(|motion| motion.at(t))
    }

    /// Returns the hit of a path in the scene on the collider at time `t`, as
    /// [`Collider::sweep`].
    fn sweep_at(&self, t: f64, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        let Some(motion) = self.motion() else { return self.sweep(from, to, radius) };
        let frame = motion.at(t);
        self.sweep(frame.inverse(from), frame.inverse(to), radius)
    }

    /// Returns the signed distance of a point from the surface, below zero inside, and the outward
    /// unit normal there. The distance must be 1-Lipschitz: contacts skip distant nodes on that
    /// assumption.
    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]);

    /// Returns the first fraction of the path from `from` to `to`, 0 to 1, at which the distance
    /// falls to `radius`. Returns `None` if it does not or the point only moves away. A point that
    /// begins within the radius and moves inwards hits at 0.
    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64>;

    /// Returns the shape with precomputed values, whose results are bit-identical; `None` if there
    /// is nothing to precompute.
    #[doc(hidden)]
    fn shape(&self) -> Option<Shape> {
        None
    }
}

pub mod facets;
pub mod file;
pub(super) mod geometry;
pub(super) mod shape;

pub(super) use plane::check_surface;

#[doc(hidden)]
pub use shape::Shape;

table! {
    /// All colliders, in the order of listings.
    COLLIDERS: Info,
    /// Names of all colliders as written in scenes.
    COLLIDER_NAMES,
    Collider:
    plane::Plane,
    sphere::Sphere,
    capsule::Capsule,
    cuboid::Box,
    moving::Moving,
    mesh::Mesh,
    height_field::HeightField,
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
