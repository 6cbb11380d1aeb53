//! Shadow map: the sun's view as a map of heights over a plane perpendicular to its rays.
//!
//! A point is in shadow to the extent that the map around it is higher than the point (Williams
//! 1978; Reeves, Salesin and Cook 1987). Heights are compared with the plane of the surface, not
//! only with the point, so that surfaces cast no shadows on themselves. The sun is a disc, so the
//! filter grows with the height of the object that casts the shadow (Fernando 2005).
//!
//! Each map covers only the objects that cast shadows into it. Texels without a surface cost
//! nothing.

mod filter;
mod holes;

pub use filter::{SunPoints, along_axes};
pub use holes::SunHoles;

use super::light::Light;
use super::mesh::Wire;
use super::texture::opacity;
use crate::vector::Vec3;
use holes::PlaceOverTexels;
use std::f64::consts::TAU;
use std::ops::Range;

/// Maximum number of texels along each side of a map.
const MAX: usize = 1024;

/// Minimum side of a texel in pixels at the target of the camera.
const FINEST: f64 = 0.85;

/// Number of texels along each side of a block, whose minimum and maximum are stored.
const BLOCK: usize = 8;

/// Maximum radius of a filter, in texels. A filter stays within the blocks around its own.
const WIDEST: f32 = 7.0;

/// Thickness in texels up to which a piece of a tube is a line of texels.
const THIN: f64 = 1.4;

/// Length by which a piece of a tube extends into the next one, relative to its radius.
const JOINT: f64 = 0.5;

/// Number of corners of a disc.
const ROUND: usize = 12;

/// Height of texels without a surface.
const NOWHERE: f32 = f32::NEG_INFINITY;

/// Bounds of points seen along the rays of the sun: minimum and maximum coordinates across the
/// rays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SunBounds {
    low: [f64; 2],
    high: [f64; 2],
}

impl SunBounds {
    /// Empty bounds.
    pub const EMPTY: Self = Self { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    /// Adds a point, given along the axes of the light, if it is within `reach` of the target of
    /// the camera.
    pub fn include(&mut self, [x, y, _]: Vec3, reach: f64) {
        // The condition also rejects NaN.
        if x.abs() <= reach && y.abs() <= reach {
            for (axis, value) in [x, y].into_iter().enumerate() {
                self.low[axis] = self.low[axis].min(value);
                self.high[axis] = self.high[axis].max(value);
            }
        }
    }

    /// Adds a ball of this diameter, if its middle is within `reach` of the target.
    pub fn include_ball(&mut self, light: &Light, middle: Vec3, diameter: f64, reach: f64) {
        let [x, y, _] = light.coordinates(middle);
        if x.abs() <= reach && y.abs() <= reach && diameter <= reach {
            for (axis, value) in [x, y].into_iter().enumerate() {
                self.low[axis] = self.low[axis].min(value - 0.5 * diameter);
                self.high[axis] = self.high[axis].max(value + 0.5 * diameter);
            }
        }
    }

    /// Longer side.
    fn longest(&self) -> f64 {
        (self.high[0] - self.low[0]).max(self.high[1] - self.low[1])
    }
}

/// Mapping from points to texels of a shadow map.
#[derive(Clone, Copy, Debug)]
struct SunView {
    /// Coordinates of the first texel's corner.
    origin: [f64; 2],
    /// [`Self::origin`] in single precision.
    single: [f32; 2],
    /// Length of the side of a texel, and texels per length.
    texel: f64,
    texels: f32,
}

/// Range of coordinates across the rays: minimum and maximum of the first coordinate, then of the
/// second.
pub type SunRange = [f32; 4];

/// Range of all points.
pub const EVERYWHERE: SunRange =
    [f32::NEG_INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::INFINITY];

/// Map of heights along the rays of the sun.
#[derive(Clone, Debug)]
pub struct ShadowMap {
    light: Light,
    view: SunView,
    /// Number of blocks along each side; 0 for a map without shadows.
    across: usize,
    heights: Vec<f32>,
    /// Minimum and maximum of each block.
    blocks: Vec<[f32; 2]>,
    /// Minimum and maximum over each block and its eight neighbours, which a filter may read.
    areas: Vec<[f32; 2]>,
    /// Whether a block has any height.
    is_used: Vec<bool>,
    /// Rows of blocks that have any height.
    rows: Range<usize>,
}

impl ShadowMap {
    /// Map without shadows.
    pub fn new(light: Light) -> Self {
        let view = SunView { origin: [0.0; 2], single: [0.0; 2], texel: 1.0, texels: 1.0 };
        Self {
            light,
            view,
            across: 0,
            heights: Vec::new(),
            blocks: Vec::new(),
            areas: Vec::new(),
            is_used: Vec::new(),
            rows: 0..0,
        }
    }

