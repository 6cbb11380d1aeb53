//! Visible points of bodies in the plane: threads, nodes, cells and marks. Later objects cover
//! earlier ones, as in the picture.

use super::{PartPair, SurfacePoint};
use crate::body::{DrawnPart, node_size, pin_size, thread_width, weights};
use crate::camera::Camera;
use crate::rect::Rect;
use catena_scene::NodeShape;

/// Pixels of a panel that is filled part by part.
struct Pixels {
    rect: Rect,
    points: Vec<Option<SurfacePoint>>,
    /// Pixel of the origin of the plane, and pixels per length.
    origin: [f64; 2],
    scale: f64,
    part: usize,
}

/// Finds the visible points of the parts of a panel, row by row.
pub fn see_planar(
    rect: Rect,
    camera: &Camera,
    parts: &[PartPair<'_>],
) -> Vec<Option<SurfacePoint>> {
    let count = (rect.w.max(0) * rect.h.max(0)) as usize;
    let origin = camera.point([0.0; 3]).map_or([0.0; 2], |seen| seen.at);
    let scale = camera.scale(0.0);
    let mut pixels = Pixels { rect, points: vec![None; count], origin, scale, part: 0 };
    for (index, pair) in parts.iter().enumerate() {
        pixels.part = index;
        add_part(&mut pixels, camera, &pair.now);
    }
    pixels.points
}

fn add_part(pixels: &mut Pixels, camera: &Camera, part: &DrawnPart<'_>) {
    let style = &part.look.style;
    let spacing = part.room() * camera.scale(0.0);
    let point = |at| camera.point(at).map_or([f64::NAN; 2], |seen| seen.at);
    if part.is_filled() {
        for cell in part.cells() {
            let corners: Vec<[f64; 2]> = cell.corners().iter().copied().map(point).collect();
            for index in 2..corners.len() {
                pixels.triangle([corners[0], corners[index - 1], corners[index]]);
            }
        }
    }
    let width =
        if part.is_rope() { style.line_width } else { thread_width(style.line_width, spacing) };
    for [a, b] in part.threads() {
        pixels.capsule(point(a), point(b), 0.5 * width);
    }
    let nodes = node_size(part, spacing).into_iter();
    let nodes = nodes.flat_map(|size| (0..part.nodes()).map(move |i| (i, size)));
    for (i, size) in nodes.chain(weights(part, spacing)) {
        match style.node_shape {
            NodeShape::Disc => pixels.disc(point(part.node(i)), 0.5 * size),
            NodeShape::Square => pixels.square(point(part.node(i)), 0.5 * size),
        }
    }
    if style.mark_pins {
        let [outer, _] = pin_size(part, spacing);
        for i in (0..part.nodes()).filter(|&i| part.is_pinned(i)) {
            pixels.disc(point(part.node(i)), 0.5 * outer);
        }
    }
}

impl Pixels {
    /// Sets the pixels of the corners' bounding box whose centres satisfy `is_inside`. The box is
    /// enlarged by `margin` on each side.
    fn fill(&mut self, corners: &[[f64; 2]], margin: f64, is_inside: impl Fn([f64; 2]) -> bool) {
        if !corners.as_flattened().iter().all(|value| value.is_finite()) {
            return;
        }
        let Rect { x, y, .. } = self.rect;
        let end = [self.rect.right(), self.rect.bottom()];
        let range = |axis: usize, from: i32, to: i32| {
            let values = || corners.iter().map(|at| at[axis]);
            let minimum = values().fold(f64::INFINITY, f64::min) - margin;
            let maximum = values().fold(f64::NEG_INFINITY, f64::max) + margin;
            (minimum.floor() as i32).max(from)..(maximum.ceil() as i32).saturating_add(1).min(to)
        };
        for row in range(1, y, end[1]) {
            for column in range(0, x, end[0]) {
                let at = [f64::from(column) + 0.5, f64::from(row) + 0.5];
                if is_inside(at) {
                    let index = (row - y) * self.rect.w + (column - x);
                    self.points[index as usize] = Some(self.point(at));
                }
            }
        }
    }

    /// Point of the plane at a pixel position in the picture.
    fn point(&self, at: [f64; 2]) -> SurfacePoint {
        let [right, down] = [0, 1].map(|axis| (at[axis] - self.origin[axis]) / self.scale);
        let (part, normal) = (Some(self.part), [0.0, 0.0, 1.0]);
        let at = [right, -down, 0.0];
        SurfacePoint { at, depth: 0.0, normal, part, moved: [0.0; 3] }
    }

    fn triangle(&mut self, corners: [[f64; 2]; 3]) {
        let side = |a: [f64; 2], b: [f64; 2], at: [f64; 2]| {
            (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])
        };
        let [a, b, c] = corners;
        self.fill(&corners, 0.0, |at| {
            let sides = [side(a, b, at), side(b, c, at), side(c, a, at)];
            sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0)
        });
    }

    fn capsule(&mut self, a: [f64; 2], b: [f64; 2], radius: f64) {
        let offset = [b[0] - a[0], b[1] - a[1]];
        let length = offset[0] * offset[0] + offset[1] * offset[1];
        self.fill(&[a, b], radius, |at| {
            let from = [at[0] - a[0], at[1] - a[1]];
            let along = from[0] * offset[0] + from[1] * offset[1];
            let share = (along / length.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            let aside = [0, 1].map(|axis| from[axis] - share * offset[axis]);
            aside[0] * aside[0] + aside[1] * aside[1] <= radius * radius
        });
    }

    fn disc(&mut self, middle: [f64; 2], radius: f64) {
        self.capsule(middle, middle, radius);
    }

    fn square(&mut self, middle: [f64; 2], half: f64) {
        self.fill(&[middle], half, |at| (0..2).all(|axis| (at[axis] - middle[axis]).abs() <= half));
    }
}
