//! Shadow map: the sun's view as a map of heights over a plane perpendicular to its rays.
//!
//! A point is in shadow to the extent that the map around it is higher than the point (Williams
//! 1978; Reeves, Salesin and Cook 1987). Heights are compared with the plane of the surface, not
//! only with the point, so that surfaces cast no shadows on themselves.

use super::light::Light;
use super::single::{Single3, inner, plus, within};
use crate::vector::Vec3;
use std::ops::Range;

/// Number of texels along each side of the map.
pub const SIDE: usize = 256;

/// Number of texels along each side of a block, whose minimum and maximum are stored.
const BLOCK: usize = 4;

/// Number of blocks along each side of the map.
const ACROSS: usize = SIDE / BLOCK;

/// Distance in texels from the middle of a shadow's edge to its end.
const SOFTNESS: f32 = 2.0;

/// Number of texels that a filter reads in x and in y.
const WIDTH: usize = 4;

/// Distance in texels by which a surface is moved along its normal before the lookup.
const LIFT: f32 = 0.8;

/// Height of texels without a surface.
const NOWHERE: f32 = f32::NEG_INFINITY;

/// Mapping from points to texels of the shadow map.
#[derive(Clone, Copy, Debug)]
pub struct SunView {
    /// Two directions perpendicular to the rays, and the direction to the sun.
    axes: [Single3; 3],
    /// Texels per length, and distance by which surfaces are moved along their normals.
    texels: f32,
    lift: f32,
}

/// Map of heights along the rays of the sun.
#[derive(Clone, Debug)]
pub struct ShadowMap {
    light: Light,
    /// Length of the side of a texel.
    texel: f64,
    view: SunView,
    heights: Vec<f32>,
    /// Minimum and maximum of each block.
    blocks: Vec<[f32; 2]>,
    /// Minimum and maximum of each block together with those to its right and below it. A filter
    /// that starts in the block reads only these blocks.
    areas: Vec<[f32; 2]>,
    /// Whether a block may differ from the map that this one was copied from.
    has_changed: Vec<bool>,
}

impl ShadowMap {
    /// Empty map around the origin that extends to `reach` in all directions.
    pub fn new(light: Light, reach: f64) -> Self {
        let blocks = ACROSS * ACROSS;
        let texel = 2.0 * reach / SIDE as f64;
        Self {
            light,
            texel,
            view: SunView {
                axes: light.single_axes,
                texels: (1.0 / texel) as f32,
                lift: LIFT * texel as f32,
            },
            heights: vec![NOWHERE; SIDE * SIDE],
            blocks: vec![[NOWHERE; 2]; blocks],
            areas: vec![[NOWHERE; 2]; blocks],
            has_changed: vec![false; blocks],
        }
    }

    /// Copies another map into this one.
    pub fn copy(&mut self, other: &Self) {
        (self.light, self.texel, self.view) = (other.light, other.texel, other.view);
        self.heights.copy_from_slice(&other.heights);
        self.blocks.copy_from_slice(&other.blocks);
        self.has_changed.fill(false);
    }

    /// Marks all texels as unchanged, in a map that others are copied from.
    pub fn forget_changes(&mut self) {
        self.has_changed.fill(false);
    }

    /// Position of a point in the map, and its height, in texels.
    fn place(&self, at: Vec3) -> Vec3 {
        let [x, y, height] = self.light.coordinates(at);
        let middle = SIDE as f64 / 2.0;
        [x / self.texel + middle, y / self.texel + middle, height / self.texel]
    }

