//! Pen for the shapes of a mask: lines, discs, polygons and squares at subpixel positions.

use super::clip;
use super::mask::{LARGEST_DISC, Mask, Point, SUB};
use super::rect::Rect;
use std::f64::consts::PI;

/// Pen that adds to a shape. Coordinates are in pixels; integers are the edges between pixels.
/// Pieces that are not finite are omitted. Pieces outside the clip are removed first, so that large
/// coordinates cost nothing. Thicknesses, diameters and sides are limited to a million pixels.
pub struct Pen<'a> {
    mask: &'a mut Mask,
}

/// Maximum thickness, diameter or side in pixels. Rounding of larger ones would be visible.
const LARGEST: f64 = 1e6;

/// Corners with smaller coordinates, in pixels, need no clipping.
const NEAR: f64 = 1e5;

impl<'a> Pen<'a> {
    /// Pen that adds to the current shape of a mask.
    pub(super) fn new(mask: &'a mut Mask) -> Self {
        Self { mask }
    }

    /// Adds a straight line with square ends. Discs on its ends make them round. The minimum
    /// thickness is one subsample.
    pub fn line(&mut self, a: [f64; 2], b: [f64; 2], width: f64) {
        if !width.is_finite() {
            return;
        }
        let width = width.clamp(0.0, LARGEST);
        let Some((a, b)) = clip_line(a, b, self.mask.clip().grown(width + 2.0)) else { return };
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = (dx * dx + dy * dy).sqrt();
        if length == 0.0 {
            return;
        }
        let half = half_side(width);
        if half <= 0.0 {
            return self.mask.line([a, b].map(point));
        }
        let (nx, ny) = (-dy / length * half, dx / length * half);
        self.quadrilateral([
            [a[0] + nx, a[1] + ny],
            [b[0] + nx, b[1] + ny],
            [b[0] - nx, b[1] - ny],
            [a[0] - nx, a[1] - ny],
        ]);
    }

    /// Adds a filled circle, of at least one subsample.
    pub fn disc(&mut self, center: [f64; 2], diameter: f64) {
        let is_finite = diameter.is_finite();
        let diameter = diameter.min(LARGEST);
        if !is_finite || !self.mask.clip().grown(diameter).contains(center) {
            return;
        }
        let radius = (diameter * f64::from(SUB) - 1.0) / 2.0;
        if radius <= f64::from(LARGEST_DISC) {
            self.mask.disc(subsample(center), radius.round().max(0.0) as i32);
        } else {
            self.polygon(&circle(center, half_side(diameter)));
        }
    }

    /// Adds a filled polygon by the even-odd rule. The drawn polygon is half a subsample larger on
    /// each side.
    pub fn polygon(&mut self, corners: &[[f64; 2]]) {
        let inside = clip_polygon(corners, self.mask.clip().grown(2.0));
        if inside.len() >= 3 {
            let points: Vec<_> = inside.into_iter().map(point).collect();
            self.mask.polygon(&points);
        }
    }

    /// Adds a filled polygon of four corners, which is clipped only if it extends far.
    fn quadrilateral(&mut self, corners: [[f64; 2]; 4]) {
        if corners.as_flattened().iter().all(|at| at.abs() < NEAR) {
            self.mask.polygon(&corners.map(point));
        } else {
            self.polygon(&corners);
        }
    }

    /// Adds the outline of a polygon with square corners. Half of its thickness is on either side.
    pub fn outline(&mut self, corners: &[[f64; 2]], width: f64) {
        for (index, &corner) in corners.iter().enumerate() {
            self.line(corner, corners[(index + 1) % corners.len()], width);
        }
    }

    /// Adds a filled square with horizontal and vertical sides, of at least one subsample.
    pub fn square(&mut self, center: [f64; 2], side: f64) {
        let is_finite = side.is_finite();
        let side = side.min(LARGEST);
        if !is_finite || !self.mask.clip().grown(side).contains(center) {
            return;
        }
        let half = half_side(side).max(0.0);
        let corner = |dx: f64, dy: f64| [center[0] + dx * half, center[1] + dy * half];
        self.quadrilateral([
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ]);
    }
}

