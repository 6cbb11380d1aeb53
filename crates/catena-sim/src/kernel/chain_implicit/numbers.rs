//! Values in a window, and the values of a model that the window loads.

use crate::lane::{Vector, WideSimd};
use std::ops::Range;

/// Number of nodes in a window, small enough for the innermost cache.
pub(super) const NODES: usize = 64;

/// Maximum number of lanes in a vector.
pub(super) const LANES: usize = 8;

/// Nodes of a window and one more, rounded up to full vectors.
pub(super) const CAPACITY: usize = NODES + LANES;

/// One number for each node or spring.
pub(super) type WindowNumbers = [f64; CAPACITY];

/// One number for each node or spring of a model.
pub(super) enum Column {
    /// One number for all nodes or springs. Windows contain it from the start, so it needs no
    /// copying.
    Same(f64),
    /// One number per node or spring, in the order of the model.
    Each(Vec<f64>),
}

impl Column {
    /// Collects numbers, one per node or spring.
    pub(super) fn new(mut numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let each = numbers.clone();
        let first = numbers.next().unwrap_or_default();
        let is_same = numbers.all(|number| number.to_bits() == first.to_bits());
        if is_same { Self::Same(first) } else { Self::Each(each.collect()) }
    }

    /// Initial values of a window.
    pub(super) fn begin(&self) -> WindowNumbers {
        [if let Self::Same(number) = self { *number } else { 0.0 }; CAPACITY]
    }

    /// Copies a range to the start of a window.
    #[inline(always)]
    pub(super) fn load(&self, window: &mut WindowNumbers, range: Range<usize>) {
        if let Self::Each(numbers) = self {
            window[..range.len()].copy_from_slice(&numbers[range]);
        }
    }
}

/// Properties of a model, packed more tightly than the model's own springs.
pub(super) struct Properties {
    pub(super) mass: Column,
    pub(super) stiffness: Column,
    pub(super) rest: Column,
}

/// Calls `work` for each index from 0 to `vectors` - 1.
#[inline(always)]
pub(super) fn each(vectors: usize, mut work: impl FnMut(usize)) {
    for vector in 0..vectors {
        for lane in 0..LANES {
            work(vector * LANES + lane);
        }
    }
}

/// Returns vector `j` of the values, shifted by `SHIFT` places.
#[inline(always)]
pub(super) fn at<S: WideSimd, const SHIFT: usize>(
    simd: S,
    numbers: &WindowNumbers,
    j: usize,
) -> Vector<S> {
    Vector::load(simd, &numbers[SHIFT..NODES + SHIFT], j)
}

/// Stores vector `j` one place later, because a spring's index is its first node's index plus one.
#[inline(always)]
pub(super) fn put<S: WideSimd>(numbers: &mut WindowNumbers, j: usize, vector: Vector<S>) {
    vector.store(&mut numbers[1..=NODES], j);
}
