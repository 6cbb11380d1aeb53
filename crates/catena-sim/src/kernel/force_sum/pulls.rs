//! Pulls of springs on the nodes where they start, vector by vector. The order of operations
//! matches the plain loops of the forces.

use super::run::HOLE;
use crate::force::formula::{directed, parting_speed, pull, weight};
use crate::lane::{Lane, LaneMask, Vector, WideSimd, length, scaled};

/// Loads vector `i`; 0 beyond the end of the numbers.
#[inline(always)]
fn load<S: WideSimd>(simd: S, numbers: &[f64], i: usize) -> Vector<S> {
    match S::as_simd_f64s(numbers).0.get(i) {
        Some(vector) => Vector::new(simd, *vector),
        None => Vector::new(simd, simd.partial_load_f64s(&numbers[i * S::F64_LANES..])),
    }
}

/// Stores vector `i`, up to the end of the numbers.
#[inline(always)]
fn store<S: WideSimd>(simd: S, numbers: &mut [f64], i: usize, vector: Vector<S>) {
    match S::as_mut_simd_f64s(numbers).0.get_mut(i) {
        Some(place) => *place = vector.numbers(),
        None => simd.partial_store_f64s(&mut numbers[i * S::F64_LANES..], vector.numbers()),
    }
}

/// Vectors from one end to the other.
#[inline(always)]
fn span<S: WideSimd, const A: usize>(
    simd: S,
    ends: &[(&[f64], &[f64]); 3],
    i: usize,
) -> [Vector<S>; A] {
    let mut d = [Vector::splat(simd, 0.0); A];
    for axis in 0..A {
        let (from, to) = ends[axis];
        d[axis] = load(simd, to, i) - load(simd, from, i);
    }
    d
}

#[inline(always)]
fn put<S: WideSimd, const A: usize>(
    simd: S,
    out: &mut [&mut [f64]; 3],
    i: usize,
    force: [Vector<S>; A],
) {
    for axis in 0..A {
        store(simd, out[axis], i, force[axis]);
    }
}

/// Pulls on the nodes of a tile along one axis, by springs that end there and by springs that start
/// there.
#[derive(Clone, Copy)]
pub(super) struct Pulls<'a> {
    pub(super) ending: &'a [f64],
    pub(super) beginning: &'a [f64],
}

/// Last operation on the sum of pulls on the nodes of a tile along one axis.
pub(super) enum PulledEnd<'a> {
    /// No operation: the sum is still a force.
    Force,
    /// A weight is added, and the sum is divided by mass.
    Acceleration { mass: &'a [f64], inverse: Option<&'a [f64]>, g: Option<f64> },
}

