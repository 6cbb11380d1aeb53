//! Vector arithmetic for methods, compiled for the processor's instruction set. Vectors are flat.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use crate::instructions::Instructions;

/// Runs the work with the best instruction set. All functions that the work calls must be inlined:
/// pass a closure with `#[inline(always)]`, and use loops instead of `for_each`.
#[inline(always)]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    Instructions::best().run(work)
}

/// out = y + h Σ w_i k_i, summed in order.
pub(crate) fn combine<K: AsRef<[f64]>>(out: &mut [f64], y: &[f64], h: f64, w: &[f64], k: &[K]) {
    add_terms(out, From::Other(y), h, w, k);
}

/// y += h Σ w_i k_i, summed in order.
pub(crate) fn advance<K: AsRef<[f64]>>(y: &mut [f64], h: f64, w: &[f64], k: &[K]) {
    add_terms(y, From::Itself, h, w, k);
}

/// out = h Σ w_i k_i, summed in order.
pub(crate) fn weighted<K: AsRef<[f64]>>(out: &mut [f64], h: f64, w: &[f64], k: &[K]) {
    add_terms(out, From::Zero, h, w, k);
}

/// Initial value of a sum.
#[derive(Clone, Copy)]
enum From<'a> {
    Zero,
    Itself,
    Other(&'a [f64]),
}

/// Adds up to nine terms per pass, so that the longest row of a tableau takes one pass.
fn add_terms<K: AsRef<[f64]>>(out: &mut [f64], from: From<'_>, h: f64, w: &[f64], k: &[K]) {
    match w.len().min(k.len()) {
        0 => sum::<0, K>(out, from, h, w, k),
        1 => sum::<1, K>(out, from, h, w, k),
        2 => sum::<2, K>(out, from, h, w, k),
        3 => sum::<3, K>(out, from, h, w, k),
        4 => sum::<4, K>(out, from, h, w, k),
        5 => sum::<5, K>(out, from, h, w, k),
        6 => sum::<6, K>(out, from, h, w, k),
        7 => sum::<7, K>(out, from, h, w, k),
        8 => sum::<8, K>(out, from, h, w, k),
        9 => sum::<9, K>(out, from, h, w, k),
        _ => {
            sum::<9, K>(out, from, h, w, k);
            add_terms(out, From::Itself, h, &w[9..], &k[9..]);
        }
    }
}

/// Adds the first `N` terms in one pass.
fn sum<const N: usize, K: AsRef<[f64]>>(
    out: &mut [f64],
    from: From<'_>,
    h: f64,
    w: &[f64],
    k: &[K],
) {
    wide(
        #[inline(always)]
        || {
            let n = out.len();
            let (mut weights, mut slopes) = ([0.0; N], [&[][..]; N]);
            for i in 0..N {
                weights[i] = h * w[i];
                slopes[i] = &k[i].as_ref()[..n];
            }
            match from {
                From::Zero => {
                    for (at, out) in out.iter_mut().enumerate() {
                        *out = with_terms(0.0, at, &weights, &slopes);
                    }
                }
                From::Itself => {
                    for (at, out) in out.iter_mut().enumerate() {
                        *out = with_terms(*out, at, &weights, &slopes);
                    }
                }
                From::Other(y) => {
                    for ((at, out), y) in out.iter_mut().enumerate().zip(&y[..n]) {
                        *out = with_terms(*y, at, &weights, &slopes);
                    }
                }
            }
        },
    );
}

#[inline(always)]
fn with_terms<const N: usize>(
    start: f64,
    at: usize,
    weights: &[f64; N],
    slopes: &[&[f64]; N],
) -> f64 {
    let mut value = start;
    for i in 0..N {
        value += weights[i] * slopes[i][at];
    }
    value
}

/// Writes the squared lengths of n vectors, flat by axis, to the first n numbers.
#[inline(always)]
pub(crate) fn squares(vectors: &mut [f64], n: usize) -> &mut [f64] {
    let (sums, more) = vectors.split_at_mut(n);
    for sum in &mut *sums {
        *sum *= *sum;
    }
    for axis in more.chunks_exact(n) {
        for (sum, value) in sums.iter_mut().zip(axis) {
            *sum += value * value;
        }
    }
    sums
}

/// Maximum of the numbers whose flag is `false`, at least 0; NaN if one of them is NaN.
#[inline(always)]
pub(crate) fn greatest(values: &[f64], is_left_out: &[bool]) -> f64 {
    let mut lanes = [0.0_f64; 8];
    for (values, is_left_out) in values.chunks(8).zip(is_left_out.chunks(8)) {
        for ((maximum, value), is_out) in lanes.iter_mut().zip(values).zip(is_left_out) {
            *maximum =
                if !is_out & ((value > maximum) | value.is_nan()) { *value } else { *maximum };
        }
    }
    let mut maximum = 0.0;
    for value in lanes {
        maximum = if (value > maximum) | value.is_nan() { value } else { maximum };
    }
    maximum
}

/// y += f k.
pub(crate) fn add_multiple(y: &mut [f64], f: f64, k: &[f64]) {
    wide(
        #[inline(always)]
        || {
            for (y, k) in y.iter_mut().zip(k) {
                *y += f * k;
            }
        },
    );
}

/// v += f a, and then x += dt v.
pub(crate) fn kick_and_drift(x: &mut [f64], v: &mut [f64], f: f64, a: &[f64], dt: f64) {
    wide(
        #[inline(always)]
        || {
            for ((x, v), a) in x.iter_mut().zip(v).zip(a) {
                *v += f * a;
                *x += *v * dt;
            }
        },
    );
}
