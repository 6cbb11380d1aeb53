//! Cameras: mapping from the plane or from space to pixels.
//!
//! A planar camera shifts and scales. A spatial camera looks from an eye at a target. Its axes are
//! right, up and ahead, and its perspective maps a point to focal length · (right, up) / ahead.
//! Anything too close to the eye or behind it is clipped before the division. `frames` finds the
//! positions of bodies in all frames, `reach` their maximum reach, and [`Subject`] the view.

mod bounds;
mod core;
mod fit;
mod frames;
mod held;
mod leaders;
mod reach;
mod spatial;

pub use bounds::Bounds;
pub use core::FrameBoxes;
pub use fit::{Subject, fit, fit_viewpoint};
pub use frames::{BodyWatch, SeenFrames};
pub use spatial::SpatialCamera;

use super::rect::Rect;
use super::vector::Vec3;
use catena_scene::{View, Viewpoint};

/// A point in the picture and its depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenPoint {
    /// Position in pixels; infinite on overflow.
    pub at: [f64; 2],
    /// Distance ahead of the eye; 0 in the plane.
    pub depth: f64,
}

/// Maps points, with y up, to pixels, with y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// Camera of a planar scene.
    Planar(PlanarCamera),
    /// Camera of a scene in space.
    Spatial(SpatialCamera),
}

impl Camera {
    /// Camera that shows a view as large as possible inside a rectangle.
    pub fn planar(view: View, rect: Rect) -> Self {
        Self::Planar(PlanarCamera::new(view, rect))
    }

    /// Camera at a viewpoint. The angle or height of view spans the height of the rectangle.
    pub fn spatial(viewpoint: &Viewpoint, rect: Rect) -> Self {
        Self::Spatial(SpatialCamera::new(viewpoint, rect))
    }

    /// Projection of a point. `None` if it is behind the eye or not finite.
    pub fn point(&self, at: Vec3) -> Option<ScreenPoint> {
        match self {
            Self::Planar(camera) => Some(camera.point(at)),
            Self::Spatial(camera) => camera.point(at),
        }
    }

    /// Visible part of a segment.
    pub fn segment(&self, a: Vec3, b: Vec3) -> Option<[ScreenPoint; 2]> {
        match self {
            Self::Planar(camera) => Some([camera.point(a), camera.point(b)]),
            Self::Spatial(camera) => camera.segment(a, b),
        }
    }

    /// Visible part of a polygon; empty if there is none.
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

/// Maps points of the plane to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarCamera {
    /// Pixels per length.
    pub scale: f64,
    /// Point of the plane at the centre of the picture.
    center: [f64; 2],
    /// Centre of the rectangle in pixels.
    middle: [f64; 2],
}

impl PlanarCamera {
    /// Camera that shows a view as large as possible inside a rectangle.
    pub fn new(view: View, rect: Rect) -> Self {
        let scale = (f64::from(rect.w) / view.extent[0]).min(f64::from(rect.h) / view.extent[1]);
        let middle = [
            f64::from(rect.x) + f64::from(rect.w) / 2.0,
            f64::from(rect.y) + f64::from(rect.h) / 2.0,
        ];
        Self { scale, center: view.center, middle }
    }

    /// Projection of a point.
    pub fn point(&self, [x, y, _]: Vec3) -> ScreenPoint {
        let at = [
            self.middle[0] + (x - self.center[0]) * self.scale,
            self.middle[1] - (y - self.center[1]) * self.scale,
        ];
        ScreenPoint { at, depth: 0.0 }
    }
}