/// Adds pulls, list by list, to `out`, or to zero for a new sum.
#[inline(always)]
pub(super) fn sum<S: WideSimd>(
    simd: S,
    out: &mut [f64],
    is_first: bool,
    lists: &[Pulls<'_>],
    end: &PulledEnd<'_>,
) {
    // A constant number of lists lets the loop load more of them at once.
    match *lists {
        [a] => sum_of(simd, out, is_first, &[a], end),
        [a, b] => sum_of(simd, out, is_first, &[a, b], end),
        [a, b, c] => sum_of(simd, out, is_first, &[a, b, c], end),
        [a, b, c, d] => sum_of(simd, out, is_first, &[a, b, c, d], end),
        [a, b, c, d, e, f] => sum_of(simd, out, is_first, &[a, b, c, d, e, f], end),
        _ => {
            for (number, list) in lists.iter().enumerate() {
                sum_of(simd, out, is_first && number == 0, &[*list], &PulledEnd::Force);
            }
            let is_first = is_first && lists.is_empty();
            sum_of(simd, out, is_first, &[], end);
        }
    }
}

/// Adds the pulls of springs that end and start at nodes to a sum of forces, or to zero for a new
/// sum.
#[inline(always)]
pub(super) fn with_pulls<V: Lane, const K: usize>(f: V, is_first: bool, pulls: &[[V; K]; 2]) -> V {
    let mut f = if is_first { f.like(0.0) } else { f };
    for k in 0..K {
        f = f - pulls[0][k] + pulls[1][k];
    }
    f
}

/// Pulls as vectors.
struct Lists<'a, S: WideSimd, const K: usize> {
    ending: [&'a [S::f64s]; K],
    beginning: [&'a [S::f64s]; K],
}

impl<S: WideSimd, const K: usize> Lists<'_, S, K> {
    /// Returns one vector of the sum. This is a function because a closure would not always be
    /// inlined.
    #[inline(always)]
    fn sum(&self, simd: S, f: S::f64s, is_first: bool, i: usize) -> Vector<S> {
        let mut pulls = [[Vector::splat(simd, 0.0); K]; 2];
        for k in 0..K {
            pulls[0][k] = Vector::new(simd, self.ending[k][i]);
            pulls[1][k] = Vector::new(simd, self.beginning[k][i]);
        }
        with_pulls(Vector::new(simd, f), is_first, &pulls)
    }
}

/// Adds a weight to a sum of pulls and divides by mass.
#[inline(always)]
pub(super) fn accelerated<V: Lane>(f: V, mass: V, inverse: Option<V>, g: Option<f64>) -> V {
    let f = match g {
        Some(g) => weight(f, mass, f.like(g)),
        None => f,
    };
    match inverse {
        Some(inverse) => f * inverse,
        None => f / mass,
    }
}

#[inline(always)]
fn sum_of<S: WideSimd, const K: usize>(
    simd: S,
    out: &mut [f64],
    is_first: bool,
    lists: &[Pulls<'_>; K],
    end: &PulledEnd<'_>,
) {
    let count = out.len() / S::F64_LANES;
    let (vectors, tail) = S::as_mut_simd_f64s(out);
    let mut wide = Lists::<S, K> { ending: [&[]; K], beginning: [&[]; K] };
    for (k, list) in lists.iter().enumerate() {
        wide.ending[k] = &S::as_simd_f64s(list.ending).0[..count];
        wide.beginning[k] = &S::as_simd_f64s(list.beginning).0[..count];
    }
    match *end {
        PulledEnd::Force => {
            for (i, f) in vectors.iter_mut().enumerate() {
                *f = wide.sum(simd, *f, is_first, i).numbers();
            }
        }
        PulledEnd::Acceleration { mass, inverse, g } => {
            let mass = &S::as_simd_f64s(mass).0[..count];
            match inverse.map(|inverse| &S::as_simd_f64s(inverse).0[..count]) {
                Some(inverse) => {
                    for (i, f) in vectors.iter_mut().enumerate() {
                        let sum = wide.sum(simd, *f, is_first, i);
                        let by = Some(Vector::new(simd, inverse[i]));
                        *f = accelerated(sum, Vector::new(simd, mass[i]), by, g).numbers();
                    }
                }
                None => {
                    for (i, f) in vectors.iter_mut().enumerate() {
                        let sum = wide.sum(simd, *f, is_first, i);
                        *f = accelerated(sum, Vector::new(simd, mass[i]), None, g).numbers();
                    }
                }
            }
        }
    }
    let first = count * S::F64_LANES;
    for (i, f) in tail.iter_mut().enumerate() {
        let mut pulls = [[0.0; K]; 2];
        for (k, list) in lists.iter().enumerate() {
            (pulls[0][k], pulls[1][k]) = (list.ending[first + i], list.beginning[first + i]);
        }
        let sum = with_pulls(*f, is_first, &pulls);
        *f = match *end {
            PulledEnd::Force => sum,
            PulledEnd::Acceleration { mass, inverse, g } => {
                let inverse = inverse.map(|inverse| inverse[first + i]);
                accelerated(sum, mass[first + i], inverse, g)
            }
        };
    }
}

/// Returns the pull of one of Hooke's springs, the spring at place `i`.
#[inline(always)]
pub(super) fn pull_at<const A: usize>(
    ends: &Ends<'_>,
    i: usize,
    stiffness: f64,
    rest: f64,
) -> [f64; A] {
    let mut d = [0.0; A];
    for axis in 0..A {
        let (from, to) = ends.x[axis];
        d[axis] = to[i] - from[i];
    }
    pull(d, stiffness, rest)
}

/// Computes the pulls of Hooke's springs into `out`.
#[inline(always)]
pub(super) fn hooke<S: WideSimd, const A: usize>(
    simd: S,
    ends: &Ends<'_>,
    stiffness: &[f64],
    rest: &[f64],
    out: &mut [&mut [f64]; 3],
) {
    for i in 0..rest.len().div_ceil(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, i);
        put(simd, out, i, pull(d, load(simd, stiffness, i), load(simd, rest, i)));
    }
}

/// Computes the lengths of springs into `out`.
#[inline(always)]
pub(super) fn lengths<S: WideSimd, const A: usize>(simd: S, ends: &Ends<'_>, out: &mut [f64]) {
    for i in 0..out.len().div_ceil(S::F64_LANES) {
        store(simd, out, i, length(span::<S, A>(simd, &ends.x, i)));
    }
}

/// Computes the pulls of springs with known tension into `out`.
#[inline(always)]
pub(super) fn tense<S: WideSimd, const A: usize>(
    simd: S,
    ends: &Ends<'_>,
    springs: &Tense<'_>,
    out: &mut [&mut [f64]; 3],
) {
    for i in 0..springs.rest.len().div_ceil(S::F64_LANES) {
        let d = span::<S, A>(simd, &ends.x, i);
        let (tension, length) = (load(simd, springs.tension, i), load(simd, springs.length, i));
        let is_absent = length.is_zero() | is_hole(load(simd, springs.rest, i));
        put(simd, out, i, directed(d, length, tension, is_absent));
    }
}

/// Springs with known tension, one number per place in each list.
pub(super) struct Tense<'a> {
    pub(super) tension: &'a [f64],
    pub(super) length: &'a [f64],
    pub(super) rest: &'a [f64],
}

/// Whether the constant of a place marks a hole.
#[inline(always)]
fn is_hole<V: Lane>(constant: V) -> V::Mask {
    constant.equals(constant.like(HOLE))
}

/// Computes the pulls of friction along springs into `out`.
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
        let (length, c) = (length(d), load(simd, coefficient, i));
        let size = c * parting_speed(d, length, relative);
        put(simd, out, i, directed(d, length, size, length.is_zero() | is_hole(c)));
    }
}

/// Computes the pulls of friction on the whole relative velocity into `out`.
#[inline(always)]
pub(super) fn friction<S: WideSimd, const A: usize>(
    simd: S,
    ends: &Ends<'_>,
    coefficient: &[f64],
    out: &mut [&mut [f64]; 3],
) {
    for i in 0..coefficient.len().div_ceil(S::F64_LANES) {
        let c = load(simd, coefficient, i);
        let force = scaled(span::<S, A>(simd, &ends.v, i), c);
        put(simd, out, i, is_hole(c).choose([c.like(0.0); A], force));
    }
}

/// Ends of some springs: positions and velocities, by axis.
pub(crate) struct Ends<'a> {
    pub(crate) x: [(&'a [f64], &'a [f64]); 3],
    pub(crate) v: [(&'a [f64], &'a [f64]); 3],
}
