//! How springs pull on the nodes where they begin, vector by vector, in the order of operations of
//! the plain loops of their forces.

use super::{run::HOLE, stage::Ends};
use crate::kernel::lanes::WideSimd;
use crate::kernel::node_forces::pull;

/// Vectors of some slices of one length, at one place.
type Axes<S, const A: usize> = [<S as pulp::Simd>::f64s; A];

/// The numbers from `first` on as a vector; 0 where there are no more.
#[inline(always)]
fn load<S: WideSimd>(simd: S, numbers: &[f64], first: usize) -> S::f64s {
    match numbers.get(first..first + S::F64_LANES) {
        Some(numbers) => S::as_simd_f64s(numbers).0[0],
        None => simd.partial_load_f64s(&numbers[first..]),
    }
}

/// Writes a vector from `first` on, as far as there is room.
#[inline(always)]
fn store<S: WideSimd>(simd: S, numbers: &mut [f64], first: usize, vector: S::f64s) {
    match numbers.get_mut(first..first + S::F64_LANES) {
        Some(numbers) => S::as_mut_simd_f64s(numbers).0[0] = vector,
        None => simd.partial_store_f64s(&mut numbers[first..], vector),
    }
}

/// From one end to the other.
#[inline(always)]
fn span<S: WideSimd, const A: usize>(
    simd: S,
    ends: &[(&[f64], &[f64]); 3],
    first: usize,
) -> Axes<S, A> {
    let mut d = [simd.splat_f64s(0.0); A];
    for axis in 0..A {
        let (from, to) = ends[axis];
        d[axis] = simd.sub_f64s(load(simd, to, first), load(simd, from, first));
    }
    d
}

#[inline(always)]
fn length<S: WideSimd, const A: usize>(simd: S, d: &Axes<S, A>) -> S::f64s {
    let mut square = simd.mul_f64s(d[0], d[0]);
    for component in &d[1..] {
        square = simd.add_f64s(square, simd.mul_f64s(*component, *component));
    }
    simd.sqrt_f64s(square)
}

/// A size times the direction; zero where the length is zero, and in holes, which `mark` tells.
#[inline(always)]
fn along<S: WideSimd, const A: usize>(
    simd: S,
    d: &Axes<S, A>,
    (size, length, mark): (S::f64s, S::f64s, S::f64s),
) -> Axes<S, A> {
    let zero = simd.splat_f64s(0.0);
    let is_point = simd.equal_f64s(length, zero);
    let is_none = simd.or_m64s(is_point, simd.equal_f64s(mark, simd.splat_f64s(HOLE)));
    let mut force = *d;
    for component in &mut force {
        let part = simd.mul_f64s(size, simd.div_f64s(*component, length));
        *component = simd.select_f64s(is_none, zero, part);
    }
    force
}

#[inline(always)]
fn put<S: WideSimd, const A: usize>(
    simd: S,
    out: &mut [&mut [f64]; 3],
    first: usize,
    force: &Axes<S, A>,
) {
    for axis in 0..A {
        store(simd, out[axis], first, force[axis]);
    }
}

/// Hooke's springs.
#[inline(always)]
pub(super) fn hooke<S: WideSimd, const A: usize>(
    simd: S,
    ends: &Ends<'_>,
    (stiffness, rest): (&[f64], &[f64]),
    out: &mut [&mut [f64]; 3],
) {
    for first in (0..rest.len()).step_by(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, first);
        let force = pull(simd, d, load(simd, stiffness, first), load(simd, rest, first));
        put(simd, out, first, &force);
    }
}

/// Lengths.
#[inline(always)]
pub(super) fn lengths<S: WideSimd, const A: usize>(simd: S, ends: &Ends<'_>, out: &mut [f64]) {
    for first in (0..out.len()).step_by(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, first);
        store(simd, out, first, length(simd, &d));
    }
}

/// Springs of known tension.
#[inline(always)]
pub(super) fn tense<S: WideSimd, const A: usize>(
    simd: S,
    ends: &Ends<'_>,
    (tension, lengths, rest): (&[f64], &[f64], &[f64]),
    out: &mut [&mut [f64]; 3],
) {
    for first in (0..rest.len()).step_by(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, first);
        let [tension, length, rest] = [tension, lengths, rest].map(|list| load(simd, list, first));
        put(simd, out, first, &along(simd, &d, (tension, length, rest)));
    }
}

/// Friction along springs.
#[inline(always)]
pub(super) fn damping<S: WideSimd, const A: usize>(
    simd: S,
    ends: &Ends<'_>,
    coefficient: &[f64],
    out: &mut [&mut [f64]; 3],
) {
    for first in (0..coefficient.len()).step_by(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, first);
        let relative = span::<S, A>(simd, &ends.v, first);
        let (length, c) = (length(simd, &d), load(simd, coefficient, first));
        let mut closing = simd.splat_f64s(0.0);
        for axis in 0..A {
            let part = simd.mul_f64s(relative[axis], simd.div_f64s(d[axis], length));
            closing = simd.add_f64s(closing, part);
        }
        let size = simd.mul_f64s(c, closing);
        put(simd, out, first, &along(simd, &d, (size, length, c)));
    }
}

/// Friction on the whole relative velocity.
#[inline(always)]
pub(super) fn friction<S: WideSimd, const A: usize>(
    simd: S,
    ends: &Ends<'_>,
    coefficient: &[f64],
    out: &mut [&mut [f64]; 3],
) {
    let (zero, hole) = (simd.splat_f64s(0.0), simd.splat_f64s(HOLE));
    for first in (0..coefficient.len()).step_by(S::F64_LANES) {
        let mut force = span::<S, A>(simd, &ends.v, first);
        let c = load(simd, coefficient, first);
        let is_hole = simd.equal_f64s(c, hole);
        for component in &mut force {
            *component = simd.select_f64s(is_hole, zero, simd.mul_f64s(c, *component));
        }
        put(simd, out, first, &force);
    }
}
