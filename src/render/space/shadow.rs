//! Shadows: what the sun sees, as a map of heights over a plane across its rays.
//!
//! A point is in shadow as far as the map around it is higher than the point (Williams 1978; Reeves,
//! Salesin and Cook 1987). The heights are compared with the plane of the surface, not with the
//! point alone, so that no surface throws shadows on itself.

use super::light::{Light, inner};
use crate::render::vector::Vec3;

/// Texels along each side of the map.
pub const SIDE: usize = 512;

/// Texels along each side of a block, of which the lowest and the highest are known.
const BLOCK: usize = 8;

/// Texels from the middle of a shadow's edge to its end.
const SOFTNESS: f32 = 4.0;

/// Texels that are looked at in x and in y.
const WIDTH: usize = 8;

/// A surface is moved so many texels along its normal before it looks for its shadow.
const LIFT: f32 = 1.25;

/// Where no height is known.
const NOWHERE: f32 = f32::NEG_INFINITY;

/// A map of heights along the rays of the sun.
#[derive(Clone, Debug)]
pub struct ShadowMap {
    light: Light,
    /// The side of a texel, as a length.
    texel: f64,
    heights: Vec<f32>,
    /// The lowest and the highest of each block.
    blocks: Vec<[f32; 2]>,
}

impl ShadowMap {
    /// An empty map around the origin that reaches so far in all directions.
    pub fn new(light: Light, reach: f64) -> Self {
        let blocks = (SIDE / BLOCK) * (SIDE / BLOCK);
        Self {
            light,
            texel: 2.0 * reach / SIDE as f64,
            heights: vec![NOWHERE; SIDE * SIDE],
            blocks: vec![[NOWHERE; 2]; blocks],
        }
    }

    /// Makes this map a copy of another one.
    pub fn copy(&mut self, other: &Self) {
        (self.light, self.texel) = (other.light, other.texel);
        self.heights.copy_from_slice(&other.heights);
        self.blocks.copy_from_slice(&other.blocks);
    }

    /// How far from the edge of a shadow its penumbra reaches, as a length.
    pub fn penumbra(&self) -> f64 {
        self.texel * f64::from(SOFTNESS)
    }

    /// Where a place lies in the map, in texels, and its height in texels.
    fn place(&self, at: Vec3) -> Vec3 {
        let [x, y, height] = self.light.coordinates(at);
        let middle = SIDE as f64 / 2.0;
        [x / self.texel + middle, y / self.texel + middle, height / self.texel]
    }

    /// Adds a triangle that throws a shadow.
    pub fn add(&mut self, corners: [Vec3; 3]) {
        let [a, mut b, mut c] = corners.map(|at| self.place(at));
        let doubled = |b: Vec3, c: Vec3| {
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        let mut area = doubled(b, c);
        if area < 0.0 {
            std::mem::swap(&mut b, &mut c);
            area = -area;
        }
        // NaN is not above zero either.
        if !(area > 0.0 && area.is_finite()) {
            return;
        }
        let range = |axis: usize| {
            let low = a[axis].min(b[axis]).min(c[axis]).max(0.0);
            let high = a[axis].max(b[axis]).max(c[axis]).min(SIDE as f64);
            (low - 0.5).ceil().max(0.0) as usize..(high + 0.5).floor().clamp(0.0, SIDE as f64) as usize
        };
        let (rows, columns) = (range(1), range(0));
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

    /// Takes note of the lowest and the highest of each block, after all triangles were added.
    pub fn finish(&mut self) {
        let across = SIDE / BLOCK;
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let start = (index / across) * BLOCK * SIDE + (index % across) * BLOCK;
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
    }

    /// The share of the sun's light, from 0 to 1, that reaches a place of a surface with this
    /// normal, which points to the side of the sun.
    #[inline(always)]
    pub fn light_at(&self, at: [f32; 3], normal: [f32; 3]) -> f32 {
        let texel = self.texel as f32;
        let axes = self.light.axes.map(|axis| axis.map(|value| value as f32));
        let tilt = axes.map(|axis| inner(axis, normal));
        let lifted = [0, 1, 2].map(|axis| at[axis] + normal[axis] * (LIFT * texel));
        let [x, y, height] = axes.map(|axis| inner(axis, lifted) / texel);
        let middle = SIDE as f32 / 2.0;
        let (x, y) = (x + middle, y + middle);
        let most = (SIDE - WIDTH) as f32;
        let (left, top) = ((x - SOFTNESS + 0.5).floor(), (y - SOFTNESS + 0.5).floor());
        if !(left >= 0.0 && top >= 0.0 && left <= most && top <= most) {
            return 1.0;
        }
        // How the surface rises from texel to texel; a steep one is taken for less steep.
        let rise = [0, 1].map(|axis| (-tilt[axis] / tilt[2].max(0.2)).clamp(-4.0, 4.0));
        let (left, top) = (left as usize, top as usize);
        let reach = SOFTNESS * (rise[0].abs() + rise[1].abs());
        let [low, high] = self.extremes(left, top);
        if high <= height - reach {
            return 1.0;
        }
        if low > height + reach {
            return 0.0;
        }
        self.filtered([x, y, height], rise, (left, top))
    }

    /// The lowest and the highest of all blocks around the texels of a filter.
    #[inline(always)]
    fn extremes(&self, left: usize, top: usize) -> [f32; 2] {
        let across = SIDE / BLOCK;
        let (mut low, mut high) = (f32::INFINITY, NOWHERE);
        for row in top / BLOCK..=(top + WIDTH - 1) / BLOCK {
            for column in left / BLOCK..=(left + WIDTH - 1) / BLOCK {
                let block = self.blocks[row * across + column];
                (low, high) = (low.min(block[0]), high.max(block[1]));
            }
        }
        [low, high]
    }

    /// The share of texels that are not above the surface; those near the place count most.
    #[inline(always)]
    fn filtered(
        &self,
        [x, y, height]: [f32; 3],
        rise: [f32; 2],
        (left, top): (usize, usize),
    ) -> f32 {
        let weight = |distance: f32| (1.0 - distance.abs() / SOFTNESS).max(0.0);
        let mut across = [0.0_f32; WIDTH];
        let mut plane = [0.0_f32; WIDTH];
        for k in 0..WIDTH {
            let distance = (left + k) as f32 + 0.5 - x;
            across[k] = weight(distance);
            plane[k] = height + rise[0] * distance;
        }
        let (mut lit, mut all) = ([0.0_f32; WIDTH], 0.0);
        for row in 0..WIDTH {
            let distance = (top + row) as f32 + 0.5 - y;
            let (share, raised) = (weight(distance), rise[1] * distance);
            all += share;
            let texels = &self.heights[(top + row) * SIDE + left..][..WIDTH];
            for k in 0..WIDTH {
                let is_lit = texels[k] <= plane[k] + raised;
                lit[k] += if is_lit { share } else { 0.0 };
            }
        }
        let (mut sum, mut whole) = (0.0, 0.0);
        for k in 0..WIDTH {
            sum += lit[k] * across[k];
            whole += across[k];
        }
        sum / (whole * all)
    }
}
