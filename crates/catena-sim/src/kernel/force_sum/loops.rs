//! The loops of a tile, each over slices of equal length, in the order of operations of the plain
//! loops of the forces. What calls them says which instructions they are compiled for.
//!
//! `for_each` is not always inlined, and would then be compiled for the baseline.

use super::run::HOLE;

/// For each place its distance along one axis, squared: sets `square` to it where the axis is the
/// first one, else adds it.
#[inline(always)]
pub(super) fn add_square(is_first: bool, from: &[f64], to: &[f64], square: &mut [f64]) {
    if is_first {
        for (square, (from, to)) in square.iter_mut().zip(from.iter().zip(to)) {
            *square = (to - from) * (to - from);
        }
    } else {
        for (square, (from, to)) in square.iter_mut().zip(from.iter().zip(to)) {
            *square += (to - from) * (to - from);
        }
    }
}

/// Roots in place.
#[inline(always)]
pub(super) fn root(values: &mut [f64]) {
    for value in values {
        *value = value.sqrt();
    }
}

/// Hooke's tension k (L - l).
#[inline(always)]
pub(super) fn hooke(stiffness: &[f64], rest: &[f64], length: &[f64], tension: &mut [f64]) {
    let places = tension.iter_mut().zip(length).zip(stiffness.iter().zip(rest));
    for ((tension, length), (k, rest)) in places {
        *tension = k * (length - rest);
    }
}

/// Along one axis, a size times the direction of each spring: zero where the length is zero and in
/// holes, which `mark` tells.
#[inline(always)]
pub(super) fn along(
    (from, to): (&[f64], &[f64]),
    (size, length): (&[f64], &[f64]),
    mark: &[f64],
    out: &mut [f64],
) {
    let places = out.iter_mut().zip(from.iter().zip(to)).zip(size.iter().zip(length)).zip(mark);
    for (((out, (from, to)), (size, length)), mark) in places {
        let component = size * ((to - from) / length);
        *out = if *length == 0.0 || *mark == HOLE { 0.0 } else { component };
    }
}

/// Adds to `closing` how fast each spring lengthens by the motion along one axis.
#[inline(always)]
pub(super) fn add_closing(
    (from, to): (&[f64], &[f64]),
    (v_from, v_to): (&[f64], &[f64]),
    length: &[f64],
    closing: &mut [f64],
) {
    let places = closing.iter_mut().zip(from.iter().zip(to)).zip(v_from.iter().zip(v_to));
    for (((closing, (from, to)), (v_from, v_to)), length) in places.zip(length) {
        *closing += (v_to - v_from) * ((to - from) / length);
    }
}

/// Multiplies in place.
#[inline(always)]
pub(super) fn scale(values: &mut [f64], by: &[f64]) {
    for (value, by) in values.iter_mut().zip(by) {
        *value = by * *value;
    }
}

/// Along one axis, a coefficient times the relative velocity; zero in holes.
#[inline(always)]
pub(super) fn relative(v_from: &[f64], v_to: &[f64], coefficient: &[f64], out: &mut [f64]) {
    let places = out.iter_mut().zip(v_from.iter().zip(v_to)).zip(coefficient);
    for ((out, (from, to)), coefficient) in places {
        let force = coefficient * (to - from);
        *out = if *coefficient == HOLE { 0.0 } else { force };
    }
}

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
