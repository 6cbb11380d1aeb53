//! How springs pull on the nodes where they begin, vector by vector, in the order of operations of
//! the plain loops of their forces.

use super::{run::HOLE, stage::Ends};
use crate::kernel::lanes::WideSimd;
use crate::kernel::node_forces::pull;

/// Vectors of some slices of one length, at one place.
type Axes<S, const A: usize> = [<S as pulp::Simd>::f64s; A];

/// The numbers of vector `i`; 0 where there are no more.
#[inline(always)]
fn load<S: WideSimd>(simd: S, numbers: &[f64], i: usize) -> S::f64s {
    match S::as_simd_f64s(numbers).0.get(i) {
        Some(vector) => *vector,
        None => simd.partial_load_f64s(&numbers[i * S::F64_LANES..]),
    }
}

/// Writes vector `i`, as far as there is room.
#[inline(always)]
fn store<S: WideSimd>(simd: S, numbers: &mut [f64], i: usize, vector: S::f64s) {
    match S::as_mut_simd_f64s(numbers).0.get_mut(i) {
        Some(place) => *place = vector,
        None => simd.partial_store_f64s(&mut numbers[i * S::F64_LANES..], vector),
    }
}

/// From one end to the other.
#[inline(always)]
fn span<S: WideSimd, const A: usize>(
    simd: S,
    ends: &[(&[f64], &[f64]); 3],
    i: usize,
) -> Axes<S, A> {
    let mut d = [simd.splat_f64s(0.0); A];
    for axis in 0..A {
        let (from, to) = ends[axis];
        d[axis] = simd.sub_f64s(load(simd, to, i), load(simd, from, i));
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
    i: usize,
    force: &Axes<S, A>,
) {
    for axis in 0..A {
        store(simd, out[axis], i, force[axis]);
    }
}

/// What springs do to the nodes of a tile along one axis: the pulls of those that end there and of
/// those that begin there.
#[derive(Clone, Copy)]
pub(super) struct Pulls<'a> {
    pub(super) ending: &'a [f64],
    pub(super) beginning: &'a [f64],
}

/// What becomes of the sum of pulls on the nodes of a tile along one axis.
pub(super) enum End<'a> {
    /// It is a force still.
    Force,
    /// A weight is added, and all divided by mass.
    Acceleration { mass: &'a [f64], inverse: Option<&'a [f64]>, g: Option<f64> },
}