    /// Adds a triangle that casts a shadow.
    pub fn add(&mut self, corners: [Vec3; 3]) {
        let [a, mut b, mut c] = corners.map(|at| self.place(at));
        let doubled =
            |b: Vec3, c: Vec3| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let mut area = doubled(b, c);
        if area < 0.0 {
            std::mem::swap(&mut b, &mut c);
            area = -area;
        }
        // The condition also rejects NaN.
        if !(area > 0.0 && area.is_finite()) {
            return;
        }
        let range = |axis: usize| {
            let low = a[axis].min(b[axis]).min(c[axis]).max(0.0);
            let high = a[axis].max(b[axis]).max(c[axis]).min(SIDE as f64);
            (low - 0.5).ceil().max(0.0) as usize
                ..(high + 0.5).floor().clamp(0.0, SIDE as f64) as usize
        };
        let (rows, columns) = (range(1), range(0));
        if rows.is_empty() || columns.is_empty() {
            return;
        }
        self.change(&rows, &columns);
        let slope = |k: usize| {
            let (db, dc) = (b[2] - a[2], c[2] - a[2]);
            match k {
                0 => (db * (c[1] - a[1]) - dc * (b[1] - a[1])) / area,
                _ => (dc * (b[0] - a[0]) - db * (c[0] - a[0])) / area,
            }
        };
        let slopes = [slope(0), slope(1)];
        for y in rows {
            for x in columns.clone() {
                let at = [x as f64 + 0.5, y as f64 + 0.5];
                let is_in = [(a, b), (b, c), (c, a)].iter().all(|(p, q)| {
                    (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0]) >= 0.0
                });
                if is_in {
                    let height = a[2] + slopes[0] * (at[0] - a[0]) + slopes[1] * (at[1] - a[1]);
                    let known = &mut self.heights[y * SIDE + x];
                    *known = known.max(height as f32);
                }
            }
        }
    }

    /// Marks the blocks of some texels as changed.
    fn change(&mut self, rows: &Range<usize>, columns: &Range<usize>) {
        let blocks = |range: &Range<usize>| range.start / BLOCK..range.end.div_ceil(BLOCK);
        for row in blocks(rows) {
            self.has_changed[row * ACROSS..][blocks(columns)].fill(true);
        }
    }

    /// Updates the minimum and maximum of the blocks after all triangles were added.
    pub fn finish(&mut self) {
        for (index, block) in self.blocks.iter_mut().enumerate() {
            if !self.has_changed[index] {
                continue;
            }
            let start = (index / ACROSS) * BLOCK * SIDE + (index % ACROSS) * BLOCK;
            let (mut low, mut high) = ([f32::INFINITY; BLOCK], [NOWHERE; BLOCK]);
            for row in 0..BLOCK {
                let texels = &self.heights[start + row * SIDE..][..BLOCK];
                for k in 0..BLOCK {
                    low[k] = if texels[k] < low[k] { texels[k] } else { low[k] };
                    high[k] = if texels[k] > high[k] { texels[k] } else { high[k] };
                }
            }
            let lowest = low.iter().fold(f32::INFINITY, |a, b| a.min(*b));
            *block = [lowest, high.iter().fold(NOWHERE, |a, b| a.max(*b))];
        }
        for row in 0..ACROSS {
            let below = (row + 1).min(ACROSS - 1) * ACROSS;
            for column in 0..ACROSS {
                let right = (column + 1).min(ACROSS - 1);
                let start = row * ACROSS;
                let around = [start + column, start + right, below + column, below + right];
                let [mut low, mut high] = self.blocks[around[0]];
                for &index in &around[1..] {
                    let block = self.blocks[index];
                    low = if block[0] < low { block[0] } else { low };
                    high = if block[1] > high { block[1] } else { high };
                }
                self.areas[start + column] = [low, high];
            }
        }
    }

    /// Mapping from points to texels of this map.
    #[inline(always)]
    pub fn view(&self) -> SunView {
        self.view
    }

    /// Share of the sun's light, from 0 to 1, that reaches a point given by [`SunView::seen`].
    #[inline(always)]
    pub fn light_at(&self, seen: Single3, rise: [f32; 2]) -> f32 {
        let Some((left, top)) = corner(seen) else { return 1.0 };
        let reach = SOFTNESS * (rise[0].abs() + rise[1].abs()) + 0.5;
        let [low, high] = self.extremes(left, top);
        if high <= seen[2] - reach {
            return 1.0;
        }
        if low > seen[2] + reach {
            return 0.0;
        }
        self.filtered(seen, rise, left, top)
    }

    /// Whether any texel in this range may differ from the map that this one was copied from.
    pub fn has_changed_in(&self, [left, right, top, bottom]: [u16; 4]) -> bool {
        let blocks = |first: u16, last: u16| first as usize / BLOCK..last as usize / BLOCK + 1;
        blocks(top, bottom)
            .any(|row| self.has_changed[row * ACROSS..][blocks(left, right)].contains(&true))
    }

    /// Minimum and maximum of all blocks that a filter reads.
    #[inline(always)]
    fn extremes(&self, left: usize, top: usize) -> [f32; 2] {
        self.areas[top / BLOCK * ACROSS + left / BLOCK]
    }

    /// Share of texels that are not higher than the surface, weighted by their distance to the
    /// point.
    #[inline(always)]
    fn filtered(&self, [x, y, height]: Single3, rise: [f32; 2], left: usize, top: usize) -> f32 {
        let (mut across, mut down) = ([0.0_f32; WIDTH], [0.0_f32; WIDTH]);
        let (mut plane, mut raised) = ([0.0_f32; WIDTH], [0.0_f32; WIDTH]);
        for k in 0..WIDTH {
            let (aside, below) = ((left + k) as f32 + 0.5 - x, (top + k) as f32 + 0.5 - y);
            (across[k], down[k]) = (weight(aside), weight(below));
            (plane[k], raised[k]) = (height + rise[0] * aside + 0.5, rise[1] * below);
        }
        let mut lit = [0.0_f32; WIDTH];
        for row in 0..WIDTH {
            let texels = &self.heights[(top + row) * SIDE + left..][..WIDTH];
            for k in 0..WIDTH {
                // Texels fade if their height is close to the surface.
                lit[k] += down[row] * within(plane[k] + raised[row] - texels[k], 0.0, 1.0);
            }
        }
        let sum =
            (lit[0] * across[0] + lit[1] * across[1]) + (lit[2] * across[2] + lit[3] * across[3]);
        let whole = (across[0] + across[1]) + (across[2] + across[3]);
        let all = (down[0] + down[1]) + (down[2] + down[3]);
        sum / (whole * all)
    }
}

