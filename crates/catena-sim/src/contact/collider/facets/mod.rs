//! Solids bounded by triangles: signed distances, and hits of straight paths.
//!
//! The sign of a distance follows from the normal of the nearest part. At an edge, this is the sum
//! of the normals of both triangles. At a corner, it is the sum of the normals of all triangles,
//! weighted by their angles (Bærentzen, Aanæs 2005, "Signed distance computation using the angle
//! weighted pseudonormal"). A triangle is convex, so the distance from it is convex along a path.
//! Newton's method from the start therefore never passes the first hit. Triangles stop paths from
//! outside only.

mod closed;
mod nearest;
mod tree;
mod visits;

use crate::body::vector::{Vec3, add, along, cross, dot, greatest, norm, scaled, scaled_norm, sub};
use crate::identity::{Identifier, Identity};
use closed::Shell;
pub use closed::Unclosed;
use nearest::{FacetPart, nearest};
use std::sync::Arc;
use tree::{FacetBounds, Tree};
pub(crate) use visits::Visits;

/// Maximum number of Newton steps of a sweep.
const STEPS: usize = 100;

/// Rounding error of a distance, as a share of the magnitude of the coordinates.
const BLUR: f64 = 1e-13;

/// Triangles with their neighbours and tree, which all shapes of a deforming surface share.
#[derive(Debug, PartialEq)]
struct Topology {
    shell: Shell,
    tree: Tree,
}

/// A solid bounded by triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Facets {
    topology: Arc<Topology>,
    points: Vec<Vec3>,
    /// Unit normal of each triangle; 0 for one without area. Empty for a deforming surface, whose
    /// normals are computed on demand because a step needs few.
    normals: Vec<Vec3>,
    boxes: Vec<FacetBounds>,
    /// Centre and radius of a ball around all points.
    ball: (Vec3, f64),
    /// Magnitude of the coordinates.
    size: f64,
    /// Whether the solid is a prism along z for a planar scene, in the plane z = 0.
    is_planar: bool,
}

/// Points and the corners of triangles determine all other fields.
impl Identity for Facets {
    fn identify(&self, to: &mut Identifier<'_>) {
        (self.is_planar, &self.points[..]).identify(to);
        self.triangles().identify(to);
    }
}

/// Point of a surface that is nearest to a given point.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct NearestPlace {
    /// Triangle that contains the point, possibly on an edge or at a corner.
    pub(in crate::contact) facet: usize,
    pub(in crate::contact) at: Vec3,
    part: FacetPart,
    square: f64,
}

impl Facets {
    /// Creates the solid that triangles enclose. The order of the corners of a triangle does not
    /// matter.
    ///
    /// # Errors
    /// The triangles do not bound a solid.
    pub fn new(points: Vec<Vec3>, facets: &[[usize; 3]]) -> Result<Self, Unclosed> {
        let shell = Shell::new(&points, facets)?;
        let corners = shell.facets.iter().map(|facet| facet.map(|corner| points[corner]));
        let middles: Vec<Vec3> =
            corners.map(|[a, b, c]| scaled(add(add(a, b), c), 1.0 / 3.0)).collect();
        let tree = Tree::new(&middles);
        let topology = Arc::new(Topology { shell, tree });
        let (normals, boxes) = Default::default();
        let ball = ([0.0; 3], 0.0);
        let mut solid =
            Self { topology, points, normals, boxes, ball, size: 0.0, is_planar: false };
        solid.fit();
        solid.normals = (0..facets.len()).map(|facet| solid.normal(facet)).collect();
        Ok(solid)
    }

    /// Marks the solid as a prism along z for a planar scene, in the plane z = 0.
    pub(super) fn in_plane(self) -> Self {
        Self { is_planar: true, ..self }
    }

    /// Returns the surface with its points moved to `points`.
    pub(in crate::contact) fn moved(&self, points: Vec<Vec3>) -> Self {
        let mut moved = Self {
            topology: Arc::clone(&self.topology),
            points,
            normals: Vec::new(),
            boxes: Vec::new(),
            ball: self.ball,
            size: self.size,
            is_planar: self.is_planar,
        };
        moved.fit();
        moved
    }

