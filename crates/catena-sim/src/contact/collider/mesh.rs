//! A solid bounded by the triangles of a file, in any place, size and orientation.

use super::facets::{Facets, Unclosed};
use super::file::{BadContent, FileContent, FileKind, WantedFile};
use super::plane::{FRICTION, RESTITUTION, check_surface};
use super::{Collider, Shape, Solid, Surface};
use crate::body::vector::{Vec3, add, dot, scaled, unit};
use crate::named::Components;
use crate::named::{BadOption, Info, OptionInfo, OptionKind};
use glam::{DQuat, DVec3};
use serde::Deserialize;
use std::sync::Arc;

/// A solid from a file with its surface properties.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// Name of the file.
    pub file: String,
    /// Position of the file's origin; `None` for the origin of the scene.
    #[serde(default)]
    pub place: Option<Components>,
    /// Factor by which all coordinates are multiplied, above zero.
    #[serde(default = "one")]
    pub scale: f64,
    /// Angle about the axis through the file's origin, in degrees.
    #[serde(default)]
    pub turn: f64,
    /// Axis of the rotation; `None` for the z axis.
    #[serde(default)]
    pub axis: Option<Components>,
    /// Coefficient of restitution, 0 to 1.
    #[serde(default)]
    pub restitution: f64,
    /// Coefficient of Coulomb friction, at least 0.
    #[serde(default)]
    pub friction: f64,
    /// The solid; `None` until the file is read.
    #[serde(skip)]
    pub solid: Option<Arc<Facets>>,
}
crate::identity!(Mesh { file, place, scale, turn, axis, restitution, friction, solid });

fn one() -> f64 {
    1.0
}

const FILE: OptionInfo = OptionInfo {
    name: "file",
    summary: "Wavefront OBJ, STL or PLY file with a closed surface",
    default: OptionInfo::NEEDED,
    range: "the name of a mesh file in quotes",
    kind: OptionKind::File(&["obj", "stl", "ply"]),
    ..OptionInfo::PLAIN
};

pub(super) const PLACE: OptionInfo = OptionInfo {
    name: "place",
    summary: "position of the origin of the file in the scene",
    default: "the origin of the scene",
    range: Components::EXPECTED,
    unit: "length",
    ..OptionInfo::PLAIN
};

const SCALE: OptionInfo = OptionInfo {
    name: "scale",
    summary: "scale factor of all coordinates of the file",
    default: "1",
    range: "a number above 0, at most 1e100",
    ..OptionInfo::PLAIN
};

const TURN: OptionInfo = OptionInfo {
    name: "turn",
    summary: "angle by which the mesh is rotated about the origin of the file",
    default: "0",
    range: "a finite number of degrees",
    unit: "degrees",
    ..OptionInfo::PLAIN
};

const AXIS: OptionInfo = OptionInfo {
    name: "axis",
    summary: "axis of the rotation",
    default: "along z",
    range: "a vector that is not zero",
    ..OptionInfo::PLAIN
};

impl Mesh {
    pub(super) const INFO: Info = Info {
        name: "Mesh",
        summary: "solid bounded by the triangles of a file",
        options: &[FILE, PLACE, SCALE, TURN, AXIS, RESTITUTION, FRICTION],
    };

    /// Creates a mesh from a solid instead of a file.
    pub fn new(solid: Facets, surface: Surface) -> Self {
        let Surface { restitution, friction } = surface;
        let (file, place, axis) = Default::default();
        let solid = Some(Arc::new(solid));
        Self { file, place, scale: 1.0, turn: 0.0, axis, restitution, friction, solid }
    }

