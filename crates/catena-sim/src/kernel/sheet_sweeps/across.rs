//! Springs along the rows of a cloth, one lane per row.

use super::Grid;
use crate::kernel::swept_spring::{SpringNumbers, SweptSpring};
use crate::lane::{CacheLine, LaneMask, Vector, WIDTH, WideSimd};

/// Springs along rows: one cache line per group of rows and column.
#[derive(Debug)]
pub(super) struct Across {
    pub(super) rest: Vec<CacheLine>,
    pub(super) compliance: Vec<CacheLine>,
    pub(super) tension: Vec<CacheLine>,
    pub(super) weights: Vec<CacheLine>,
    pub(super) x: [Vec<CacheLine>; 3],
}

impl Across {
    /// Reads rows into lanes.
    #[inline(always)]
    fn read<const D: usize>(&mut self, grid: &Grid, x: &[Vec<f64>; 3]) {
        for axis in 0..D {
            let (from, to) = (&x[axis], &mut self.x[axis]);
            for row in 0..grid.rows {
                let cells = &from[row * grid.stride..][..grid.columns];
                let (first, lane) = grid.lane(row, 0);
                let lines = to[first..].iter_mut().step_by(grid.groups);
                lines.zip(cells).for_each(|(line, x)| line.0[lane] = *x);
            }
        }
    }

    /// Writes lanes back to rows.
    #[inline(always)]
    fn write<const D: usize>(&self, grid: &Grid, x: &mut [Vec<f64>; 3]) {
        for axis in 0..D {
            let (from, to) = (&self.x[axis], &mut x[axis]);
            for row in 0..grid.rows {
                let cells = &mut to[row * grid.stride..][..grid.columns];
                let (first, lane) = grid.lane(row, 0);
                let lines = from[first..].iter().step_by(grid.groups);
                lines.zip(cells).for_each(|(line, x)| *x = line.0[lane]);
            }
        }
    }

    #[inline(always)]
    fn numbers<S: WideSimd, const GIVES: bool>(
        &self,
        simd: S,
        line: usize,
        next: usize,
        part: usize,
    ) -> SpringNumbers<Vector<S>> {
        let rest = self.rest[line].get(simd, part);
        let of = |lines: &[CacheLine]| if GIVES { lines[line].get(simd, part) } else { rest };
        SpringNumbers {
            rest,
            weights: [self.weights[line].get(simd, part), self.weights[next].get(simd, part)],
            compliance: of(&self.compliance),
            tension: of(&self.tension),
        }
    }

    #[inline(always)]
    fn nodes<S: WideSimd, const D: usize>(
        &self,
        simd: S,
        line: usize,
        part: usize,
    ) -> [Vector<S>; D] {
        let mut nodes = [Vector::splat(simd, 0.0); D];
        for axis in 0..D {
            nodes[axis] = self.x[axis][line].get(simd, part);
        }
        nodes
    }

    /// Sweeps over all springs along rows, from the left or from the right.
    #[inline(always)]
    pub(super) fn sweep<S: WideSimd, const D: usize, const GIVES: bool>(
        &mut self,
        simd: S,
        spring: &SweptSpring<Vector<S>, GIVES>,
        grid: &Grid,
        is_reversed: bool,
        x: &mut [Vec<f64>; 3],
    ) {
        self.read::<D>(grid, x);
        for column in 0..grid.columns - 1 {
            let column = if is_reversed { grid.columns - 2 - column } else { column };
            for group in 0..grid.groups {
                let line = column * grid.groups + group;
                let next = line + grid.groups;
                for part in 0..WIDTH / S::F64_LANES {
                    let numbers = self.numbers::<S, GIVES>(simd, line, next, part);
                    let mut a = self.nodes::<S, D>(simd, line, part);
                    let mut b = self.nodes::<S, D>(simd, next, part);
                    let tension = spring.correct(&mut a, &mut b, &numbers);
                    for axis in 0..D {
                        self.x[axis][line].set(part, a[axis]);
                        self.x[axis][next].set(part, b[axis]);
                    }
                    if GIVES {
                        self.tension[line].set(part, tension);
                    }
                }
            }
        }
        self.write::<D>(grid, x);
    }

    /// Returns whether the length of any spring along rows does not match its tension. Reads the
    /// rows into lanes first.
    #[inline(always)]
    pub(super) fn is_loose<S: WideSimd, const D: usize, const GIVES: bool>(
        &mut self,
        simd: S,
        spring: &SweptSpring<Vector<S>, GIVES>,
        grid: &Grid,
        x: &[Vec<f64>; 3],
    ) -> bool {
        self.read::<D>(grid, x);
        for line in 0..(grid.columns - 1) * grid.groups {
            let next = line + grid.groups;
            for part in 0..WIDTH / S::F64_LANES {
                let (a, b) =
                    (self.nodes::<S, D>(simd, line, part), self.nodes::<S, D>(simd, next, part));
                let numbers = self.numbers::<S, GIVES>(simd, line, next, part);
                if spring.is_loose(a, b, &numbers).any() {
                    return true;
                }
            }
        }
        false
    }
}