    /// Empties the map and fits it to the bounds of everything that will be added. `pixel` is the
    /// length of a pixel at the target of the camera.
    pub fn fit(&mut self, light: Light, bounds: &SunBounds, pixel: f64) {
        self.clear();
        self.light = light;
        let longest = bounds.longest();
        // The condition also rejects NaN and empty bounds.
        if !(longest >= 0.0 && longest.is_finite() && pixel > 0.0) {
            self.across = 0;
            return;
        }
        let longest_step = stepped(longest);
        // The widest filter spans the edge of a shadow that falls over half the map.
        let soft = 0.5 * f64::from(light.softness) * longest_step / f64::from(WIDEST);
        let finest = longest_step / (MAX - 3 * BLOCK) as f64;
        let texel = finest.max(FINEST * pixel).max(soft);
        let needed = (longest / texel).ceil() as usize + 2 * BLOCK + 1;
        self.across = needed.div_ceil(BLOCK).min(MAX / BLOCK);
        // Texels stay in place while bodies move.
        let origin = bounds.low.map(|low| ((low / texel).floor() - BLOCK as f64) * texel);
        let single = origin.map(|value| value as f32);
        self.view = SunView { origin, single, texel, texels: (1.0 / texel) as f32 };
        let blocks = self.across * self.across;
        if self.blocks.len() < blocks {
            self.heights.resize(blocks * BLOCK * BLOCK, NOWHERE);
            self.blocks.resize(blocks, [NOWHERE; 2]);
            self.areas.resize(blocks, [NOWHERE; 2]);
            self.is_used.resize(blocks, false);
        }
    }

    /// Removes all heights.
    fn clear(&mut self) {
        let across = self.across;
        for index in self.rows.start * across..self.rows.end * across {
            if std::mem::take(&mut self.is_used[index]) {
                self.blocks[index] = [NOWHERE; 2];
                for start in self.rows_of(index) {
                    self.heights[start..start + BLOCK].fill(NOWHERE);
                }
            }
        }
        self.areas[..across * across].fill([NOWHERE; 2]);
        self.rows = 0..0;
    }

    /// Number of texels along each side.
    fn side(&self) -> usize {
        self.across * BLOCK
    }

    /// Indices of the first texels in the rows of a block.
    fn rows_of(&self, block: usize) -> impl Iterator<Item = usize> + use<> {
        let side = self.side();
        let start = block / self.across * BLOCK * side + block % self.across * BLOCK;
        (0..BLOCK).map(move |row| start + row * side)
    }

    /// Position of a point in the map, and its height, in texels.
    fn place(&self, at: Vec3) -> Vec3 {
        self.texels(self.light.coordinates(at))
    }

    /// Texels of a point that is given along the axes of the light.
    fn texels(&self, [x, y, height]: Vec3) -> Vec3 {
        let SunView { origin, texel, .. } = self.view;
        [(x - origin[0]) / texel, (y - origin[1]) / texel, height / texel]
    }

    /// Adds a triangle that casts a shadow, with corners along the axes of the light. Only its side
    /// towards the sun counts if `is_closed`, because another triangle of the same solid covers the
    /// other side.
    pub fn add(&mut self, corners: [Vec3; 3], is_closed: bool) {
        self.add_placed(corners.map(|at| self.texels(at)), is_closed);
    }

    /// Adds a triangle whose texture has holes, through which the sun shines.
    pub fn add_with_holes(&mut self, corners: [Vec3; 3], is_closed: bool, holes: &SunHoles<'_>) {
        let placed = corners.map(|at| self.texels(at));
        let places = PlaceOverTexels::new(placed, holes.places);
        let is_opaque = |x: usize, y: usize| {
            let at = [x as f64 + 0.5, y as f64 + 0.5];
            opacity(holes.texture, places.at(at)) >= holes.cutoff
        };
        self.add_where(placed, is_closed, Some(&is_opaque));
    }

    /// Adds a triangle whose corners are in texels.
    fn add_placed(&mut self, corners: [Vec3; 3], is_closed: bool) {
        self.add_where(corners, is_closed, None);
    }

