//! Camera of a planar scene.

use super::ScreenPoint;
use crate::{rect::Rect, vector::Vec3};
use catena_scene::View;

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
