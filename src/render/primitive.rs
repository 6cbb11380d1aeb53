//! What a three-dimensional scene is drawn from: strokes, discs and facets, the farthest first.

use super::camera::{Camera, Seen, Spatial};
use super::canvas::{Canvas, Pen};
use super::layout::Rect;
use super::theme::{Ink, mix};
use super::vector::{Vec3, cross, dot, middle, sub, unit};
use image::Rgb;

/// One thing to draw, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// How far away its middle is.
    pub depth: f64,
    /// Its colour.
    pub ink: Ink,
    /// What it is.
    pub mark: Mark,
}

/// What a primitive is.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
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
    /// A filled polygon, grown by half a pixel so that no gap shows to its neighbour.
    Facet(Vec<[f64; 2]>),
}

impl Mark {
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

/// A line of space as a primitive, if it is seen.
pub fn stroke(camera: &Camera, [a, b]: [Vec3; 2], ink: Ink, width: f64) -> Option<Primitive> {
    let [a, b] = camera.segment(a, b)?;
    let mark = Mark::Stroke { ends: [a.at, b.at], width };
    Some(Primitive { depth: 0.5 * (a.depth + b.depth), ink, mark })
}

/// A polygon of space as a primitive, if it is seen.
pub fn facet(camera: &Camera, corners: &[Vec3], ink: Ink) -> Option<Primitive> {
    let seen = camera.polygon(corners);
    let depth = seen.iter().map(|seen| seen.depth).sum::<f64>() / seen.len() as f64;
    let corners: Vec<_> = seen.into_iter().map(|Seen { at, .. }| at).collect();
    (corners.len() >= 3).then_some(Primitive { depth, ink, mark: Mark::Facet(corners) })
}

/// Draws primitives, the farthest first and those of the same depth in their order. What follows each other in one
/// colour is one shape, so that it never blends twice.
pub fn draw(canvas: &mut Canvas, clip: Rect, mut primitives: Vec<Primitive>) {
    primitives.retain(|primitive| primitive.depth.is_finite());
    primitives.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    for run in primitives.chunk_by(|a, b| a.ink == b.ink) {
        canvas.shape(clip, run[0].ink, |pen| run.iter().for_each(|one| one.mark.draw(pen)));
    }
}

/// Where the light comes from; its length does not matter.
const LIGHT: Vec3 = [0.4, 1.0, 0.6];

/// The share of the light that comes from everywhere.
const AMBIENT: f64 = 0.35;

/// How much of its colour the back of a cloth keeps, of 256.
const BACK: i32 = 176;

/// The tone of a sheet's facet: bright where it stands across the light, whichever side it shows, and darker on the
/// back, which is where its normal leads away from the eye.
pub fn sheet_tone(camera: &Spatial, corners: &[Vec3], normal: Vec3, ink: Ink) -> Ink {
    let normal = unit(normal);
    let is_back = dot(normal, camera.to_eye(middle(corners))) < 0.0;
    let ink = if is_back { mix(BLACK, ink, BACK) } else { ink };
    toned(ink, dot(normal, unit(LIGHT)).abs())
}

/// The tone of a solid's facet, or `None` where it shows its back.
pub fn solid_tone(camera: &Spatial, corners: &[Vec3], normal: Vec3, ink: Ink) -> Option<Ink> {
    let faces_eye = dot(normal, camera.to_eye(middle(corners))) > 0.0;
    // Half of the way around the edge between light and shade, so that what lies in the shade has a shape, too.
    faces_eye.then(|| toned(ink, 0.5 + 0.5 * dot(normal, unit(LIGHT))))
}

/// The normal of a facet of four corners, of any length.
pub fn normal([a, b, c, d]: [Vec3; 4]) -> Vec3 {
    cross(sub(c, a), sub(d, b))
}

const BLACK: Ink = Rgb([0; 3]);

fn toned(ink: Ink, light: f64) -> Ink {
    let share = AMBIENT + (1.0 - AMBIENT) * light.clamp(0.0, 1.0);
    mix(BLACK, ink, (256.0 * share).round() as i32)
}
