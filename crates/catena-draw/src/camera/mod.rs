//! Cameras: from the plane, or from space, to pixels.
//!
//! A planar camera shifts and scales. A spatial one looks from an eye at a target: its axes are
//! right, up and ahead, and in perspective a pixel is focal length · (right, up) / ahead. Whatever
//! lies too near or behind the eye is clipped before the division. `frames` finds where the bodies
//! of a scene are in its frames, `reach` what they can reach, and [`Subject`] has the view of it.

mod bounds;
mod fit;
mod frames;
mod held;
mod leaders;
mod paths;
mod planar;
mod reach;
mod rigs;
mod spatial;

pub use fit::{Subject, fit, fit_viewpoint};
pub use frames::{BodyWatch, SeenFrames};
pub use planar::PlanarCamera;
pub use spatial::SpatialCamera;

use super::rect::Rect;
use super::vector::Vec3;
use catena_scene::{View, Viewpoint};

/// A point in the picture, with its depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenPoint {
    /// Its place in pixels; infinite if that is too large a number.
    pub at: [f64; 2],
    /// Its distance ahead of the eye; 0 in the plane.
    pub depth: f64,
}

/// Maps points, with y up, to pixels, with y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// Sees the plane.
    Planar(PlanarCamera),
    /// Sees space.
    Spatial(SpatialCamera),
}

impl Camera {
    /// A camera that shows a view as large as it fits into a rectangle.
    pub fn planar(view: View, rect: Rect) -> Self {
        Self::Planar(PlanarCamera::new(view, rect))
    }

    /// A camera at a viewpoint, whose angle or height of view spans the height of the rectangle.
    pub fn spatial(viewpoint: &Viewpoint, rect: Rect) -> Self {
        Self::Spatial(SpatialCamera::new(viewpoint, rect))
    }

    /// Where a point is seen; `None` if it lies behind the eye or is not finite.
    pub fn point(&self, at: Vec3) -> Option<ScreenPoint> {
        match self {
            Self::Planar(camera) => Some(camera.point(at)),
            Self::Spatial(camera) => camera.point(at),
        }
    }

    /// The visible part of a segment.
    pub fn segment(&self, a: Vec3, b: Vec3) -> Option<[ScreenPoint; 2]> {
        match self {
            Self::Planar(camera) => Some([camera.point(a), camera.point(b)]),
            Self::Spatial(camera) => camera.segment(a, b),
        }
    }

    /// The visible part of a polygon; empty if there is none.
    pub fn polygon(&self, corners: &[Vec3]) -> Vec<ScreenPoint> {
        match self {
            Self::Planar(camera) => corners.iter().map(|&at| camera.point(at)).collect(),
            Self::Spatial(camera) => camera.polygon(corners),
        }
    }

    /// Pixels per length at a depth.
    pub fn scale(&self, depth: f64) -> f64 {
        match self {
            Self::Planar(camera) => camera.scale,
            Self::Spatial(camera) => camera.scale(depth),
        }
    }
}
