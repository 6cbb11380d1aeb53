//! Lookup in a shadow map: the share of the sun's light that reaches a point.

use super::{BLOCK, ShadowMap, SunView, WIDEST};
use crate::space::single::{Single3, inner, within};

/// Minimum radius of a filter, in texels.
const NARROWEST: f32 = 1.5;

/// Radius in texels up to which a filter reads adjacent texels.
const NARROW: f32 = 2.0;

/// Number of texels that a narrow filter reads in x and in y.
const WIDTH: usize = 4;

/// Number of samples of a wide filter in x and in y.
const TAPS: usize = 8;

/// Number of adjacent texels that contain all samples of a row of the widest filter.
const SPAN: usize = 16;

/// Share of light from which a point counts as lit. Sums of weights differ from 1 by rounding.
const LIT: f32 = 0.9999;

/// Distance in texels by which a surface is moved along its normal before the lookup.
const LIFT: f32 = 0.8;

/// Points of surfaces as the sun sees them, with one number per point in each array.
pub struct SunPoints<'a, const N: usize> {
    /// Coordinates along the axes of the light.
    pub at: &'a [[f32; N]; 3],
    /// Coordinates of the unit normals on the side of the sun.
    pub normal: &'a [[f32; N]; 3],
    /// Length of a pixel at each point.
    pub pixel: &'a [f32; N],
}

/// Places where the map is read, with one number per point in each array.
struct Lookups<const N: usize> {
    /// Position in the map in texels.
    x: [f32; N],
    y: [f32; N],
    /// Height in texels.
    height: [f32; N],
    /// Slope of the surface in x and in y.
    rise: [[f32; N]; 2],
    /// Radius of the filter for a shadow that starts at the point.
    base: [f32; N],
    /// Largest radius of the filter.
    radius: [f32; N],
    /// Difference of heights that the filter may find on the surface itself.
    reach: [f32; N],
    /// Share of light, if the heights around the point determine it; otherwise negative.
    light: [f32; N],
}

impl<const N: usize> Lookups<N> {
    /// Places in full light.
    #[inline(always)]
    fn lit() -> Self {
        let none = [0.0; N];
        Self {
            x: none,
            y: none,
            height: none,
            rise: [none; 2],
            base: none,
            radius: none,
            reach: none,
            light: [1.0; N],
        }
    }
}

impl ShadowMap {
    /// Sets the shares of the sun's light, from 0 to 1, that reach the points that are wanted.
    /// Other shares keep their value. `softness` is the tangent of the sun's radius.
    #[inline(always)]
    pub fn add_lights<const N: usize>(
        &self,
        points: &SunPoints<'_, N>,
        softness: f32,
        is_wanted: &[bool; N],
        lights: &mut [f32; N],
    ) {
        let all = self.lookups(points, softness, is_wanted);
        for i in 0..N {
            if is_wanted[i] {
                lights[i] = all.light[i];
            }
        }
        for i in 0..N {
            if is_wanted[i] && lights[i] < 0.0 {
                lights[i] = self.filtered(&all, i, softness);
            }
        }
    }

