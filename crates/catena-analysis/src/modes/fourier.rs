//! Finds peaks in the spectrum of a signal.
//!
//! The signal is weighted with Hann's window and transformed by the fast Fourier transform of
//! Cooley and Tukey (1965). Near a peak the logarithm of the magnitude is approximately a parabola,
//! whose vertex gives the frequency.

use std::f64::consts::PI;

/// Number of lowest bins that are ignored: they hold drift rather than oscillation.
pub const SLOW_BINS: usize = 4;

/// Maximum magnitude of an oscillation, without the first [`SLOW_BINS`].
pub(super) fn greatest(magnitudes: &[f64]) -> f64 {
    magnitudes.iter().skip(SLOW_BINS).fold(0.0, |maximum, value| maximum.max(*value))
}

/// Magnitudes in the first half of a signal's spectrum. The signal's length must be a power of two.
/// Bin k holds k periods per signal.
pub fn magnitudes(signal: &[f64]) -> Vec<f64> {
    let n = signal.len();
    debug_assert!(n.is_power_of_two());
    let window = |i: usize| 0.5 - 0.5 * libm::cos(2.0 * PI * i as f64 / n as f64);
    // Subtract the weighted mean, which would leak into the first bins. The mean of the window
    // itself is 1/2.
    let weighted: f64 = signal.iter().enumerate().map(|(i, value)| value * window(i)).sum();
    let mean = weighted / (0.5 * n as f64);
    let mut values: Vec<[f64; 2]> =
        signal.iter().enumerate().map(|(i, value)| [(value - mean) * window(i), 0.0]).collect();
    transform(&mut values);
    values[..n / 2].iter().map(|[re, im]| (re * re + im * im).sqrt()).collect()
}

/// Replaces values by their Fourier transform: FFT in place, by decimation in time.
fn transform(values: &mut [[f64; 2]]) {
    let n = values.len();
    let bits = n.trailing_zeros();
    if bits == 0 {
        return;
    }
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            values.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        for k in 0..half {
            let angle = -PI * k as f64 / half as f64;
            let [c, s] = [libm::cos(angle), libm::sin(angle)];
            for start in (k..n).step_by(2 * half) {
                let [a, b] = [values[start], values[start + half]];
                let turned = [b[0] * c - b[1] * s, b[0] * s + b[1] * c];
                values[start] = [a[0] + turned[0], a[1] + turned[1]];
                values[start + half] = [a[0] - turned[0], a[1] - turned[1]];
            }
        }
        half *= 2;
    }
}

/// Position of the highest peak between two positions, all in bins. Returns `None` if no peak is at
/// least `height` times as high as the lowest point in that range.
pub fn peak_within(magnitudes: &[f64], [low, high]: [f64; 2], height: f64) -> Option<f64> {
    let from = low.ceil().max(1.0) as usize;
    let to = (high.floor() as usize).min(magnitudes.len().checked_sub(2)?);
    let is_peak = |&bin: &usize| {
        let [left, top, right] = [bin - 1, bin, bin + 1].map(|k| magnitudes[k]);
        top > left && top >= right && left > 0.0 && right > 0.0
    };
    let bin =
        (from..=to).filter(is_peak).max_by(|&a, &b| magnitudes[a].total_cmp(&magnitudes[b]))?;
    // The neighbours of the outermost bins belong to a peak's slopes, so they count as well.
    let around = from - 1..=to + 1;
    let lowest = around.map(|k| magnitudes[k]).fold(f64::INFINITY, f64::min);
    if magnitudes[bin] < height * lowest {
        return None;
    }
    let [left, top, right] = [bin - 1, bin, bin + 1].map(|k| libm::log(magnitudes[k]));
    Some(bin as f64 + 0.5 * (left - right) / (left - 2.0 * top + right))
}