    /// Transforms points of the file to their positions in the scene.
    fn placed(&self, points: &[Vec3]) -> Vec<Vec3> {
        let axis = self.axis.map_or([0.0, 0.0, 1.0], |axis| unit(axis.xyz()));
        let (sin, cos) = libm::sincos(0.5 * self.turn.to_radians());
        let [x, y, z] = scaled(axis, sin);
        let turn = DQuat::from_xyzw(x, y, z, cos);
        let origin = self.place.map_or([0.0; 3], |place| place.xyz());
        let turned = |point: &Vec3| {
            let point = scaled(*point, self.scale);
            if self.turn == 0.0 { point } else { (turn * DVec3::from_array(point)).to_array() }
        };
        points.iter().map(|point| add(origin, turned(point))).collect()
    }
}

/// Returns the error for triangles that do not enclose a solid.
pub(super) fn refused(reason: Unclosed, points: &[Vec3]) -> BadContent {
    let at = |[a, b]: [usize; 2]| {
        let shown = |point: usize| points[point].map(|x| format!("{x}")).join(", ");
        format!("the edge from ({}) to ({})", shown(a), shown(b))
    };
    let merge = "a collider is a solid, so its surface needs to be closed: fill the holes in a \
                 modelling program";
    let (entry, message, help) = match reason {
        Unclosed::Empty => (None, "it has no triangles".into(), None),
        Unclosed::Missing { facet } => {
            (Some(facet), "a triangle refers to a vertex that does not exist".into(), None)
        }
        Unclosed::Flat { facet } => (Some(facet), "a triangle has no area".into(), None),
        Unclosed::Open { facet, edge, count } => {
            let more = match count {
                1 => String::new(),
                2 => " and so does one other edge".into(),
                _ => format!(" and so do {} other edges", count - 1),
            };
            let message = format!("{} belongs to only one triangle{more}", at(edge));
            (Some(facet), message, Some(merge))
        }
        Unclosed::Crowded { facet, edge } => {
            let message = format!("{} belongs to more than two triangles", at(edge));
            (
                Some(facet),
                message,
                Some(
                    "every edge of a solid belongs to exactly two triangles: separate the pieces \
                     that touch",
                ),
            )
        }
        Unclosed::OneSided { facet } => {
            (Some(facet), "the surface has no inside and outside".into(), None)
        }
    };
    BadContent { entry, message, help }
}

impl Collider for Mesh {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        SCALE.check(self.scale > 0.0 && self.scale <= 1e100)?;
        TURN.check(self.turn.is_finite())?;
        let is_vector = |axis: Components| dot(axis.xyz(), axis.xyz()).is_normal();
        AXIS.check(self.axis.is_none_or(is_vector))?;
        check_surface(self.surface())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        let expected = "a three-dimensional scene, but this one is planar: use a HeightField or a \
                        Box";
        BadOption::unless(axes == 3, "file", expected)?;
        self.place.map_or(Ok(()), |place| place.check(&PLACE, axes))?;
        self.axis.map_or(Ok(()), |axis| axis.check(&AXIS, axes))
    }

    fn surface(&self) -> Surface {
        Surface { restitution: self.restitution, friction: self.friction }
    }

    fn wanted_file(&self) -> Option<WantedFile<'_>> {
        self.solid.is_none().then_some(WantedFile { name: &self.file, kind: FileKind::Mesh })
    }

    fn with_file(&self, content: FileContent) -> Result<Arc<dyn Collider>, BadContent> {
        let FileContent::Mesh { points, facets } = content else {
            return Err(BadContent { entry: None, message: "no mesh".into(), help: None });
        };
        let placed = self.placed(&points);
        let solid = Facets::new(placed, &facets).map_err(|reason| refused(reason, &points))?;
        Ok(Arc::new(Self { solid: Some(Arc::new(solid)), ..self.clone() }))
    }

    fn solid(&self) -> Solid {
        self.solid.as_ref().map_or_else(Solid::nothing, |solid| Solid::of_facets(solid))
    }

    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.solid.as_ref().map_or((f64::INFINITY, [0.0, 1.0, 0.0]), |it| it.distance(point))
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.solid.as_ref()?.sweep(from, to, radius)
    }

    fn shape(&self) -> Option<Shape> {
        self.solid.as_ref().map(|solid| Shape::Facets(Arc::clone(solid), None))
    }
}
