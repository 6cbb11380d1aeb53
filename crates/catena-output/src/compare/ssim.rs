//! Structural similarity of two pictures.
//!
//! Source: Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli: "Image Quality Assessment: From
//! Error Visibility to Structural Similarity", IEEE Transactions on Image Processing 13 (4), 2004,
//! equation 13.
//!
//! The constants are from the paper: windows of 11 by 11 pixels with normalized Gaussian weights of
//! σ = 1.5, K1 = 0.01, K2 = 0.03, L = 255. The result is the mean over all windows inside the
//! picture, which is not scaled down first.
//!
//! The similarity is computed for luma (0.299 R + 0.587 G + 0.114 B). If a picture is narrower or
//! lower than a window, windows get its width or height. Pictures with transparent pixels are
//! composited over black and over white, and the lower mean counts.

use super::raster::{Bounds, LEVEL, Raster};

/// Number of columns and of rows of a window, in pixels.
const WINDOW: usize = 11;
/// Standard deviation σ of the Gaussian weights of a window, in pixels.
const SIGMA: f64 = 1.5;
/// Constant (K1 L)² with K1 = 0.01 and L = 255, which stabilizes the comparison of means.
const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
/// Constant (K2 L)² with K2 = 0.03 and L = 255, which stabilizes the comparison of variances.
const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);
/// Number of moments of a window: means of x, y, x², y² and xy.
const MOMENTS: usize = 5;

/// Mean SSIM of two pictures of equal size that are equal outside `differing`, from -1 to 1.
///
/// Windows outside `differing` have a similarity of exactly 1 and are only counted.
pub(super) fn mean(expected: &Raster, actual: &Raster, differing: Bounds) -> f64 {
    let over = |backdrop| over(expected, actual, differing, backdrop);
    let on_black = over(0.0);
    if expected.has_alpha() || actual.has_alpha() { on_black.min(over(255.0)) } else { on_black }
}

fn over(expected: &Raster, actual: &Raster, differing: Bounds, backdrop: f64) -> f64 {
    let sides = expected.size.map(|side| WINDOW.min(side as usize));
    let reach = |axis: usize| {
        let first = differing.corner[axis] as usize;
        let last = first + differing.size[axis] as usize - 1;
        first.saturating_sub(sides[axis] - 1)
            ..(last + sides[axis]).min(expected.size[axis] as usize)
    };
    let (columns, rows) = (reach(0), reach(1));
    let windows = |width: usize, height: usize| {
        (width - sides[0] + 1) as u64 * (height - sides[1] + 1) as u64
    };
    let all = windows(expected.size[0] as usize, expected.size[1] as usize);
    let looked_at = windows(columns.len(), rows.len());

    let (across, down) = (weights(sides[0]), weights(sides[1]));
    let mut passed: Vec<[Vec<f64>; MOMENTS]> = vec![Default::default(); sides[1]];
    let mut window: [Vec<f64>; MOMENTS] = Default::default();
    let (mut pixels, mut x, mut y) = (Vec::new(), Vec::new(), Vec::new());
    let mut sum = 0.0;
    for (count, row) in rows.enumerate() {
        for (picture, luma) in [(expected, &mut x), (actual, &mut y)] {
            picture.read_row(row, &mut pixels);
            luma.clear();
            luma.extend(pixels[columns.clone()].iter().map(|pixel| self::luma(*pixel, backdrop)));
        }
        compute_moments(&x, &y, &across, &mut passed[count % sides[1]]);
        if count + 1 >= sides[1] {
            let oldest = count + 1 - sides[1];
            let ring = down.iter().enumerate();
            blend(ring.map(|(i, w)| (*w, &passed[(oldest + i) % sides[1]])), &mut window);
            sum += similarities(&window);
        }
    }
    ((all - looked_at) as f64 + sum) / all as f64
}

/// Luma of a 16-bit RGBA pixel over a grey backdrop, both from 0 to 255.
pub(super) fn luma([red, green, blue, alpha]: [u16; 4], backdrop: f64) -> f64 {
    let [red, green, blue] = [red, green, blue].map(f64::from);
    let opacity = f64::from(alpha) / 65535.0;
    (0.299 * red + 0.587 * green + 0.114 * blue) / f64::from(LEVEL) * opacity
        + backdrop * (1.0 - opacity)
}

/// Gaussian weights around the middle of `count` pixels, with a sum of 1.
fn weights(count: usize) -> Vec<f64> {
    let middle = (count as f64 - 1.0) / 2.0;
    let weight = |i: usize| {
        let distance = (i as f64 - middle) / SIGMA;
        libm::exp(-0.5 * distance * distance)
    };
    let weights: Vec<f64> = (0..count).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Computes the moments of a row, weighted horizontally: one value per window position.
fn compute_moments(x: &[f64], y: &[f64], weights: &[f64], out: &mut [Vec<f64>; MOMENTS]) {
    let places = x.len() + 1 - weights.len();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).collect::<Vec<f64>>();
    let (xx, yy, xy) = (product(x, x), product(y, y), product(x, y));
    for (out, values) in out.iter_mut().zip([x, y, &xx, &yy, &xy]) {
        out.clear();
        out.resize(places, 0.0);
        for (i, weight) in weights.iter().enumerate() {
            out.iter_mut().zip(&values[i..]).for_each(|(out, value)| *out += weight * value);
        }
    }
}

/// Computes the weighted sum of rows of moments.
fn blend<'a>(
    rows: impl Iterator<Item = (f64, &'a [Vec<f64>; MOMENTS])>,
    out: &mut [Vec<f64>; MOMENTS],
) {
    out.iter_mut().for_each(Vec::clear);
    for (weight, row) in rows {
        for (out, values) in out.iter_mut().zip(row) {
            out.resize(values.len(), 0.0);
            out.iter_mut().zip(values).for_each(|(out, value)| *out += weight * value);
        }
    }
}

/// Sum of the similarities in a row of windows.
fn similarities([x, y, xx, yy, xy]: &[Vec<f64>; MOMENTS]) -> f64 {
    let similarity = |i: usize| {
        let (spread_x, spread_y) = (xx[i] - x[i] * x[i], yy[i] - y[i] * y[i]);
        let together = xy[i] - x[i] * y[i];
        let means = (2.0 * x[i] * y[i] + C1) / (x[i] * x[i] + y[i] * y[i] + C1);
        means * ((2.0 * together + C2) / (spread_x + spread_y + C2))
    };
    (0..x.len()).map(similarity).sum()
}