/// Half the thickness of a polygon without its outline. imageproc's polygons include the outline,
/// which adds half a subsample on each side.
fn half_side(thickness: f64) -> f64 {
    (thickness - 1.0 / f64::from(SUB)) / 2.0
}

/// Corners of a circle. Up to a radius of 20,000 pixels, the chords deviate by less than a
/// twentieth of a pixel.
fn circle(center: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let count = (PI * (2.5 * radius).sqrt()).ceil().clamp(8.0, 720.0);
    let corner = |step: usize| {
        let angle = PI * step as f64 / count;
        [center[0] + radius * libm::cos(angle), center[1] + radius * libm::sin(angle)]
    };
    (0..2 * count as usize).map(corner).collect()
}

/// The subsample that contains a point near the picture.
fn subsample(point: [f64; 2]) -> (i32, i32) {
    let index = |value: f64| (value * f64::from(SUB)).floor() as i32;
    (index(point[0]), index(point[1]))
}

fn point(at: [f64; 2]) -> Point {
    let (x, y) = subsample(at);
    Point { x, y }
}

/// Part of a line inside a box (Liang and Barsky 1984). `None` if the line is outside or a number
/// is not finite.
fn clip_line(a: [f64; 2], b: [f64; 2], area: PixelBox) -> Option<([f64; 2], [f64; 2])> {
    if ![a, b].as_flattened().iter().all(|value| value.is_finite()) {
        return None;
    }
    // At half size, no difference of two finite numbers overflows.
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (from, to) = (a[axis] * 0.5, b[axis] * 0.5);
        let (low, high) = (area.low[axis] * 0.5, area.high[axis] * 0.5);
        let d = to - from;
        if d == 0.0 {
            if from < low || from > high {
                return None;
            }
            continue;
        }
        let (t0, t1) = ((low - from) / d, (high - from) / d);
        enter = enter.max(t0.min(t1));
        leave = leave.min(t0.max(t1));
    }
    if enter > leave {
        return None;
    }
    // With huge numbers, rounding may leave the box, or move an outside end into it.
    let kept = |at: [f64; 2]| [0, 1].map(|axis| at[axis].clamp(area.low[axis], area.high[axis]));
    let at = |t: f64| {
        let value = |axis: usize| (a[axis] * 0.5 + t * (b[axis] * 0.5 - a[axis] * 0.5)) * 2.0;
        kept([value(0), value(1)])
    };
    let start = if enter > 0.0 { at(enter) } else { kept(a) };
    let end = if leave < 1.0 { at(leave) } else { kept(b) };
    Some((start, end))
}

/// Part of a polygon inside a box; empty if there is none or a number is not finite.
fn clip_polygon(corners: &[[f64; 2]], area: PixelBox) -> Vec<[f64; 2]> {
    let mut kept = corners.to_vec();
    for axis in 0..2 {
        // At half size, no difference of two finite numbers overflows.
        kept = clip::polygon(&kept, |at| at[axis] * 0.5 - area.low[axis] * 0.5);
        kept = clip::polygon(&kept, |at| area.high[axis] * 0.5 - at[axis] * 0.5);
    }
    // Clipping may have dropped a corner that is not finite, so the original corners are checked
    // too.
    let is_finite = |all: &[[f64; 2]]| all.as_flattened().iter().all(|value| value.is_finite());
    if !is_finite(corners) || !is_finite(&kept) {
        return Vec::new();
    }
    // With huge numbers, rounding may leave the box.
    for at in &mut kept {
        *at = [0, 1].map(|axis| at[axis].clamp(area.low[axis], area.high[axis]));
    }
    kept
}

/// A box in pixels, with fractions.
#[derive(Clone, Copy, Debug)]
struct PixelBox {
    low: [f64; 2],
    high: [f64; 2],
}

impl PixelBox {
    fn contains(&self, point: [f64; 2]) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&point[axis]))
    }
}

impl Rect {
    fn grown(self, by: f64) -> PixelBox {
        PixelBox {
            low: [f64::from(self.x) - by, f64::from(self.y) - by],
            high: [f64::from(self.right()) + by, f64::from(self.bottom()) + by],
        }
    }
}
