//! Second derivatives of the bending energy for vectors of joints, in the same order of operations
//! as in `joint`.

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

use crate::lane::{Lane, dot, scaled};

/// A block of 3 by 3 vectors.
pub(crate) type WideBlock<V> = [[V; 3]; 3];

/// Joints between two edges e and f: directions, and reciprocal lengths.
#[derive(Clone, Copy)]
pub(crate) struct Bend<V> {
    /// Bending stiffness over length.
    pub stiffness: V,
    /// Rest curvature times length; 0 in space.
    pub rest: V,
    /// Directions, with z = 0 in the plane.
    pub t: [[V; 3]; 2],
    /// Reciprocals of the lengths.
    pub inverse: [V; 2],
}

/// Second derivatives of the energy: with respect to e twice, e and f, and f twice.
pub(crate) struct WideHessian<V> {
    pub ee: WideBlock<V>,
    pub ef: WideBlock<V>,
    pub ff: WideBlock<V>,
}

/// Returns the second derivatives in the plane or in space. If `is_definite` is set, returns only
/// their positive semidefinite Gauss-Newton part.
#[inline(always)]
pub(crate) fn hessian<V: Lane, const A: usize>(
    bend: &Bend<V>,
    is_definite: bool,
) -> WideHessian<V> {
    match (A, is_definite) {
        (2, _) => plane(bend, is_definite),
        (_, true) => definite(bend),
        (_, false) => full(bend),
    }
}

#[inline(always)]
fn outer<V: Lane>(a: [V; 3], b: [V; 3]) -> WideBlock<V> {
    [scaled(b, a[0]), scaled(b, a[1]), scaled(b, a[2])]
}

#[inline(always)]
fn add_block<V: Lane>(to: &mut WideBlock<V>, factor: V, block: &WideBlock<V>) {
    for p in 0..3 {
        for q in 0..3 {
            to[p][q] += factor * block[p][q];
        }
    }
}

#[inline(always)]
fn scaled_block<V: Lane>(block: &WideBlock<V>, factor: V) -> WideBlock<V> {
    [scaled(block[0], factor), scaled(block[1], factor), scaled(block[2], factor)]
}

#[inline(always)]
fn times<V: Lane>(a: &WideBlock<V>, b: &WideBlock<V>) -> WideBlock<V> {
    let mut product = *a;
    for p in 0..3 {
        for q in 0..3 {
            product[p][q] = a[p][0] * b[0][q] + a[p][1] * b[1][q] + a[p][2] * b[2][q];
        }
    }
    product
}

/// Returns aᵀ b.
#[inline(always)]
fn transposed_times<V: Lane>(a: &WideBlock<V>, b: &WideBlock<V>) -> WideBlock<V> {
    let mut product = *a;
    for p in 0..3 {
        for q in 0..3 {
            product[p][q] = a[0][p] * b[0][q] + a[1][p] * b[1][q] + a[2][p] * b[2][q];
        }
    }
    product
}

/// Returns aᵀ a, which is symmetric to the last bit.
#[inline(always)]
fn squared<V: Lane>(a: &WideBlock<V>) -> WideBlock<V> {
    let mut product = *a;
    for p in 0..3 {
        for q in p..3 {
            let sum = a[0][p] * a[0][q] + a[1][p] * a[1][q] + a[2][p] * a[2][q];
            product[p][q] = sum;
            product[q][p] = sum;
        }
    }
    product
}

#[inline(always)]
fn across<V: Lane>(t: [V; 3]) -> WideBlock<V> {
    let mut block = outer(t, [-t[0], -t[1], -t[2]]);
    for axis in 0..3 {
        block[axis][axis] += t[0].like(1.0);
    }
    block
}

#[inline(always)]
fn cross<V: Lane>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Derivative of κb with respect to one edge, times the length of the edge. `twice` is 2/χ, negated
/// for the first edge, and `over` is -1/χ.
#[inline(always)]
fn derivative<V: Lane>(
    [twice, over]: [V; 2],
    own: [V; 3],
    other: [V; 3],
    kb: [V; 3],
) -> WideBlock<V> {
    let zero = twice.like(0.0);
    let [x, y, z] = scaled(other, twice);
    let mut block = [[zero, -z, y], [z, zero, -x], [-y, x, zero]];
    add_block(&mut block, over, &outer(kb, other));
    times(&block, &across(own))
}

