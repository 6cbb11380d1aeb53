//! Block elimination along a chain, with one segment per lane.
//!
//! The order of operations is the same as in [`Banded`](crate::linear::banded::Banded) with a reach
//! of 1.

use super::table::LANES;
use crate::lane::{Lane, LaneMask, Vector, WideSimd, WideWork, dot};
use crate::linear::block_lanes::{factor, pick, solve, solve_block, subtract_product};
use std::ops::Range;

/// Values of all lanes, `count` per place, in the order of places.
pub(super) struct Places {
    pub(super) numbers: Vec<f64>,
    /// Number of values per place and lane.
    pub(super) count: usize,
}

impl Places {
    /// Creates places with `count` zeros per lane.
    pub(super) fn new(count: usize, places: usize) -> Self {
        Self { numbers: vec![0.0; places * count * LANES], count }
    }

    /// Returns all lanes of value `k` at a place.
    #[inline(always)]
    pub(super) fn lanes(&self, place: usize, k: usize) -> &[f64] {
        let start = (place * self.count + k) * LANES;
        &self.numbers[start..start + LANES]
    }

    /// Returns all lanes of value `k` at a place, mutably.
    #[inline(always)]
    pub(super) fn lanes_mut(&mut self, place: usize, k: usize) -> &mut [f64] {
        let start = (place * self.count + k) * LANES;
        &mut self.numbers[start..start + LANES]
    }

    /// Copies values at place `from` of each lane except the last to place `to` of the next lane.
    /// Returns whether the new values are bit-identical to the old ones.
    pub(super) fn hand_on(&mut self, from: usize, to: usize, numbers: Range<usize>) -> bool {
        let mut is_same = true;
        for k in numbers {
            for lane in 1..LANES {
                let value = self.lanes(from, k)[lane - 1];
                let there = &mut self.lanes_mut(to, k)[lane];
                is_same &= there.to_bits() == value.to_bits();
                *there = value;
            }
        }
        is_same
    }

    /// Copies values at place `from` of each lane except the first to place `to` of the previous
    /// lane. Returns whether the new values are bit-identical to the old ones.
    pub(super) fn hand_back(&mut self, from: usize, to: usize, numbers: Range<usize>) -> bool {
        let mut is_same = true;
        for k in numbers {
            for lane in 1..LANES {
                let value = self.lanes(from, k)[lane];
                let there = &mut self.lanes_mut(to, k)[lane - 1];
                is_same &= there.to_bits() == value.to_bits();
                *there = value;
            }
        }
        is_same
    }
}

/// Reads A vectors of lanes, at intervals of `step` vectors.
#[inline(always)]
fn get<S: WideSimd, const A: usize>(simd: S, vectors: &[S::f64s], step: usize) -> [Vector<S>; A] {
    let mut all = [Vector::splat(simd, 0.0); A];
    for k in 0..A {
        all[k] = Vector::new(simd, vectors[k * step]);
    }
    all
}

/// Reads a square of A by A vectors of lanes.
#[inline(always)]
fn square<S: WideSimd, const A: usize>(
    simd: S,
    vectors: &[S::f64s],
    step: usize,
) -> [[Vector<S>; A]; A] {
    let mut all = [[Vector::splat(simd, 0.0); A]; A];
    for p in 0..A {
        all[p] = get(simd, &vectors[p * A * step..], step);
    }
    all
}

/// Writes vectors of lanes.
#[inline(always)]
fn put<S: WideSimd>(vectors: &mut [S::f64s], step: usize, numbers: &[Vector<S>]) {
    for (k, value) in numbers.iter().enumerate() {
        vectors[k * step] = value.numbers();
    }
}

/// Factors the diagonal blocks: D = own - L U of the previous place, and U = D⁻¹ times the block to
/// the next place.
pub(super) struct Eliminate<'a, const A: usize> {
    /// Diagonal blocks, and blocks to the next place.
    pub(super) blocks: &'a Places,
    /// Factors of D, the order of their rows, and U.
    pub(super) factors: &'a mut Places,
    /// First place to compute. Values at the previous place are inputs.
    pub(super) first: usize,
}