    /// Adds the texels of a triangle that are opaque, all of them by default.
    fn add_where(
        &mut self,
        [a, mut b, mut c]: [Vec3; 3],
        is_closed: bool,
        is_opaque: Option<&dyn Fn(usize, usize) -> bool>,
    ) {
        let doubled =
            |b: Vec3, c: Vec3| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let mut area = doubled(b, c);
        if area < 0.0 {
            if is_closed {
                return;
            }
            std::mem::swap(&mut b, &mut c);
            area = -area;
        }
        // The condition also rejects NaN.
        if !(area > 0.0 && area.is_finite()) {
            return;
        }
        let side = self.side() as f64;
        let range =
            |low: f64, high: f64| first_whole(low - 0.5, side)..last_whole(high + 0.5, side);
        let minimum = |axis: usize| a[axis].min(b[axis]).min(c[axis]);
        let maximum = |axis: usize| a[axis].max(b[axis]).max(c[axis]);
        let slope = |k: usize| {
            let (db, dc) = (b[2] - a[2], c[2] - a[2]);
            match k {
                0 => (db * (c[1] - a[1]) - dc * (b[1] - a[1])) / area,
                _ => (dc * (b[0] - a[0]) - db * (c[0] - a[0])) / area,
            }
        };
        let slopes = [slope(0), slope(1)];
        for y in range(minimum(1), maximum(1)) {
            let middle = y as f64 + 0.5;
            let (mut from, mut to) = (minimum(0), maximum(0));
            for (p, q) in [(a, b), (b, c), (c, a)] {
                // Inside, (q - p) × (at - p) ≥ 0.
                let (x, y) = (q[0] - p[0], q[1] - p[1]);
                if y != 0.0 {
                    let edge = p[0] + x * ((middle - p[1]) / y);
                    if y > 0.0 { to = to.min(edge) } else { from = from.max(edge) }
                }
            }
            let columns = first_whole(from - 0.5, side)..last_whole(to + 0.5, side);
            let height = a[2] + slopes[0] * (0.5 - a[0]) + slopes[1] * (middle - a[1]);
            let (height, slope) = (height as f32, slopes[0] as f32);
            match is_opaque {
                None => self.raise(y, columns, height, slope),
                Some(is_opaque) => columns
                    .filter(|x| is_opaque(*x, y))
                    .for_each(|x| self.raise(y, x..x + 1, height, slope)),
            }
        }
    }

    /// Raises texels of a row to a plane, given by its height in column 0 and its slope.
    fn raise(&mut self, y: usize, columns: Range<usize>, height: f32, slope: f32) {
        if columns.is_empty() {
            return;
        }
        let row = y / BLOCK;
        let blocks = columns.start / BLOCK..columns.end.div_ceil(BLOCK);
        self.is_used[row * self.across..][blocks].fill(true);
        self.rows = match self.rows.is_empty() {
            true => row..row + 1,
            false => self.rows.start.min(row)..self.rows.end.max(row + 1),
        };
        let start = y * self.side();
        let texels = &mut self.heights[start + columns.start..start + columns.end];
        let first = columns.start as f32;
        for (k, known) in texels.iter_mut().enumerate() {
            let found = height + slope * (first + k as f32);
            *known = if found > *known { found } else { *known };
        }
    }

    /// Adds a straight piece of a tube, as a strip across the rays. A strip thinner than texels is
    /// a line of texels without gaps.
    pub fn add_wire(&mut self, wire: &Wire) {
        let [a, b] = wire.ends.map(|at| self.place(at));
        let offset = [b[0] - a[0], b[1] - a[1]];
        let length = (offset[0] * offset[0] + offset[1] * offset[1]).sqrt();
        let half = 0.5 * wire.thickness / self.view.texel;
        if 2.0 * half <= THIN {
            return self.add_line([a, b]);
        }
        for (end, is_free) in [a, b].into_iter().zip(wire.is_free) {
            if is_free {
                self.add_disc(end, half);
            }
        }
        let ahead = if length > 1e-6 { offset.map(|value| value / length) } else { [1.0, 0.0] };
        let more = wire.is_free.map(|is_free| if is_free { 0.0 } else { JOINT * half });
        let corner = |end: Vec3, forward: f64, aside: f64| {
            let x = end[0] + forward * ahead[0] - half * aside * ahead[1];
            let y = end[1] + forward * ahead[1] + half * aside * ahead[0];
            [x, y, end[2]]
        };
        let corners = [
            corner(a, -more[0], 1.0),
            corner(a, -more[0], -1.0),
            corner(b, more[1], -1.0),
            corner(b, more[1], 1.0),
        ];
        self.add_placed([corners[0], corners[1], corners[2]], false);
        self.add_placed([corners[0], corners[2], corners[3]], false);
    }

    /// Adds a level disc with this radius in texels.
    fn add_disc(&mut self, middle: Vec3, radius: f64) {
        let corner = |step: usize| {
            let (sin, cos) = libm::sincos(TAU * step as f64 / ROUND as f64);
            [middle[0] + radius * cos, middle[1] + radius * sin, middle[2]]
        };
        for step in 1..ROUND - 1 {
            self.add_placed([corner(0), corner(step), corner(step + 1)], false);
        }
    }

