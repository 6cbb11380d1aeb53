//! Primitives of a three-dimensional scene: strokes, discs and facets, drawn the farthest first.

use super::camera::{Camera, ScreenPoint, SpatialCamera};
use super::canvas::{Canvas, Pen};
use super::rect::Rect;
use super::theme::{Ink, mix};
use super::vector::{Vec3, cross, dot, middle, sub, unit};
use image::Rgb;

/// A shape in pixels, with its depth and colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Depth of its middle.
    pub depth: f64,
    /// Its colour.
    pub ink: Ink,
    /// Its shape.
    pub shape: PrimitiveShape,
}

/// The shape of a primitive.
#[derive(Clone, Debug, PartialEq)]
pub enum PrimitiveShape {
    /// A line with round ends.
    Stroke {
        /// Where it begins and where it ends.
        ends: [[f64; 2]; 2],
        /// Its thickness.
        width: f64,
    },
    /// A filled circle.
    Disc {
        /// Its middle.
        center: [f64; 2],
        /// Its diameter.
        size: f64,
    },
    /// A filled square.
    Square {
        /// Its middle.
        center: [f64; 2],
        /// Its side.
        size: f64,
    },
    /// A filled polygon, grown by half a pixel so that no gap to its neighbour shows.
    Facet(Vec<[f64; 2]>),
}

impl PrimitiveShape {
    fn draw(&self, pen: &mut Pen<'_>) {
        match self {
            Self::Stroke { ends: [a, b], width } => {
                pen.line(*a, *b, *width);
                pen.disc(*a, *width);
                pen.disc(*b, *width);
            }
            Self::Disc { center, size } => pen.disc(*center, *size),
            Self::Square { center, size } => pen.square(*center, *size),
            Self::Facet(corners) => {
                pen.polygon(corners);
                pen.outline(corners, 1.0);
            }
        }
    }
}

/// A line in space as a primitive; `None` if no part is visible.
pub fn stroke(camera: &Camera, [a, b]: [Vec3; 2], ink: Ink, width: f64) -> Option<Primitive> {
    let [a, b] = camera.segment(a, b)?;
    let shape = PrimitiveShape::Stroke { ends: [a.at, b.at], width };
    Some(Primitive { depth: 0.5 * (a.depth + b.depth), ink, shape })
}

/// A polygon in space as a primitive; `None` if no part is visible.
pub fn facet(camera: &Camera, corners: &[Vec3], ink: Ink) -> Option<Primitive> {
    let seen = camera.polygon(corners);
    let depth = seen.iter().map(|seen| seen.depth).sum::<f64>() / seen.len() as f64;
    let corners: Vec<_> = seen.into_iter().map(|ScreenPoint { at, .. }| at).collect();
    (corners.len() >= 3).then_some(Primitive { depth, ink, shape: PrimitiveShape::Facet(corners) })
}

/// Draws primitives, the farthest first and those of equal depth in their order. Neighbours of one
/// colour become one shape, so that they never blend twice.
pub fn draw(canvas: &mut Canvas, clip: Rect, mut primitives: Vec<Primitive>) {
    primitives.retain(|primitive| primitive.depth.is_finite());
    primitives.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    for run in primitives.chunk_by(|a, b| a.ink == b.ink) {
        canvas.shape(clip, run[0].ink, |pen| run.iter().for_each(|one| one.shape.draw(pen)));
    }
}

/// The direction to the light, of any length.
const LIGHT: Vec3 = [0.4, 1.0, 0.6];

/// The share of ambient light.
const AMBIENT: f64 = 0.35;

/// The share of its colour that the back of a cloth keeps, of 256.
const BACK: i32 = 176;

/// The shade of a sheet's facet: brightest across the light, and darker if its normal points away
/// from the eye, which shows its back.
pub fn sheet_shade(camera: &SpatialCamera, corners: &[Vec3], normal: Vec3, ink: Ink) -> Ink {
    let normal = unit(normal);
    let is_back = dot(normal, camera.to_eye(middle(corners))) < 0.0;
    let ink = if is_back { mix(BLACK, ink, BACK) } else { ink };
    shaded(ink, dot(normal, unit(LIGHT)).abs())
}

/// The shade of a solid's facet; `None` if it shows its back.
pub fn solid_shade(
    camera: &SpatialCamera,
    corners: &[Vec3],
    normal: Vec3,
    ink: Ink,
) -> Option<Ink> {
    let faces_eye = dot(normal, camera.to_eye(middle(corners))) > 0.0;
    // The light fades to 0 only opposite of it, so that the side in shade shows its shape too.
    faces_eye.then(|| shaded(ink, 0.5 + 0.5 * dot(normal, unit(LIGHT))))
}

/// A normal of a facet of four corners, of any length.
pub fn normal([a, b, c, d]: [Vec3; 4]) -> Vec3 {
    cross(sub(c, a), sub(d, b))
}

const BLACK: Ink = Rgb([0; 3]);

/// A colour in light of a strength from 0 to 1, with ambient light added.
fn shaded(ink: Ink, light: f64) -> Ink {
    let share = AMBIENT + (1.0 - AMBIENT) * light.clamp(0.0, 1.0);
    mix(BLACK, ink, (256.0 * share).round() as i32)
}
