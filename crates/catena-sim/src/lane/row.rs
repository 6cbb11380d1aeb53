//! Rows of numbers on whole cache lines, for vectors of any width.

use super::{Vector, WideSimd};

/// Number of values in a cache line.
pub const WIDTH: usize = 8;

/// One number per lane, on whole cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct LaneRow<const N: usize>(pub [f64; N]);

/// Eight numbers on one cache line: one vector of AVX-512, two of AVX2, four of SSE2.
pub type CacheLine = LaneRow<WIDTH>;

impl<const N: usize> LaneRow<N> {
    /// Repeats a number.
    pub const fn all(value: f64) -> Self {
        Self([value; N])
    }

    /// Sets the value of one lane. Setting lane 0 sets all lanes, so that unused lanes contain
    /// valid values.
    pub fn put(&mut self, lane: usize, value: f64) {
        match lane {
            0 => self.0 = [value; N],
            _ => self.0[lane] = value,
        }
    }

    /// Returns the vector at index `part`.
    #[inline(always)]
    pub fn get<S: WideSimd>(&self, simd: S, part: usize) -> Vector<S> {
        Vector::load(simd, &self.0, part)
    }

    /// Stores the vector at index `part`.
    #[inline(always)]
    pub fn set<S: WideSimd>(&mut self, part: usize, vector: Vector<S>) {
        vector.store(&mut self.0, part);
    }

    /// Returns the vectors at index `part` of the first rows.
    #[inline(always)]
    pub fn get_all<S: WideSimd, const A: usize>(
        rows: &[Self],
        simd: S,
        part: usize,
    ) -> [Vector<S>; A] {
        let (rows, mut vectors) = (&rows[..A], [Vector::splat(simd, 0.0); A]);
        for axis in 0..A {
            vectors[axis] = rows[axis].get(simd, part);
        }
        vectors
    }

    /// Stores vectors at index `part` of the first rows.
    #[inline(always)]
    pub fn set_all<S: WideSimd, const A: usize>(
        rows: &mut [Self],
        part: usize,
        vectors: [Vector<S>; A],
    ) {
        let rows = &mut rows[..A];
        for axis in 0..A {
            rows[axis].set(part, vectors[axis]);
        }
    }
}

impl<const N: usize> Default for LaneRow<N> {
    fn default() -> Self {
        Self::all(0.0)
    }
}