#[inline(always)]
fn definite<V: Lane>(bend: &Bend<V>) -> WideHessian<V> {
    let Bend { stiffness, t: [e, f], inverse, .. } = *bend;
    let one = stiffness.like(1.0);
    let chi = one + dot(e, f);
    // The product with a power of two is exact, so it equals a separate division bit for bit.
    let twice = stiffness.like(2.0) / chi;
    let over = twice * stiffness.like(-0.5);
    let kb = scaled(cross(e, f), twice);
    let by_e = scaled_block(&derivative([-twice, over], e, f, kb), inverse[0]);
    let by_f = scaled_block(&derivative([twice, over], f, e, kb), inverse[1]);
    WideHessian {
        ee: scaled_block(&squared(&by_e), stiffness),
        ef: scaled_block(&transposed_times(&by_e, &by_f), stiffness),
        ff: scaled_block(&squared(&by_f), stiffness),
    }
}

/// Returns the second derivatives with respect to one edge. `p` is the direction of the other edge
/// across it.
#[inline(always)]
fn own<V: Lane>(p: [V; 3], t: [V; 3], c: V, [slope, second]: [V; 2], inverse: V) -> WideBlock<V> {
    let mut block = outer(p, scaled(p, second));
    add_block(&mut block, -slope, &outer(p, t));
    add_block(&mut block, -slope, &outer(t, p));
    add_block(&mut block, -slope * c, &across(t));
    scaled_block(&block, inverse * inverse)
}

#[inline(always)]
fn full<V: Lane>(bend: &Bend<V>) -> WideHessian<V> {
    let Bend { stiffness, t: [e, f], inverse, .. } = *bend;
    let one = stiffness.like(1.0);
    let c = dot(e, f);
    let slope = stiffness.like(-4.0) * stiffness / ((one + c) * (one + c));
    let second = stiffness.like(-2.0) * slope / (one + c);
    let (mut p, mut q) = (f, e);
    for axis in 0..3 {
        p[axis] += -c * e[axis];
        q[axis] += -c * f[axis];
    }
    let mut ef = outer(p, scaled(q, second));
    add_block(&mut ef, slope, &times(&across(e), &across(f)));
    WideHessian {
        ee: own(p, e, c, [slope, second], inverse[0]),
        ef: scaled_block(&ef, inverse[0] * inverse[1]),
        ff: own(q, f, c, [slope, second], inverse[1]),
    }
}

#[inline(always)]
fn plane<V: Lane>(bend: &Bend<V>, is_definite: bool) -> WideHessian<V> {
    let Bend { stiffness, rest, t: [e, f], inverse } = *bend;
    let (zero, one) = (stiffness.like(0.0), stiffness.like(1.0));
    let over = stiffness.like(2.0) / (one + dot(e, f));
    let curvature = (e[0] * f[1] - e[1] * f[0]) * over;
    let rate = one + stiffness.like(0.25) * curvature * curvature;
    let bent = curvature - rest;
    let mut second = stiffness * rate * rate;
    if !is_definite {
        second += stiffness.like(0.5) * stiffness * bent * rate * curvature;
    }
    let angle_e = scaled([-e[1], e[0], zero], -inverse[0]);
    let angle_f = scaled([-f[1], f[0], zero], inverse[1]);
    let mut hessian = WideHessian {
        ee: outer(angle_e, scaled(angle_e, second)),
        ef: outer(angle_e, scaled(angle_f, second)),
        ff: outer(angle_f, scaled(angle_f, second)),
    };
    if !is_definite {
        let slope = stiffness * bent * rate;
        for (block, by, t, inverse) in
            [(&mut hessian.ee, angle_e, e, inverse[0]), (&mut hessian.ff, angle_f, f, inverse[1])]
        {
            let factor = -slope * inverse;
            add_block(block, factor, &outer(t, by));
            add_block(block, factor, &outer(by, t));
        }
    }
    hessian
}
