//! Camera of a scene in space, defined like gluLookAt and gluPerspective. The field of view is the
//! angle between the lowest and the highest line of sight.

use super::ScreenPoint;
use crate::{
    clip,
    rect::Rect,
    vector::{Vec3, add, cross, dot, norm, scaled, sub, unit},
};
use catena_scene::{Lens, Viewpoint};
use std::f64::consts::PI;

/// Distance of the near plane, as a share of the distance from the eye to the target.
const NEAR: f64 = 1e-3;

/// Maps points of space to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialCamera {
    eye: Vec3,
    target: Vec3,
    /// Axes of the camera: right, up and ahead.
    axes: [Vec3; 3],
    /// Centre of the rectangle in pixels.
    middle: [f64; 2],
    /// Width and height of the rectangle in pixels.
    size: [f64; 2],
    /// Pixels per length; in perspective, at distance 1.
    focal: f64,
    is_perspective: bool,
    /// Minimum visible depth. An orthographic view also shows points behind its eye.
    near: f64,
}

impl SpatialCamera {
    /// Camera at a viewpoint, for a rectangle of the picture.
    pub fn new(viewpoint: &Viewpoint, rect: Rect) -> Self {
        let offset = sub(viewpoint.target, viewpoint.eye);
        let ahead = unit(offset);
        let right = unit(cross(ahead, viewpoint.up));
        let height = f64::from(rect.h);
        let (focal, is_perspective) = match viewpoint.lens {
            Lens::Perspective { field_of_view } => {
                (height / 2.0 / libm::tan(field_of_view * PI / 360.0), true)
            }
            Lens::Orthographic { height: visible } => (height / visible, false),
        };
        Self {
            eye: viewpoint.eye,
            target: viewpoint.target,
            axes: [right, cross(right, ahead), ahead],
            middle: [f64::from(rect.x) + f64::from(rect.w) / 2.0, f64::from(rect.y) + height / 2.0],
            size: [rect.w, rect.h].map(f64::from),
            focal,
            is_perspective,
            near: if is_perspective { NEAR * norm(offset) } else { f64::MIN },
        }
    }

    /// Position of the eye.
    pub fn eye(&self) -> Vec3 {
        self.eye
    }

    /// Whether the projection is a perspective rather than orthographic.
    pub fn is_perspective(&self) -> bool {
        self.is_perspective
    }

    /// Directions that are up in the picture, and into it.
    pub fn up_and_ahead(&self) -> [Vec3; 2] {
        [self.axes[1], self.axes[2]]
    }

    /// Vector from the target of the camera to a point.
    pub fn from_target(&self, at: Vec3) -> Vec3 {
        sub(at, self.target)
    }

    /// Point at an offset from the camera's target.
    pub fn at_target(&self, offset: Vec3) -> Vec3 {
        add(self.target, offset)
    }

    /// Minimum visible depth.
    pub fn near(&self) -> f64 {
        self.near
    }

    /// Four planes (a, b, c, d) in camera axes. a·right + b·up + c·ahead + d is positive for points
    /// that are at most `outside` pixels outside the rectangle.
    pub fn sides(&self, outside: f64) -> [[f64; 4]; 4] {
        let [x, y] = self.size.map(|side| (side / 2.0 + outside) / self.focal);
        let plane = |right: f64, up: f64, reach: f64| match self.is_perspective {
            true => [right, up, reach, 0.0],
            false => [right, up, 0.0, reach],
        };
        [plane(1.0, 0.0, x), plane(-1.0, 0.0, x), plane(0.0, 1.0, y), plane(0.0, -1.0, y)]
    }

    /// Pixels per length at a point; infinite behind the eye.
    pub fn scale_at(&self, at: Vec3) -> f64 {
        let depth = self.in_camera_axes(at)[2];
        if depth >= self.near { self.scale(depth) } else { f64::INFINITY }
    }

    /// Pixels per length at a depth.
    pub fn scale(&self, depth: f64) -> f64 {
        if self.is_perspective { self.focal / depth } else { self.focal }
    }

    /// Projection of a point. `None` if it is behind the near plane.
    pub fn point(&self, at: Vec3) -> Option<ScreenPoint> {
        let at = self.in_camera_axes(at);
        (at[2] >= self.near).then(|| self.seen(at))
    }

    /// Visible part of a segment.
    pub fn segment(&self, a: Vec3, b: Vec3) -> Option<[ScreenPoint; 2]> {
        let ends = clip::segment([self.in_camera_axes(a), self.in_camera_axes(b)], |at| {
            at[2] - self.near
        })?;
        Some(ends.map(|end| self.seen(end)))
    }

    /// Visible part of a polygon.
    pub fn polygon(&self, corners: &[Vec3]) -> Vec<ScreenPoint> {
        let corners: Vec<Vec3> = corners.iter().map(|&at| self.in_camera_axes(at)).collect();
        let kept = clip::polygon(&corners, |at| at[2] - self.near);
        kept.into_iter().map(|at| self.seen(at)).collect()
    }

    /// Unit vector from a point to the eye.
    pub fn to_eye(&self, from: Vec3) -> Vec3 {
        if self.is_perspective { unit(sub(self.eye, from)) } else { scaled(self.axes[2], -1.0) }
    }

    /// Direction of the line of sight through a pixel, scaled so that its component ahead is 1.
    pub fn direction_through(&self, pixel: [f64; 2]) -> Vec3 {
        let [right, up, ahead] = self.axes;
        if !self.is_perspective {
            return ahead;
        }
        let aside = scaled(right, (pixel[0] - self.middle[0]) / self.focal);
        add(add(ahead, aside), scaled(up, (self.middle[1] - pixel[1]) / self.focal))
    }

    /// Coordinates of a point in camera axes.
    pub fn in_camera_axes(&self, at: Vec3) -> Vec3 {
        let from_eye = sub(at, self.eye);
        self.axes.map(|axis| dot(axis, from_eye))
    }

    /// Projection of a point in camera axes.
    pub fn seen(&self, [right, up, depth]: Vec3) -> ScreenPoint {
        let scale = self.scale(depth);
        ScreenPoint { at: [self.middle[0] + right * scale, self.middle[1] - up * scale], depth }
    }
}