    /// Finds the places of points in the map, and the light where the nearby blocks decide.
    #[inline(always)]
    fn lookups<const N: usize>(
        &self,
        points: &SunPoints<'_, N>,
        softness: f32,
        is_wanted: &[bool; N],
    ) -> Lookups<N> {
        let mut all = Lookups::lit();
        let SunView { single, texels, .. } = self.view;
        let ([px, py, pz], [nx, ny, nz]) = (points.at, points.normal);
        let maximum = self.side() as f32;
        let across = self.across as i32;
        let (mut is_inside, mut block, mut count) = ([false; N], [0_i32; N], 0);
        for i in 0..N {
            let (x, y) = ((px[i] - single[0]) * texels, (py[i] - single[1]) * texels);
            // The condition also rejects NaN.
            is_inside[i] = (x >= WIDEST)
                & (y >= WIDEST)
                & (x < maximum - WIDEST)
                & (y < maximum - WIDEST)
                & is_wanted[i];
            let (column, row) = (x as i32 / BLOCK as i32, y as i32 / BLOCK as i32);
            block[i] = if is_inside[i] { row * across + column } else { 0 };
            count += i32::from(is_inside[i]);
            (all.x[i], all.y[i]) = (x, y);
        }
        if count == 0 {
            return all;
        }
        let (mut low, mut high) = ([0.0; N], [0.0; N]);
        for i in 0..N {
            [low[i], high[i]] = self.areas[block[i] as usize];
        }
        for i in 0..N {
            let x = all.x[i] + LIFT * nx[i];
            let y = all.y[i] + LIFT * ny[i];
            let height = pz[i] * texels + LIFT * nz[i];
            let slope = -1.0 / if nz[i] > 0.2 { nz[i] } else { 0.2 };
            let rise = [within(nx[i] * slope, -4.0, 4.0), within(ny[i] * slope, -4.0, 4.0)];
            let base = within(0.6 * points.pixel[i] * texels, NARROWEST, WIDEST);
            let above = within(high[i] - height, 0.0, 1e6);
            let radius = within(base + softness * above, base, WIDEST);
            let reach = radius * (rise[0].abs() + rise[1].abs()) + 0.5;
            let near = if low[i] > height + reach { 0.0 } else { -1.0 };
            let is_lit = !is_inside[i] | (high[i] <= height - reach);
            all.light[i] = if is_lit { 1.0 } else { near };
            (all.height[i], all.base[i]) = (height, base);
            (all.radius[i], all.reach[i]) = (radius, reach);
            (all.rise[0][i], all.rise[1][i]) = (rise[0], rise[1]);
            all.x[i] = within(x, WIDEST, maximum - WIDEST);
            all.y[i] = within(y, WIDEST, maximum - WIDEST);
        }
        all
    }

    /// Share of light at a point that the nearby blocks do not decide.
    #[inline(always)]
    fn filtered<const N: usize>(&self, all: &Lookups<N>, i: usize, softness: f32) -> f32 {
        let (at, rise) = ([all.x[i], all.y[i], all.height[i]], [all.rise[0][i], all.rise[1][i]]);
        let (height, base) = (all.height[i], all.base[i]);
        let (radius, reach) = (all.radius[i], all.reach[i]);
        // The blocks that the filter reads are fewer and give tighter limits.
        let [low, high] = self.near(at, radius);
        if high <= height - reach {
            return 1.0;
        }
        if low > height + reach {
            return 0.0;
        }
        let above = within(high - height, 0.0, 1e6);
        let radius = within(base + softness * above, base, radius);
        if radius <= NARROW {
            return self.narrow(at, rise);
        }
        let (above, light) = self.wide(at, rise, radius);
        // Nothing blocks the widest filter, so nothing blocks a narrower one.
        if above == 0.0 && light > LIT {
            return 1.0;
        }
        let own = within(base + softness * above, base, radius);
        if own > 0.75 * radius {
            return light;
        }
        if own <= NARROW {
            return self.narrow(at, rise);
        }
        self.wide(at, rise, own).1
    }

    /// Minimum and maximum height in the blocks of texels within a distance of a point, in texels.
    #[inline(always)]
    fn near(&self, [x, y, _]: Single3, distance: f32) -> [f32; 2] {
        let (left, right) = (truncated(x - distance) / BLOCK, truncated(x + distance) / BLOCK);
        let (top, bottom) = (truncated(y - distance) / BLOCK, truncated(y + distance) / BLOCK);
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for row in top..=bottom {
            for [minimum, maximum] in &self.blocks[row * self.across..][left..=right] {
                low = if *minimum < low { *minimum } else { low };
                high = if *maximum > high { *maximum } else { high };
            }
        }
        [low, high]
    }

    /// Share of adjacent texels that are not higher than the surface. The weights of texels fall
    /// with the distance to the point.
    #[inline(always)]
    fn narrow(&self, [x, y, height]: Single3, rise: [f32; 2]) -> f32 {
        let (left, top) = (truncated(x - NARROW + 0.5), truncated(y - NARROW + 0.5));
        let (mut across, mut down) = ([0.0_f32; WIDTH], [0.0_f32; WIDTH]);
        let (mut plane, mut raised) = ([0.0_f32; WIDTH], [0.0_f32; WIDTH]);
        for k in 0..WIDTH {
            let (aside, below) = ((left + k) as f32 + 0.5 - x, (top + k) as f32 + 0.5 - y);
            (across[k], down[k]) = (weight(aside), weight(below));
            (plane[k], raised[k]) = (height + rise[0] * aside + 0.5, rise[1] * below);
        }
        let (side, mut lit) = (self.side(), [0.0_f32; WIDTH]);
        for row in 0..WIDTH {
            let texels = &self.heights[(top + row) * side + left..][..WIDTH];
            for k in 0..WIDTH {
                // Texels fade if their height is close to the surface.
                lit[k] += down[row] * within(plane[k] + raised[row] - texels[k], 0.0, 1.0);
            }
        }
        let sum =
            (lit[0] * across[0] + lit[1] * across[1]) + (lit[2] * across[2] + lit[3] * across[3]);
        let weight_sum = (across[0] + across[1]) + (across[2] + across[3]);
        let all = (down[0] + down[1]) + (down[2] + down[3]);
        sum / (weight_sum * all)
    }

