//! Springs from each row of a cloth to the next, down or aslant: a lane takes a column.

use super::Grid;
use crate::kernel::{
    lanes::WideSimd,
    swept_spring::{SpringNumbers, SweptSpring},
};

/// The springs of one direction from each row to the next.
#[derive(Debug)]
pub(super) struct Downwards {
    pub(super) off: [usize; 2],
    /// How many there are from a row to the next.
    pub(super) count: usize,
    /// The number of the first one.
    pub(super) first: usize,
    pub(super) rest: Vec<f64>,
    pub(super) compliance: Vec<f64>,
    pub(super) tension: Vec<f64>,
}

impl Downwards {
    #[inline(always)]
    fn numbers<S: WideSimd, const GIVES: bool>(
        &self,
        cell: usize,
        ends: [usize; 2],
        weights: &[f64],
    ) -> SpringNumbers<S> {
        let rest = vector_of::<S>(&self.rest, cell);
        SpringNumbers {
            rest,
            weights: [vector_of::<S>(weights, ends[0]), vector_of::<S>(weights, ends[1])],
            compliance: if GIVES { vector_of::<S>(&self.compliance, cell) } else { rest },
            tension: if GIVES { vector_of::<S>(&self.tension, cell) } else { rest },
        }
    }

    /// Where the first and second nodes of the springs from a cell on are.
    #[inline(always)]
    fn ends(&self, grid: &Grid, cell: usize) -> [usize; 2] {
        [cell + self.off[0], cell + grid.stride + self.off[1]]
    }

    /// The springs from one row to the next.
    #[inline(always)]
    pub(super) fn sweep<S: WideSimd, const D: usize, const GIVES: bool>(
        &mut self,
        spring: &SweptSpring<S, GIVES>,
        (grid, row): (&Grid, usize),
        weights: &[f64],
        x: &mut [Vec<f64>; 3],
    ) {
        for column in (0..self.count).step_by(S::F64_LANES) {
            let cell = row * grid.stride + column;
            let ends = self.ends(grid, cell);
            let numbers = self.numbers::<S, GIVES>(cell, ends, weights);
            let (mut a, mut b) = (nodes::<S, D>(x, ends[0]), nodes::<S, D>(x, ends[1]));
            let tension = spring.correct((&mut a, &mut b), &numbers);
            for axis in 0..D {
                put::<S>(&mut x[axis], ends[0], a[axis]);
                put::<S>(&mut x[axis], ends[1], b[axis]);
            }
            if GIVES {
                put::<S>(&mut self.tension, cell, tension);
            }
        }
    }

    /// Whether a spring from one row to the next is loose.
    #[inline(always)]
    pub(super) fn is_loose<S: WideSimd, const D: usize, const GIVES: bool>(
        &self,
        simd: S,
        spring: &SweptSpring<S, GIVES>,
        (grid, row): (&Grid, usize),
        weights: &[f64],
        x: &[Vec<f64>; 3],
    ) -> bool {
        (0..self.count).step_by(S::F64_LANES).any(|column| {
            let cell = row * grid.stride + column;
            let ends = self.ends(grid, cell);
            let numbers = self.numbers::<S, GIVES>(cell, ends, weights);
            let (a, b) = (nodes::<S, D>(x, ends[0]), nodes::<S, D>(x, ends[1]));
            simd.any(spring.is_loose((&a, &b), &numbers))
        })
    }
}

#[inline(always)]
fn nodes<S: WideSimd, const D: usize>(x: &[Vec<f64>; 3], at: usize) -> [S::f64s; D] {
    let mut nodes = [vector_of::<S>(&x[0], at); D];
    for (node, x) in nodes.iter_mut().zip(x) {
        *node = vector_of::<S>(x, at);
    }
    nodes
}

#[inline(always)]
fn vector_of<S: WideSimd>(numbers: &[f64], at: usize) -> S::f64s {
    S::as_simd_f64s(&numbers[at..at + S::F64_LANES]).0[0]
}

#[inline(always)]
fn put<S: WideSimd>(numbers: &mut [f64], at: usize, vector: S::f64s) {
    S::as_mut_simd_f64s(&mut numbers[at..at + S::F64_LANES]).0[0] = vector;
}
