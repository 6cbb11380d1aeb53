//! Arithmetic of methods on flat vectors, compiled for the instructions that the processor has.

use crate::instructions::Instructions;

/// Does the work with the best instructions. All that it calls must be inlined: give it a closure
/// with `#[inline(always)]`, and loops rather than `for_each`.
#[inline(always)]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    Instructions::best().run(work)
}

/// out = y + h Σ w_i k_i, the terms in order.
pub(crate) fn combine<K: AsRef<[f64]>>(out: &mut [f64], y: &[f64], h: f64, w: &[f64], k: &[K]) {
    let terms = w.len().min(k.len());
    match terms {
        0 => out.copy_from_slice(y),
        1 => sum::<1, K>(out, Some(y), h, w, k),
        2 => sum::<2, K>(out, Some(y), h, w, k),
        3 => sum::<3, K>(out, Some(y), h, w, k),
        4 => sum::<4, K>(out, Some(y), h, w, k),
        5 => sum::<5, K>(out, Some(y), h, w, k),
        _ => {
            sum::<6, K>(out, Some(y), h, w, k);
            advance(out, h, &w[6..], &k[6..]);
        }
    }
}

/// y += h Σ w_i k_i, the terms in order.
pub(crate) fn advance<K: AsRef<[f64]>>(y: &mut [f64], h: f64, w: &[f64], k: &[K]) {
    let terms = w.len().min(k.len());
    match terms {
        0 => {}
        1 => sum::<1, K>(y, None, h, w, k),
        2 => sum::<2, K>(y, None, h, w, k),
        3 => sum::<3, K>(y, None, h, w, k),
        4 => sum::<4, K>(y, None, h, w, k),
        5 => sum::<5, K>(y, None, h, w, k),
        _ => {
            sum::<6, K>(y, None, h, w, k);
            advance(y, h, &w[6..], &k[6..]);
        }
    }
}

/// The first `N` terms, in one pass; from `out` itself where there is no y.
fn sum<const N: usize, K: AsRef<[f64]>>(
    out: &mut [f64],
    y: Option<&[f64]>,
    h: f64,
    w: &[f64],
    k: &[K],
) {
    let weights: [f64; N] = std::array::from_fn(|i| h * w[i]);
    let slopes: [&[f64]; N] = std::array::from_fn(|i| k[i].as_ref());
    wide(
        #[inline(always)]
        || {
            let n = out.len();
            let mut cut = [&[][..]; N];
            for i in 0..N {
                cut[i] = &slopes[i][..n];
            }
            let from = y.map(|y| &y[..n]);
            match from {
                Some(y) => {
                    for at in 0..n {
                        let mut value = y[at];
                        for i in 0..N {
                            value += weights[i] * cut[i][at];
                        }
                        out[at] = value;
                    }
                }
                None => {
                    for at in 0..n {
                        let mut value = out[at];
                        for i in 0..N {
                            value += weights[i] * cut[i][at];
                        }
                        out[at] = value;
                    }
                }
            }
        },
    );
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
pub(crate) fn kick_and_drift((x, v): (&mut [f64], &mut [f64]), f: f64, a: &[f64], dt: f64) {
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