impl SunView {
    /// Position of a surface point in the map, lifted off the surface, and the slope of the surface
    /// per texel. The normal must point to the side of the sun. The slope is limited.
    #[inline(always)]
    pub fn seen(&self, at: Single3, normal: Single3) -> (Single3, [f32; 2]) {
        let [across, down, sunwards] = self.axes;
        let lifted = plus(at, self.lift, normal);
        let middle = SIDE as f32 / 2.0;
        let x = inner(across, lifted) * self.texels + middle;
        let y = inner(down, lifted) * self.texels + middle;
        let height = inner(sunwards, lifted) * self.texels;
        let tilt = inner(sunwards, normal);
        let scale = -1.0 / if tilt > 0.2 { tilt } else { 0.2 };
        let rise = [
            within(inner(across, normal) * scale, -4.0, 4.0),
            within(inner(down, normal) * scale, -4.0, 4.0),
        ];
        ([x, y, height], rise)
    }
}

/// First texel of the filter at a point. `None` outside the map.
#[inline(always)]
fn corner(seen: Single3) -> Option<(usize, usize)> {
    let most = (SIDE - WIDTH) as f32;
    let (left, top) = ((seen[0] - SOFTNESS + 0.5).floor(), (seen[1] - SOFTNESS + 0.5).floor());
    let is_inside = left >= 0.0 && top >= 0.0 && left <= most && top <= most;
    is_inside.then_some((left as usize, top as usize))
}

/// Range of all texels of a map, from first to last column and row.
pub const EVERYWHERE: [u16; 4] = [0, (SIDE - 1) as u16, 0, (SIDE - 1) as u16];

/// Range of texels around a point, from first to last column and row, clamped to the map.
pub fn around(seen: Single3) -> [u16; 4] {
    let range = |value: f32| {
        let first = (value - SOFTNESS + 0.5).floor();
        let inside = |value: f32| value.clamp(0.0, (SIDE - 1) as f32) as u16;
        [inside(first), inside(first + (WIDTH - 1) as f32)]
    };
    let ([left, right], [top, bottom]) = (range(seen[0]), range(seen[1]));
    [left, right, top, bottom]
}

/// Weight of a texel at a distance from a point.
#[inline(always)]
fn weight(distance: f32) -> f32 {
    let weight = 1.0 - distance.abs() / SOFTNESS;
    if weight > 0.0 { weight } else { 0.0 }
}
