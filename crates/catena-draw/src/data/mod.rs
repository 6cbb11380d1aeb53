//! Numeric data of each pixel of a frame: depth, normal, body, node, and motion since the previous
//! frame.
//!
//! The data are sampled at pixel centres and not antialiased, because a mean of two body numbers is
//! meaningless. Translucency, ghosts and trails are ignored. `planar` finds the visible points of
//! bodies in the plane, the painter in space finds them in space, and `nearest` finds the nodes at
//! these points.

mod nearest;
mod planar;

pub(super) use planar::see_planar;

use super::body::DrawnPart;
use super::camera::Camera;
use super::rect::Rect;
use super::rigs::DrawnRig;
use super::solids::MovedSolid;
use super::vector::{Vec3, add, sub};
use nearest::PartNodes;

/// Depth of an empty pixel.
pub const FAR: f32 = 1e10;

/// Numbers of all pixels of a picture, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameData {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Distance ahead of the eye; 0 for bodies in the plane, [`FAR`] for an empty pixel.
    pub depth: Vec<f32>,
    /// Unit normal towards the eye, in scene axes; zero for an empty pixel.
    pub normal: [Vec<f32>; 3],
    /// Motion since the previous frame in pixels, right and down. In the plane, only bodies move.
    pub motion: [Vec<f32>; 2],
    /// Number of the body, counted from 1 through all panels; 0 if there is none.
    pub body: Vec<u32>,
    /// Number of the nearest node of the body; 0 if there is none.
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
    /// Motion since the previous frame, for objects that are not parts of bodies.
    pub moved: Vec3,
}

/// Objects of a panel at a frame and at the previous one.
pub struct MovedObjects<'a> {
    /// Parts of bodies.
    pub parts: Vec<PartPair<'a>>,
    /// Rigs at the frame and at the previous one.
    pub rigs: [Vec<DrawnRig<'a>>; 2],
    /// Moving colliders.
    pub moving: Vec<MovedSolid>,
}

/// A part of a body at a frame and at the previous one.
pub struct PartPair<'a> {
    /// Part at the frame.
    pub now: DrawnPart<'a>,
    /// Part at the previous frame.
    pub before: DrawnPart<'a>,
    /// Number of its body.
    pub body: u32,
}

impl FrameData {
    /// Data of an empty picture.
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

    /// Adds the visible points of a panel, row by row of its rectangle, seen by the cameras of the
    /// frame and of the previous one.
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
            let mut was = sub(point.at, point.moved);
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
