//! Springs from each row of a cloth to the next, vertical or diagonal, one lane per column.

use super::Grid;
use crate::kernel::swept_spring::{SpringNumbers, SweptSpring};
use crate::lane::{LaneMask, Vector, WideSimd};

/// The springs of one direction from each row to the next.
#[derive(Debug)]
pub(super) struct Downwards {
    pub(super) off: [usize; 2],
    /// Number of springs between two rows.
    pub(super) count: usize,
    /// Index of the first spring.
    pub(super) first: usize,
    pub(super) rest: Vec<f64>,
    pub(super) compliance: Vec<f64>,
    pub(super) tension: Vec<f64>,
}

impl Downwards {
    #[inline(always)]
    fn numbers<S: WideSimd, const GIVES: bool>(
        &self,
        simd: S,
        cell: usize,
        ends: [usize; 2],
        weights: &[f64],
    ) -> SpringNumbers<Vector<S>> {
        let rest = Vector::read(simd, &self.rest, cell);
        let of = |list: &[f64]| if GIVES { Vector::read(simd, list, cell) } else { rest };
        SpringNumbers {
            rest,
            weights: [Vector::read(simd, weights, ends[0]), Vector::read(simd, weights, ends[1])],
            compliance: of(&self.compliance),
            tension: of(&self.tension),
        }
    }

    /// Cells of the first and second nodes of the springs from a cell on.
    #[inline(always)]
    fn ends(&self, grid: &Grid, cell: usize) -> [usize; 2] {
        [cell + self.off[0], cell + grid.stride + self.off[1]]
    }

    /// Sweeps over the springs from one row to the next.
    #[inline(always)]
    pub(super) fn sweep<S: WideSimd, const D: usize, const GIVES: bool>(
        &mut self,
        simd: S,
        spring: &SweptSpring<Vector<S>, GIVES>,
        grid: &Grid,
        row: usize,
        weights: &[f64],
        x: &mut [Vec<f64>; 3],
    ) {
        for column in (0..self.count).step_by(S::F64_LANES) {
            let cell = row * grid.stride + column;
            let ends = self.ends(grid, cell);
            let numbers = self.numbers::<S, GIVES>(simd, cell, ends, weights);
            let (mut a, mut b) = (nodes::<S, D>(simd, x, ends[0]), nodes::<S, D>(simd, x, ends[1]));
            let tension = spring.correct(&mut a, &mut b, &numbers);
            for axis in 0..D {
                a[axis].write(&mut x[axis], ends[0]);
                b[axis].write(&mut x[axis], ends[1]);
            }
            if GIVES {
                tension.write(&mut self.tension, cell);
            }
        }
    }

    /// Whether the length of a spring from one row to the next does not match its tension.
    #[inline(always)]
    pub(super) fn is_loose<S: WideSimd, const D: usize, const GIVES: bool>(
        &self,
        simd: S,
        spring: &SweptSpring<Vector<S>, GIVES>,
        grid: &Grid,
        row: usize,
        weights: &[f64],
        x: &[Vec<f64>; 3],
    ) -> bool {
        (0..self.count).step_by(S::F64_LANES).any(|column| {
            let cell = row * grid.stride + column;
            let ends = self.ends(grid, cell);
            let numbers = self.numbers::<S, GIVES>(simd, cell, ends, weights);
            let (a, b) = (nodes::<S, D>(simd, x, ends[0]), nodes::<S, D>(simd, x, ends[1]));
            spring.is_loose(a, b, &numbers).any()
        })
    }
}

#[inline(always)]
fn nodes<S: WideSimd, const D: usize>(simd: S, x: &[Vec<f64>; 3], at: usize) -> [Vector<S>; D] {
    let mut nodes = [Vector::splat(simd, 0.0); D];
    for axis in 0..D {
        nodes[axis] = Vector::read(simd, &x[axis], at);
    }
    nodes
}
