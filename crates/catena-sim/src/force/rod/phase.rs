//! Angle by which a frame turns while the smallest rotations carry the frame along a sequence of
//! directions.
//!
//! Each direction has a spinor, whose phase represents a frame. The phase of the inner product of
//! two spinors is half the angle between the second frame and the first frame carried to the second
//! direction. A product of complex numbers sums these phases. Unlike rotations in space, its
//! factors may be taken in any order, so vectors multiply several joints at once. Source: Berry
//! 1987, "The adiabatic phase and Pancharatnam's phase for polarized light".

use super::clamp::Frame;
use crate::body::vector::{Vec3, cross, dot};
use crate::lane::{Lane, LaneMask};

/// Number of partial products. Joint k is a factor of partial product k mod `PARTS`, for every
/// instruction set.
pub(super) const PARTS: usize = 8;
/// Number of factors of a partial product between two normalizations.
pub(super) const FACTORS: usize = 32;

/// A complex number: its real and its imaginary part.
pub(super) type Complex<V> = [V; 2];
/// Real and imaginary parts of the two components of a spinor.
pub(super) type Spinor<V> = [V; 4];

/// Returns a spinor of a direction. One of its components is real and at least 1. Products of
/// spinors in the xy plane or in the xz plane are exactly real.
#[inline(always)]
pub(super) fn spinor<V: Lane>(t: [V; 3]) -> Spinor<V> {
    let zero = t[0].like(0.0);
    let is_back = t[0].is_below(zero);
    let large = t[0].like(1.0) + t[0].abs();
    [
        is_back.select(t[1], large),
        is_back.select(-t[2], zero),
        is_back.select(large, t[1]),
        is_back.select(zero, t[2]),
    ]
}

/// Returns the frame that has the same phase as [`spinor`].
fn reference(t: Vec3) -> Frame {
    let pole = if t[0] < 0.0 { -1.0 } else { 1.0 };
    Frame { tangent: [pole, 0.0, 0.0], normal: [0.0, pole, 0.0] }.carried(t)
}

/// Returns the inner product of two spinors; 1 for opposite directions.
#[inline(always)]
pub(super) fn overlap<V: Lane>(e: &Spinor<V>, f: &Spinor<V>) -> Complex<V> {
    let real = e[0] * f[0] + e[1] * f[1] + (e[2] * f[2] + e[3] * f[3]);
    let imaginary = e[0] * f[1] - e[1] * f[0] + (e[2] * f[3] - e[3] * f[2]);
    let is_none = (real.abs() + imaginary.abs()).is_zero();
    [is_none.select(real.like(1.0), real), imaginary]
}

/// Returns the product of two complex numbers.
#[inline(always)]
pub(super) fn multiplied<V: Lane>(a: Complex<V>, b: Complex<V>) -> Complex<V> {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Returns a complex number with the same phase, scaled so that products do not overflow or
/// underflow.
#[inline(always)]
pub(super) fn normalized<V: Lane>(a: Complex<V>) -> Complex<V> {
    let size = a[0].abs() + a[1].abs();
    [a[0] / size, a[1] / size]
}

/// Returns the complex conjugate.
fn conjugate(a: Complex<f64>) -> Complex<f64> {
    [a[0], -a[1]]
}

/// Returns the product of all overlaps, normalized, from the partial products.
pub(super) fn joined(products: [Complex<f64>; PARTS]) -> Complex<f64> {
    products.into_iter().map(normalized).fold([1.0, 0.0], multiplied)
}

/// Returns the product of the overlaps of successive directions, normalized.
pub(super) fn along(first: Vec3, others: impl Iterator<Item = Vec3>) -> Complex<f64> {
    let mut products = [[1.0, 0.0]; PARTS];
    let mut before = spinor(first);
    for (k, direction) in others.enumerate() {
        if k > 0 && k.is_multiple_of(PARTS * FACTORS) {
            products = products.map(normalized);
        }
        let next = spinor(direction);
        products[k % PARTS] = multiplied(products[k % PARTS], overlap(&before, &next));
        before = next;
    }
    joined(products)
}

/// Returns the angle from the first frame, carried along directions to the last direction, to the
/// last frame, from -π to π. `along` is the product of the overlaps between the two tangents.
pub(super) fn angle(first: Frame, last: Frame, along: Complex<f64>) -> f64 {
    let of_normal = |frame: Frame| {
        let from = reference(frame.tangent).normal;
        [dot(from, frame.normal), dot(frame.tangent, cross(from, frame.normal))]
    };
    let change = multiplied(of_normal(last), conjugate(of_normal(first)));
    let [real, imaginary] = multiplied(change, conjugate(multiplied(along, along)));
    libm::atan2(imaginary, real)
}
