//! A level ground in space, and the shadows that fall straight down on it.
//!
//! Its colour is linear from its front edge to its back edge. It is computed for every pixel where
//! the line of sight meets the ground, so that it is right in perspective.

use super::body::DrawnPart;
use super::camera::{Camera, SpatialCamera};
use super::canvas::{Canvas, Pen};
use super::clip;
use super::rect::Rect;
use super::theme::Ink;
use super::vector::Vec3;
use crate::scene;
use image::Rgb;

/// A ground that is drawn in a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    height: f64,
    /// x and z of its edges.
    low: [f64; 2],
    high: [f64; 2],
    /// Colours of the front edge and the back edge.
    inks: [Ink; 2],
    /// Whether the colour changes along z rather than x.
    is_along_z: bool,
    /// Whether the front edge is at the high end of that axis.
    front_is_high: bool,
    /// Colour of shadows, and thickness of those of ropes in pixels.
    shadow: Option<(Ink, f64)>,
}

impl Ground {
    /// The ground of a panel, centred below the target; `None` if it is seen from below.
    pub fn new(ground: &scene::Ground, target: Vec3, camera: &SpatialCamera) -> Option<Self> {
        let [up, ahead] = camera.up_and_ahead();
        let is_above = match camera.is_perspective() {
            true => camera.eye()[1] > ground.height,
            false => ahead[1] < 0.0,
        };
        // Seen from straight above, the top of the picture counts as far.
        let is_level = |way: Vec3| way[0] * way[0] + way[2] * way[2] > 1e-12;
        let way = if is_level(ahead) { ahead } else { up };
        let is_along_z = way[2].abs() >= way[0].abs();
        let color = |color: scene::Color| Rgb(color.0);
        is_above.then(|| Self {
            height: ground.height,
            low: [target[0] - ground.size, target[2] - ground.size],
            high: [target[0] + ground.size, target[2] + ground.size],
            inks: [color(ground.near), color(ground.far)],
            is_along_z,
            front_is_high: if is_along_z { way[2] < 0.0 } else { way[0] < 0.0 },
            shadow: ground.shadow.map(|shadow| (color(shadow), ground.shadow_width)),
        })
    }

    /// Draws the visible part of the ground.
    pub fn draw(&self, canvas: &mut Canvas, clip: Rect, camera: &SpatialCamera) {
        canvas.change(clip, |at, pixel| {
            if let Some((color, share)) = self.color(at, camera) {
                for (below, above) in pixel.0.iter_mut().zip(color) {
                    let mixed = f64::from(*below) * (1.0 - share) + above * share;
                    *below = mixed.round() as u8;
                }
            }
        });
    }

    /// The mean colour of the ground in a pixel, and how much of the pixel it covers.
    fn color(&self, [x, y]: [i32; 2], camera: &SpatialCamera) -> Option<([f64; 3], f64)> {
        let at = |dx: f64, dy: f64| [f64::from(x) + dx, f64::from(y) + dy];
        let share = |pixel| camera.on_level(pixel, self.height).and_then(|at| self.share(at));
        let corners = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)].map(share);
        let covered = corners.iter().flatten().count();
        // Only a pixel on an edge needs several samples.
        let samples: Vec<f64> = if covered == 4 {
            share(at(0.5, 0.5)).into_iter().collect()
        } else {
            let cell = |index: usize| {
                at(0.125 + 0.25 * (index % 4) as f64, 0.125 + 0.25 * (index / 4) as f64)
            };
            (0..16).filter_map(|index| share(cell(index))).collect()
        };
        if samples.is_empty() {
            return None;
        }
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        let [near, far] = self.inks.map(|ink| ink.0.map(f64::from));
        let color = [0, 1, 2].map(|i| near[i] + (far[i] - near[i]) * mean);
        Some((color, if covered == 4 { 1.0 } else { samples.len() as f64 / 16.0 }))
    }

    /// A point's share of the way from the front edge to the back edge; `None` outside.
    fn share(&self, at: Vec3) -> Option<f64> {
        let at = [at[0], at[2]];
        if !(0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&at[axis])) {
            return None;
        }
        let axis = usize::from(self.is_along_z);
        let from_low = (at[axis] - self.low[axis]) / (self.high[axis] - self.low[axis]);
        Some(if self.front_is_high { 1.0 - from_low } else { from_low })
    }

    /// Draws the shadows of bodies: ropes as lines, sheets as areas.
    pub fn draw_shadows(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        camera: &Camera,
        figures: &[DrawnPart<'_>],
    ) {
        let Some((ink, width)) = self.shadow else { return };
        canvas.shape(clip, ink, |pen| {
            for figure in figures {
                let cells = figure.cells();
                cells.iter().for_each(|cell| self.facet_shadow(pen, camera, cell.corners()));
                if cells.is_empty() {
                    figure.threads().for_each(|ends| self.line_shadow(pen, camera, ends, width));
                }
            }
        });
    }

    /// Draws the shadows of facets.
    pub fn draw_facet_shadows(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        camera: &Camera,
        facets: &[[Vec3; 4]],
    ) {
        let Some((ink, _)) = self.shadow else { return };
        canvas.shape(clip, ink, |pen| {
            facets.iter().for_each(|facet| self.facet_shadow(pen, camera, facet));
        });
    }

    fn line_shadow(&self, pen: &mut Pen<'_>, camera: &Camera, ends: [Vec3; 2], width: f64) {
        let Some(above) = clip::segment(ends, |at| at[1] - self.height) else { return };
        let mut part = Some(above.map(|[x, _, z]| [x, self.height, z]));
        for edge in self.edges() {
            part = part.and_then(|part| clip::segment(part, edge));
        }
        if let Some([a, b]) = part.and_then(|[a, b]| camera.segment(a, b)) {
            pen.line(a.at, b.at, width);
            pen.disc(a.at, width);
            pen.disc(b.at, width);
        }
    }

    fn facet_shadow(&self, pen: &mut Pen<'_>, camera: &Camera, corners: &[Vec3]) {
        let above = clip::polygon(corners, |at| at[1] - self.height);
        let mut part: Vec<Vec3> = above.into_iter().map(|[x, _, z]| [x, self.height, z]).collect();
        for edge in self.edges() {
            part = clip::polygon(&part, edge);
        }
        let seen: Vec<_> = camera.polygon(&part).into_iter().map(|seen| seen.at).collect();
        pen.polygon(&seen);
    }

    /// The distance of a point from each of the four edges, positive inside.
    fn edges(&self) -> [impl Fn(&Vec3) -> f64 + '_; 4] {
        [0, 1, 2, 3].map(|edge| {
            move |at: &Vec3| {
                let (axis, value) = if edge < 2 { (0, at[0]) } else { (1, at[2]) };
                if edge % 2 == 0 { value - self.low[axis] } else { self.high[axis] - value }
            }
        })
    }
}
