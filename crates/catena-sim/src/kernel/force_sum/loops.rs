//! Forces on nodes alone: loops over slices of equal length, in the order of operations of the
//! plain loops of the forces. What calls them says which instructions they are compiled for;
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
