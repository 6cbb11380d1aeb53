//! The loops of a tile, each over slices of equal length, in the order of operations of the plain
//! loops of the forces. What calls them says which instructions they are compiled for.
//!
//! `for_each` is not always inlined, and would then be compiled for the baseline.

/// Adds m g.
#[inline(always)]
pub(super) fn add_weight(sum: &mut [f64], mass: &[f64], g: f64) {
    for (sum, mass) in sum.iter_mut().zip(mass) {
        *sum += mass * g;
    }
}

/// Adds -c (v - w).
#[inline(always)]
pub(super) fn add_drag(sum: &mut [f64], v: &[f64], c: f64, w: f64) {
    for (sum, v) in sum.iter_mut().zip(v) {
        *sum -= c * (v - w);
    }
}

/// Accelerations from forces; 0 for pinned nodes.
#[inline(always)]
pub(super) fn divide(
    a: &mut [f64],
    force: &[f64],
    pinned: &[bool],
    divided: impl Fn(f64, usize) -> f64,
) {
    let n = a.len();
    let (force, pinned) = (&force[..n], &pinned[..n]);
    for i in 0..n {
        let acceleration = divided(force[i], i);
        a[i] = if pinned[i] { 0.0 } else { acceleration };
    }
}

/// Accelerations under the pulls of springs that end and that begin at nodes, and a weight.
#[inline(always)]
pub(super) fn springs_and_weight(
    a: &mut [f64],
    (before, own): (&[f64], &[f64]),
    (mass, g, pinned): (&[f64], f64, &[bool]),
    divided: impl Fn(f64, usize) -> f64,
) {
    let n = a.len();
    let (before, own, mass, pinned) = (&before[..n], &own[..n], &mass[..n], &pinned[..n]);
    for i in 0..n {
        let force = (0.0 - before[i]) + own[i] + mass[i] * g;
        let acceleration = divided(force, i);
        a[i] = if pinned[i] { 0.0 } else { acceleration };
    }
}
