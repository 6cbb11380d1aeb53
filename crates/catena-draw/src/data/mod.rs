//! Content of each pixel of a frame as numbers: depth, normal, body, node, and motion since the
//! frame before.
//!
//! Numbers belong to the centres of pixels and are not antialiased, because a mean of two bodies is
//! none. They show bodies as they are without translucence, earlier positions and trails.
//! `planar` finds the visible points of bodies in the plane, the painter in space those in space,
//! and `nearest` the nodes at them.

mod nearest;
mod planar;

pub(super) use planar::see_planar;

use super::body::DrawnPart;
use super::camera::Camera;
use super::rect::Rect;
use super::vector::{Vec3, add, sub};
use nearest::PartNodes;

/// Depth of a pixel that shows nothing.
pub const FAR: f32 = 1e10;

/// Numbers of all pixels of a picture, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameData {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Distance ahead of the eye; 0 for bodies in the plane, and [`FAR`] where nothing is.
    pub depth: Vec<f32>,
    /// Unit normal towards the eye, in axes of the scene; zero where nothing is.
    pub normal: [Vec<f32>; 3],
    /// Motion since the frame before in pixels, right and down. Objects that are no bodies count as
    /// resting.
    pub motion: [Vec<f32>; 2],
    /// Number of the body, counted from 1 through all panels; 0 without one.
    pub body: Vec<u32>,
    /// Number of the nearest node of the body; 0 without one.
    pub node: Vec<u32>,
}

/// A visible point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Position.
    pub at: Vec3,
    /// Distance ahead of the eye.
    pub depth: f64,
    /// Unit normal towards the eye.
    pub normal: Vec3,
    /// Index of the part of a body; `None` for other objects.
    pub part: Option<usize>,
}

/// Parts of the bodies of a panel at a frame and the one before.
pub struct PartPair<'a> {
    /// Part at the frame.
    pub now: DrawnPart<'a>,
    /// Part at the frame before.
    pub before: DrawnPart<'a>,
    /// Number of its body.
    pub body: u32,
}

impl FrameData {
    /// Numbers of a picture that shows nothing.
    pub(super) fn nothing(size: [u32; 2]) -> Self {
        let count = size.map(|side| side as usize).iter().product();
        let zeros = || vec![0.0; count];
        Self {
            size,
            depth: vec![FAR; count],
            normal: [zeros(), zeros(), zeros()],
            motion: [zeros(), zeros()],
            body: vec![0; count],
            node: vec![0; count],
        }
    }

    /// Adds the visible points of a panel, row by row of its rectangle, seen by cameras at the
    /// frame and the one before.
    pub(super) fn add(
        &mut self,
        rect: Rect,
        points: &[Option<SurfacePoint>],
        parts: &[PartPair<'_>],
        before: &Camera,
    ) {
        let nodes: Vec<PartNodes> = parts.iter().map(|pair| PartNodes::new(&pair.now)).collect();
        let width = rect.w.max(0) as usize;
        for (index, point) in points.iter().enumerate() {
            let Some(point) = point else { continue };
            let (x, y) = (rect.x + (index % width) as i32, rect.y + (index / width) as i32);
            let pixel = y as usize * self.size[0] as usize + x as usize;
            self.depth[pixel] = point.depth as f32;
            (0..3).for_each(|axis| self.normal[axis][pixel] = point.normal[axis] as f32);
            let mut was = point.at;
            if let Some(index) = point.part {
                let pair = &parts[index];
                let near = nodes[index].nearest(&pair.now, point.at);
                self.body[pixel] = pair.body;
                self.node[pixel] = u32::try_from(near.node).unwrap_or(u32::MAX);
                was = add(sub(point.at, near.at(&pair.now)), near.at(&pair.before));
            }
            if let Some(seen) = before.point(was) {
                let at = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                (0..2)
                    .for_each(|axis| self.motion[axis][pixel] = (at[axis] - seen.at[axis]) as f32);
            }
        }
    }
}
