//! The loops of a tile, each over slices of equal length, in the order of operations of the plain
//! loops of the forces. What calls them says which instructions they are compiled for.
//!
//! `for_each` is not always inlined, and would then be compiled for the baseline.

/// Adds.
#[inline(always)]
pub(super) fn add(sum: &mut [f64], values: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Subtracts.
#[inline(always)]
pub(super) fn subtract(sum: &mut [f64], values: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum -= value;
    }
}

/// Subtracts one and then adds the other.
#[inline(always)]
pub(super) fn subtract_and_add(sum: &mut [f64], less: &[f64], more: &[f64]) {
    for (sum, (less, more)) in sum.iter_mut().zip(less.iter().zip(more)) {
        *sum = (*sum - less) + more;
    }
}

/// Adds one and then subtracts the other.
#[inline(always)]
pub(super) fn add_and_subtract(sum: &mut [f64], more: &[f64], less: &[f64]) {
    for (sum, (more, less)) in sum.iter_mut().zip(more.iter().zip(less)) {
        *sum = (*sum + more) - less;
    }
}

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
pub(super) fn divide(a: &mut [f64], force: &[f64], mass: &[f64], pinned: &[bool]) {
    for ((a, force), (mass, pinned)) in a.iter_mut().zip(force).zip(mass.iter().zip(pinned)) {
        let quotient = force / mass;
        *a = if *pinned { 0.0 } else { quotient };
    }
}

/// The same with reciprocals, where they are exact.
#[inline(always)]
pub(super) fn multiply(a: &mut [f64], force: &[f64], inverse: &[f64], pinned: &[bool]) {
    for ((a, force), (inverse, pinned)) in a.iter_mut().zip(force).zip(inverse.iter().zip(pinned)) {
        let product = force * inverse;
        *a = if *pinned { 0.0 } else { product };
    }
}