    /// Corners of all triangles, anticlockwise as seen from outside.
    pub fn triangles(&self) -> &[[usize; 3]] {
        &self.topology.shell.facets
    }

    /// Points of the surface.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Centre and radius of a ball around all points.
    pub(super) fn around(&self) -> (Vec3, f64) {
        self.ball
    }

    /// Magnitude of the coordinates.
    pub(in crate::contact) fn size(&self) -> f64 {
        self.size
    }

    /// Corners of a triangle.
    #[inline]
    pub(in crate::contact) fn corners(&self, facet: usize) -> [Vec3; 3] {
        self.topology.shell.facets[facet].map(|corner| self.points[corner])
    }

    /// Returns the unit normal of a triangle; 0 for one without area.
    #[inline]
    fn normal(&self, facet: usize) -> Vec3 {
        self.normals.get(facet).copied().unwrap_or_else(|| {
            let [a, b, c] = self.corners(facet);
            let area = cross(sub(b, a), sub(c, a));
            let length = scaled_norm(area);
            if length > 0.0 { scaled(area, 1.0 / length) } else { [0.0; 3] }
        })
    }

    /// Computes boxes and sizes from the points.
    fn fit(&mut self) {
        let mut boxes = std::mem::take(&mut self.boxes);
        self.topology.tree.fit(|facet| FacetBounds::of(&self.corners(facet)), &mut boxes);
        self.boxes = boxes;
        let FacetBounds { low, high } = self.boxes[0];
        let middle = scaled(add(low, high), 0.5);
        let square = |point: &Vec3| {
            let offset = sub(*point, middle);
            dot(offset, offset)
        };
        self.ball = (middle, self.points.iter().map(square).fold(0.0, f64::max).sqrt());
        self.size = self.points.iter().map(|point| greatest(*point)).fold(0.0, f64::max);
    }

    /// Returns the point of the surface that is nearest to `point`.
    pub(in crate::contact) fn nearest(&self, point: Vec3) -> NearestPlace {
        let mut best = NearestPlace {
            facet: 0,
            at: [f64::NAN; 3],
            part: FacetPart::Face,
            square: f64::INFINITY,
        };
        self.topology.tree.nearest(&self.boxes, point, f64::INFINITY, |facet| {
            let (part, at) = nearest(self.corners(facet), point);
            let offset = sub(point, at);
            let square = dot(offset, offset);
            if square < best.square || (square == best.square && facet < best.facet) {
                best = NearestPlace { facet, at, part, square };
            }
            best.square
        });
        best
    }

    /// Returns the signed distance of a point, below zero inside, and the outward unit normal.
    pub fn distance(&self, point: Vec3) -> (f64, Vec3) {
        let place = self.nearest(point);
        let out = self.pseudonormal(&place);
        if place.part == FacetPart::Face {
            return (dot(sub(point, place.at), out), self.flat(out));
        }
        let offset = sub(point, place.at);
        let length = scaled_norm(offset);
        let side = if dot(offset, out) < 0.0 { -1.0 } else { 1.0 };
        if length <= BLUR * self.size {
            return (side * length, self.flat(out));
        }
        (side * length, self.flat(scaled(offset, side / length)))
    }

    /// Sets the z component of a normal to 0 in planar scenes, where it is a rounding error.
    fn flat(&self, normal: Vec3) -> Vec3 {
        if self.is_planar { [normal[0], normal[1], 0.0] } else { normal }
    }

    /// Returns the unit normal at a place of the surface. For a point whose nearest place this is,
    /// the normal determines whether the point is outside.
    fn pseudonormal(&self, place: &NearestPlace) -> Vec3 {
        let shell = &self.topology.shell;
        let sum = match place.part {
            FacetPart::Face => return self.normal(place.facet),
            FacetPart::Edge(edge) => {
                add(self.normal(place.facet), self.normal(shell.beyond[place.facet][edge]))
            }
            FacetPart::Corner(corner) => {
                let point = shell.facets[place.facet][corner];
                let triangles = shell.around(point).len() as u64;
                Visits { triangles, ..Visits::default() }.record();
                let angle = |facet: usize| self.angle(facet, point);
                let around = shell.around(point).iter();
                around.fold([0.0; 3], |sum, &facet| along(sum, angle(facet), self.normal(facet)))
            }
        };
        let length = scaled_norm(sum);
        if length > 0.0 { scaled(sum, 1.0 / length) } else { self.normal(place.facet) }
    }