impl<const A: usize> WideWork for Eliminate<'_, A> {
    /// Whether all pivots are finite and not 0.
    type Output = bool;

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) -> bool {
        let step = LANES / S::F64_LANES;
        let (count_in, count_out) = (self.blocks.count * step, self.factors.count * step);
        let blocks = S::as_simd_f64s(&self.blocks.numbers).0;
        let factors = S::as_mut_simd_f64s(&mut self.factors.numbers).0;
        let zero = Vector::splat(simd, 0.0);
        let mut all_regular = zero.equals(zero);
        for part in 0..step {
            let (mut lower, mut upper) = ([[zero; A]; A], [[zero; A]; A]);
            if let Some(before) = self.first.checked_sub(1) {
                let from = &blocks[before * count_in + A * A * step + part..];
                lower = square::<S, A>(simd, from, step);
                let from = &factors[before * count_out + (A * A + A) * step + part..];
                upper = square::<S, A>(simd, from, step);
            }
            let places = blocks.chunks_exact(count_in).zip(factors.chunks_exact_mut(count_out));
            for (from, to) in places.skip(self.first) {
                let (from, to) = (&from[part..], &mut to[part..]);
                let mut lu = square::<S, A>(simd, from, step);
                subtract_product(&mut lu, &lower, &upper);
                let mut order = [zero; A];
                all_regular = all_regular & factor(&mut lu, &mut order).is_regular;
                lower = square::<S, A>(simd, &from[A * A * step..], step);
                upper = solve_block(&lu, &order, &lower);
                put(to, step, lu.as_flattened());
                put(&mut to[A * A * step..], step, &order);
                put(&mut to[(A * A + A) * step..], step, upper.as_flattened());
            }
        }
        !(!all_regular).any()
    }
}

/// Computes y = D⁻¹ (r - L y of the previous place), from the first place to the last.
pub(super) struct Forward<'a, const A: usize> {
    pub(super) blocks: &'a Places,
    pub(super) factors: &'a Places,
    pub(super) right: &'a Places,
    pub(super) y: &'a mut Places,
    /// First place to compute. Values at the previous place are inputs.
    pub(super) first: usize,
}

impl<const A: usize> WideWork for Forward<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let step = LANES / S::F64_LANES;
        let (between, count) = (self.blocks.count * step, self.factors.count * step);
        let blocks = S::as_simd_f64s(&self.blocks.numbers).0;
        let factors = S::as_simd_f64s(&self.factors.numbers).0;
        let right = S::as_simd_f64s(&self.right.numbers).0;
        let y = S::as_mut_simd_f64s(&mut self.y.numbers).0;
        let zero = Vector::splat(simd, 0.0);
        for part in 0..step {
            let (mut lower, mut last) = ([[zero; A]; A], [zero; A]);
            if let Some(before) = self.first.checked_sub(1) {
                let from = &blocks[before * between + A * A * step + part..];
                lower = square::<S, A>(simd, from, step);
                last = get(simd, &y[before * A * step + part..], step);
            }
            let places = blocks.chunks_exact(between).zip(factors.chunks_exact(count));
            let sides = right.chunks_exact(A * step).zip(y.chunks_exact_mut(A * step));
            for ((blocks, factors), (right, y)) in places.zip(sides).skip(self.first) {
                let factors = &factors[part..];
                let mut value = get(simd, &right[part..], step);
                for p in 0..A {
                    value[p] -= dot(lower[p], last);
                }
                let order = get(simd, &factors[A * A * step..], step);
                let lu = square::<S, A>(simd, factors, step);
                last = solve(&lu, pick(&value, &order));
                put(&mut y[part..], step, &last);
                lower = square::<S, A>(simd, &blocks[A * A * step + part..], step);
            }
        }
    }
}

/// Computes x = y - U x of the next place, from the last place to the first.
pub(super) struct Backward<'a, const A: usize> {
    pub(super) factors: &'a Places,
    pub(super) y: &'a Places,
    pub(super) x: &'a mut Places,
    /// End of the places to compute, exclusive. Values at that place are inputs.
    pub(super) end: usize,
}

impl<const A: usize> WideWork for Backward<'_, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let step = LANES / S::F64_LANES;
        let count = self.factors.count * step;
        let factors = S::as_simd_f64s(&self.factors.numbers).0;
        let y = S::as_simd_f64s(&self.y.numbers).0;
        let x = S::as_mut_simd_f64s(&mut self.x.numbers).0;
        let zero = Vector::splat(simd, 0.0);
        for part in 0..step {
            let mut next = [zero; A];
            if let Some(x) = x.get(self.end * A * step + part..)
                && !x.is_empty()
            {
                next = get(simd, x, step);
            }
            let sides = y.chunks_exact(A * step).zip(x.chunks_exact_mut(A * step));
            let places = factors.chunks_exact(count).zip(sides).take(self.end).rev();
            for (factors, (y, x)) in places {
                let upper = square::<S, A>(simd, &factors[(A * A + A) * step + part..], step);
                let mut value = get(simd, &y[part..], step);
                for p in 0..A {
                    value[p] -= dot(upper[p], next);
                }
                next = value;
                put(&mut x[part..], step, &next);
            }
        }
    }
}