    /// Adds a line of texels.
    fn add_line(&mut self, [a, b]: [Vec3; 2]) {
        let main = usize::from((b[1] - a[1]).abs() > (b[0] - a[0]).abs());
        let (low, high) = if b[main] < a[main] { (b, a) } else { (a, b) };
        let length = high[main] - low[main];
        // The condition also rejects NaN.
        if !(length > 0.0 && length.is_finite()) {
            return;
        }
        let side = self.side() as f64;
        let first = first_whole(low[main] - 0.5, side);
        let last = last_whole(high[main] + 0.5, side);
        for step in first..last {
            let share = (step as f64 + 0.5 - low[main]) / length;
            let along = |axis: usize| low[axis] + (high[axis] - low[axis]) * share;
            let other = along(1 - main);
            if other >= 0.0 && other < side {
                let other = other as usize;
                let (x, y) = if main == 0 { (step, other) } else { (other, step) };
                self.raise(y, x..x + 1, along(2) as f32, 0.0);
            }
        }
    }

    /// Updates the minimum and maximum of the blocks after everything was added.
    pub fn finish(&mut self) {
        let across = self.across;
        for index in self.rows.start * across..self.rows.end * across {
            if self.is_used[index] {
                let (mut low, mut high) = ([f32::INFINITY; BLOCK], [NOWHERE; BLOCK]);
                for start in self.rows_of(index) {
                    let texels = &self.heights[start..start + BLOCK];
                    for k in 0..BLOCK {
                        low[k] = if texels[k] < low[k] { texels[k] } else { low[k] };
                        high[k] = if texels[k] > high[k] { texels[k] } else { high[k] };
                    }
                }
                let lowest = low.iter().fold(f32::INFINITY, |a, b| a.min(*b));
                self.blocks[index] = [lowest, high.iter().fold(NOWHERE, |a, b| a.max(*b))];
            }
        }
        let rows = self.rows.start.saturating_sub(1)..(self.rows.end + 1).min(across);
        for row in rows {
            for column in 0..across {
                let (mut low, mut high) = (f32::INFINITY, NOWHERE);
                for near_row in row.saturating_sub(1)..(row + 2).min(across) {
                    for near in column.saturating_sub(1)..(column + 2).min(across) {
                        let block = self.blocks[near_row * across + near];
                        low = if block[0] < low { block[0] } else { low };
                        high = if block[1] > high { block[1] } else { high };
                    }
                }
                self.areas[row * across + column] = [low, high];
            }
        }
    }

    /// Whether anything within a range may be shaded by this map.
    pub fn reaches(&self, [left, right, top, bottom]: SunRange) -> bool {
        let SunView { single, texels, .. } = self.view;
        let side = self.side() as f32;
        let margin = WIDEST + 3.0;
        let texel = |value: f32, axis: usize| (value - single[axis]) * texels;
        let blocks = |low: f32, high: f32| {
            // Comparisons with NaN widen the range.
            let low = if low - margin > 0.0 { low - margin } else { 0.0 };
            let high = if high + margin < side { high + margin } else { side };
            (low.min(side) as usize / BLOCK, (high.max(0.0) as usize).div_ceil(BLOCK))
        };
        let (first, last) = blocks(texel(left, 0), texel(right, 0));
        let (upper, lower) = blocks(texel(top, 1), texel(bottom, 1));
        let rows = upper.max(self.rows.start)..lower.min(self.rows.end);
        rows.into_iter().any(|row| {
            let used = &self.is_used[row * self.across..][..self.across];
            used.get(first..last.min(self.across)).is_some_and(|used| used.contains(&true))
        })
    }
}

/// Smallest integer from 0 to `maximum` that is not below a value. A conversion is faster than a
/// call of `ceil`.
#[inline(always)]
fn first_whole(value: f64, maximum: f64) -> usize {
    let kept = value.clamp(0.0, maximum);
    let whole = kept as usize;
    whole + usize::from(whole as f64 != kept)
}

/// Largest integer from 0 to `maximum` that is not above a value, or 0.
#[inline(always)]
fn last_whole(value: f64, maximum: f64) -> usize {
    value.clamp(0.0, maximum) as usize
}

/// A length raised to one of sixteen steps per doubling, so that small changes of a body keep the
/// texels of its shadow.
fn stepped(length: f64) -> f64 {
    let (_, exponent) = libm::frexp(length);
    let step = libm::ldexp(1.0, exponent - 5);
    if step > 0.0 { (length / step).ceil() * step } else { length }
}