    /// Mean height above the point of the sampled texels that are higher than the surface, and the
    /// weighted share of the texels that are not. The samples fill a square with sides of twice
    /// `radius`.
    #[inline(always)]
    fn wide(&self, [x, y, height]: Single3, rise: [f32; 2], radius: f32) -> (f32, f32) {
        let (side, step) = (self.side(), 2.0 * radius / TAPS as f32);
        let (mut left, mut plane) = ([0_usize; TAPS], [0.0_f32; TAPS]);
        for k in 0..TAPS {
            let aside = step * (k as f32 - 0.5 * (TAPS - 1) as f32);
            (left[k], plane[k]) = (truncated(x + aside), height + rise[0] * aside + 0.5);
        }
        // A window of fixed length needs no check of each index.
        let first = left[0].min(side - SPAN);
        let column = left.map(|left| (left - first) % SPAN);
        let (mut sum, mut above, mut blocked) = ([0.0_f32; TAPS], [0.0_f32; TAPS], [0.0_f32; TAPS]);
        for (row, shares) in SHARES.iter().enumerate() {
            let below = step * (row as f32 - 0.5 * (TAPS - 1) as f32);
            let start = truncated(y + below) * side + first;
            let Some(line) = self.heights[start..].first_chunk::<SPAN>() else { continue };
            let raised = rise[1] * below;
            let texels = column.map(|column| line[column]);
            for k in 0..TAPS {
                let lit = within(plane[k] + raised - texels[k], 0.0, 1.0);
                sum[k] += shares[k] * lit;
                let (more, count) = if lit < 0.5 { (texels[k] - height, 1.0) } else { (0.0, 0.0) };
                above[k] += more;
                blocked[k] += count;
            }
        }
        let blocked = total(&blocked);
        (if blocked > 0.0 { total(&above) / blocked } else { 0.0 }, total(&sum) / WHOLE)
    }
}

/// Weights of the samples of a wide filter. The weight is 1 up to 3.5 samples from the centre, and
/// falls linearly to 0 at 4.5 samples.
const SHARES: [[f32; TAPS]; TAPS] = {
    const A: f32 = 0.964_466_1;
    const B: f32 = 0.692_113_4;
    const C: f32 = 0.198_837;
    const OUTER: [f32; TAPS] = [0.0, C, B, A, A, B, C, 0.0];
    const SECOND: [f32; TAPS] = [C, A, 1.0, 1.0, 1.0, 1.0, A, C];
    const THIRD: [f32; TAPS] = [B, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, B];
    const INNER: [f32; TAPS] = [A, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, A];
    [OUTER, SECOND, THIRD, INNER, INNER, THIRD, SECOND, OUTER]
};

/// Sum of all [`SHARES`].
const WHOLE: f32 = {
    let (mut sum, mut index) = (0.0, 0);
    while index < TAPS * TAPS {
        sum += SHARES[index / TAPS][index % TAPS];
        index += 1;
    }
    sum
};

/// Sum of the samples of all columns, in pairs.
#[inline(always)]
fn total(a: &[f32; TAPS]) -> f32 {
    ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))
}

/// Whole part of a coordinate in texels. Conversion to 32 bits is much faster than to 64.
#[inline(always)]
fn truncated(value: f32) -> usize {
    value as i32 as usize
}

/// Weight of a texel at a distance, in texels, from a point.
#[inline(always)]
fn weight(distance: f32) -> f32 {
    let weight = 1.0 - distance.abs() / NARROW;
    if weight > 0.0 { weight } else { 0.0 }
}

/// Coordinates of a point or a direction along the axes of the light.
#[inline(always)]
pub fn along_axes(axes: [Single3; 3], vector: Single3) -> Single3 {
    [inner(axes[0], vector), inner(axes[1], vector), inner(axes[2], vector)]
}