/// Adds pulls, list by list, to `out`, or to zero where the sum begins.
#[inline(always)]
pub(super) fn sum<S: WideSimd>(
    simd: S,
    out: &mut [f64],
    is_first: bool,
    lists: &[Pulls<'_>],
    end: &End<'_>,
) {
    // A loop over a number of lists that is known beforehand has more of them in flight.
    match *lists {
        [a] => sum_of(simd, out, is_first, &[a], end),
        [a, b] => sum_of(simd, out, is_first, &[a, b], end),
        [a, b, c] => sum_of(simd, out, is_first, &[a, b, c], end),
        [a, b, c, d] => sum_of(simd, out, is_first, &[a, b, c, d], end),
        [a, b, c, d, e, f] => sum_of(simd, out, is_first, &[a, b, c, d, e, f], end),
        _ => {
            for (number, list) in lists.iter().enumerate() {
                sum_of(simd, out, is_first && number == 0, &[*list], &End::Force);
            }
            let is_first = is_first && lists.is_empty();
            sum_of(simd, out, is_first, &[], end);
        }
    }
}

/// Pulls as vectors.
struct Lists<'a, S: WideSimd, const K: usize> {
    ending: [&'a [S::f64s]; K],
    beginning: [&'a [S::f64s]; K],
}

impl<S: WideSimd, const K: usize> Lists<'_, S, K> {
    /// A vector of forces, or of zeros, and the pulls. A closure would not always be inlined.
    #[inline(always)]
    fn add_to(&self, simd: S, f: S::f64s, is_first: bool, i: usize) -> S::f64s {
        let mut f = if is_first { simd.splat_f64s(0.0) } else { f };
        for k in 0..K {
            f = simd.add_f64s(simd.sub_f64s(f, self.ending[k][i]), self.beginning[k][i]);
        }
        f
    }
}

#[inline(always)]
fn weighted<S: WideSimd>(simd: S, f: S::f64s, mass: S::f64s, g: Option<S::f64s>) -> S::f64s {
    match g {
        Some(g) => simd.add_f64s(f, simd.mul_f64s(mass, g)),
        None => f,
    }
}

#[inline(always)]
fn sum_of<S: WideSimd, const K: usize>(
    simd: S,
    out: &mut [f64],
    is_first: bool,
    lists: &[Pulls<'_>; K],
    end: &End<'_>,
) {
    let count = out.len() / S::F64_LANES;
    let (vectors, tail) = S::as_mut_simd_f64s(out);
    let mut wide = Lists::<S, K> { ending: [&[]; K], beginning: [&[]; K] };
    for (k, list) in lists.iter().enumerate() {
        wide.ending[k] = &S::as_simd_f64s(list.ending).0[..count];
        wide.beginning[k] = &S::as_simd_f64s(list.beginning).0[..count];
    }
    match *end {
        End::Force => {
            for (i, f) in vectors.iter_mut().enumerate() {
                *f = wide.add_to(simd, *f, is_first, i);
            }
        }
        End::Acceleration { mass, inverse, g } => {
            let mass = &S::as_simd_f64s(mass).0[..count];
            let g = g.map(|g| simd.splat_f64s(g));
            match inverse.map(|inverse| &S::as_simd_f64s(inverse).0[..count]) {
                Some(inverse) => {
                    for (i, f) in vectors.iter_mut().enumerate() {
                        let sum = wide.add_to(simd, *f, is_first, i);
                        *f = simd.mul_f64s(weighted(simd, sum, mass[i], g), inverse[i]);
                    }
                }
                None => {
                    for (i, f) in vectors.iter_mut().enumerate() {
                        let sum = wide.add_to(simd, *f, is_first, i);
                        *f = simd.div_f64s(weighted(simd, sum, mass[i], g), mass[i]);
                    }
                }
            }
        }
    }
    let first = count * S::F64_LANES;
    for (i, f) in tail.iter_mut().enumerate() {
        let mut sum = if is_first { 0.0 } else { *f };
        for Pulls { ending, beginning } in lists {
            sum = (sum - ending[first + i]) + beginning[first + i];
        }
        *f = match *end {
            End::Force => sum,
            End::Acceleration { mass, inverse, g } => {
                let mass = mass[first + i];
                let force = g.map_or(sum, |g| sum + mass * g);
                inverse.map_or(force / mass, |inverse| force * inverse[first + i])
            }
        };
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
    for i in 0..rest.len().div_ceil(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, i);
        let force = pull(simd, d, load(simd, stiffness, i), load(simd, rest, i));
        put(simd, out, i, &force);
    }
}

/// Lengths.
#[inline(always)]
pub(super) fn lengths<S: WideSimd, const A: usize>(simd: S, ends: &Ends<'_>, out: &mut [f64]) {
    for i in 0..out.len().div_ceil(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, i);
        store(simd, out, i, length(simd, &d));
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
    for i in 0..rest.len().div_ceil(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, i);
        let (tension, length) = (load(simd, tension, i), load(simd, lengths, i));
        put(simd, out, i, &along(simd, &d, (tension, length, load(simd, rest, i))));
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
    for i in 0..coefficient.len().div_ceil(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, i);
        let relative = span::<S, A>(simd, &ends.v, i);
        let (length, c) = (length(simd, &d), load(simd, coefficient, i));
        let mut closing = simd.splat_f64s(0.0);
        for axis in 0..A {
            let part = simd.mul_f64s(relative[axis], simd.div_f64s(d[axis], length));
            closing = simd.add_f64s(closing, part);
        }
        let size = simd.mul_f64s(c, closing);
        put(simd, out, i, &along(simd, &d, (size, length, c)));
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
    for i in 0..coefficient.len().div_ceil(S::F64_LANES) {
        let mut force = span::<S, A>(simd, &ends.v, i);
        let c = load(simd, coefficient, i);
        let is_hole = simd.equal_f64s(c, hole);
        for component in &mut force {
            *component = simd.select_f64s(is_hole, zero, simd.mul_f64s(c, *component));
        }
        put(simd, out, i, &force);
    }
}
