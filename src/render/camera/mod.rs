//! From the plane, or from space, to pixels.
//!
//! A planar camera shifts and scales. A spatial one looks from an eye at a target: right, up and ahead are its axes,
//! and in perspective a pixel is focal length · (right, up) / ahead. What lies too near or behind the eye is cut off
//! before the division. [`reach`] finds what the bodies of a scene can reach, and [`fit`] the view of all that.

mod fit;
mod planar;
mod reach;
mod spatial;

pub use fit::{fit, fit_viewpoint};
pub use planar::Planar;
pub use spatial::Spatial;

use super::layout::Rect;
use super::vector::Vec3;
use crate::scene::{View, Viewpoint};

/// A point as the camera sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Where it lies in the picture, in pixels; infinite where that is too far to say.
    pub at: [f64; 2],
    /// How far ahead of the eye it lies; 0 in the plane.
    pub depth: f64,
}

/// Maps points to pixels, y pointing up in the one and down in the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Camera {
    /// Sees the plane.
    Planar(Planar),
    /// Sees space.
    Spatial(Spatial),
}

impl Camera {
    /// Shows a part of the plane as large as it fits into a rectangle.
    pub fn planar(view: View, rect: Rect) -> Self {
        Self::Planar(Planar::new(view, rect))
    }

    /// Shows space from a viewpoint; its angle or height of view is that of the rectangle.
    pub fn spatial(viewpoint: &Viewpoint, rect: Rect) -> Self {
        Self::Spatial(Spatial::new(viewpoint, rect))
    }

    /// Where a point is seen; `None` where it lies behind the eye or is not finite.
    pub fn point(&self, at: Vec3) -> Option<Seen> {
        match self {
            Self::Planar(camera) => Some(camera.point(at)),
            Self::Spatial(camera) => camera.point(at),
        }
    }

    /// What is seen of a segment.
    pub fn segment(&self, a: Vec3, b: Vec3) -> Option<[Seen; 2]> {
        match self {
            Self::Planar(camera) => Some([camera.point(a), camera.point(b)]),
            Self::Spatial(camera) => camera.segment(a, b),
        }
    }

    /// What is seen of a polygon; empty where nothing is.
    pub fn polygon(&self, corners: &[Vec3]) -> Vec<Seen> {
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