    /// Returns the angle of a triangle at one of its points.
    fn angle(&self, facet: usize, point: usize) -> f64 {
        let corners = self.topology.shell.facets[facet];
        let k = corners.iter().position(|&corner| corner == point).unwrap_or(0);
        let at = |step: usize| self.points[corners[(k + step) % 3]];
        let (a, b) = (sub(at(1), at(0)), sub(at(2), at(0)));
        libm::atan2(norm(cross(a, b)), dot(a, b))
    }

    /// Returns the first fraction of a path, 0 to 1, at which the distance falls to `radius`.
    /// Returns `None` if it does not.
    pub fn sweep(&self, from: Vec3, to: Vec3, radius: f64) -> Option<f64> {
        self.hit(from, to, radius).map(|(share, _)| share)
    }

    /// Returns the first fraction of a path at which the distance falls to `radius`, and the normal
    /// of the part that is hit. In a valley, this normal may differ from the normal of the nearest
    /// part.
    pub(in crate::contact) fn hit(&self, from: Vec3, to: Vec3, radius: f64) -> Option<(f64, Vec3)> {
        let displacement = sub(to, from);
        let blur = BLUR * (self.size + greatest(from) + radius);
        let at = FacetBounds::of(&[from, to]);
        let mut first: Option<(f64, Vec3)> = None;
        let mut is_near = false;
        self.topology.tree.meeting(&self.boxes, &at, radius + blur, |facet| {
            is_near = true;
            if dot(self.normal(facet), displacement) >= 0.0 {
                return;
            }
            let hit = self.sweep_facet(facet, from, displacement, radius, blur);
            // At equal times the steepest hit counts.
            let rank = |(share, normal): (f64, Vec3)| (share, dot(normal, displacement));
            if let Some(hit) = hit
                && first.is_none_or(|first| rank(hit) < rank(first))
            {
                first = Some((hit.0, self.flat(hit.1)));
            }
        });
        if !is_near && !at.meets(&self.boxes[0], radius + blur) {
            return None;
        }
        if first.is_none_or(|(share, _)| share > 0.0) {
            let (distance, normal) = self.distance(from);
            if distance < -blur {
                return (dot(normal, displacement) < 0.0).then_some((0.0, normal));
            }
        }
        first
    }

    /// Returns the first fraction of a path at which the distance from a triangle falls to a
    /// radius. `blur` is the rounding error of lengths. A path that begins more than `blur` behind
    /// the triangle does not hit it.
    fn sweep_facet(
        &self,
        facet: usize,
        from: Vec3,
        displacement: Vec3,
        radius: f64,
        blur: f64,
    ) -> Option<(f64, Vec3)> {
        let (corners, flat) = (self.corners(facet), self.normal(facet));
        let mut share = 0.0;
        for _ in 0..STEPS {
            Visits { triangles: 1, ..Visits::default() }.record();
            let point = along(from, share, displacement);
            let (part, at) = nearest(corners, point);
            let off = sub(point, at);
            let (gap, normal) = if part == FacetPart::Face {
                let height = dot(off, flat);
                if height < -2.0 * blur {
                    return None;
                }
                (height - radius, flat)
            } else {
                let length = scaled_norm(off);
                if length == 0.0 {
                    return (radius > 0.0).then_some((share, flat));
                }
                // A path that grazes an edge next to a flat neighbour does not hit it.
                (length - radius + blur, scaled(off, 1.0 / length))
            };
            let rate = dot(normal, displacement);
            if rate >= 0.0 {
                return None;
            }
            let free = gap.max(0.0) / -rate;
            if share + free > 1.0 {
                return None;
            }
            if share + free <= share * (1.0 + f64::EPSILON) {
                return (part == FacetPart::Face || radius > 0.0).then_some((share, normal));
            }
            share += free;
        }
        None
    }
}
