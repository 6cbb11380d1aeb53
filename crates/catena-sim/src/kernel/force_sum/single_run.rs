//! Accelerations under one run of Hooke's springs, such as those of interleaved variants of a rope:
//! pulls, their sum, the weight and the division by mass in one pass.
//!
//! The order of operations is that of the separate passes (`pulls`), so results are bit-identical.
//! The nodes of a spring must be at least one vector apart. Otherwise pulls would be read at other
//! offsets right after they were written, which takes longer than two passes.

use super::pulls::{Ends, accelerated, pull_at, with_pulls};
use crate::force::formula::pull;
use crate::lane::{Vector, WideSimd};
use std::ops::Range;

/// Run of Hooke's springs on a tile, and the constants of its nodes. Springs are listed by the
/// place of their lower node; the first node of the tile has the first spring.
pub(super) struct SingleRun<'a, 'b, const A: usize> {
    /// Positions of both ends of each spring, by axis.
    pub(super) ends: Ends<'a>,
    pub(super) stiffness: &'a [f64],
    pub(super) rest: &'a [f64],
    /// Mass of each node.
    pub(super) mass: &'a [f64],
    /// Reciprocals of the masses, if all are exact.
    pub(super) inverse: Option<&'a [f64]>,
    /// Acceleration of gravity by axis, if it acts.
    pub(super) g: [Option<f64>; A],
    /// Number of nodes between the two nodes of a spring.
    pub(super) offset: usize,
    /// Pulls by axis: first those of the last `offset` nodes before the tile, then room for those
    /// of its nodes.
    pub(super) pulls: &'b mut [Vec<f64>; 3],
}

impl<const A: usize> SingleRun<'_, '_, A> {
    /// Writes the accelerations of the nodes of the tile, by axis.
    #[inline(always)]
    pub(super) fn accelerate<S: WideSimd>(&mut self, simd: S, out: &mut [&mut [f64]; A]) {
        let (springs, nodes) = (self.rest.len(), self.mass.len());
        let pulled = springs / S::F64_LANES;
        self.pulled_vectors(simd, pulled, out);
        // Vectors beyond the last spring follow up to W - 1 nodes that are treated one by one.
        let beyond = springs.div_ceil(S::F64_LANES).min(nodes / S::F64_LANES);
        self.nodes(pulled * S::F64_LANES..beyond * S::F64_LANES, out);
        for i in beyond..nodes / S::F64_LANES {
            let mut sums = [Vector::splat(simd, 0.0); A];
            for axis in 0..A {
                let room = &self.pulls[axis];
                let ending = Vector::read(simd, room, i * S::F64_LANES);
                let beginning = Vector::read(simd, room, self.offset + i * S::F64_LANES);
                sums[axis] = with_pulls(ending, true, &[[ending], [beginning]]);
            }
            self.finish(simd, i, sums, out);
        }
        self.nodes(nodes / S::F64_LANES * S::F64_LANES..nodes, out);
    }

    /// Computes the first `count` vectors of nodes, each with a spring.
    #[inline(always)]
    fn pulled_vectors<S: WideSimd>(&mut self, simd: S, count: usize, out: &mut [&mut [f64]; A]) {
        let (mut from, mut to) = ([&[][..]; A], [&[][..]; A]);
        for axis in 0..A {
            let (a, b) = self.ends.x[axis];
            (from[axis], to[axis]) =
                (&S::as_simd_f64s(a).0[..count], &S::as_simd_f64s(b).0[..count]);
        }
        let stiffness = &S::as_simd_f64s(self.stiffness).0[..count];
        let rest = &S::as_simd_f64s(self.rest).0[..count];
        for i in 0..count {
            let mut d = [Vector::splat(simd, 0.0); A];
            for axis in 0..A {
                d[axis] = Vector::new(simd, to[axis][i]) - Vector::new(simd, from[axis][i]);
            }
            let force = pull(d, Vector::new(simd, stiffness[i]), Vector::new(simd, rest[i]));
            let mut sums = [Vector::splat(simd, 0.0); A];
            for axis in 0..A {
                force[axis].write(&mut self.pulls[axis], self.offset + i * S::F64_LANES);
                let ending = Vector::read(simd, &self.pulls[axis], i * S::F64_LANES);
                sums[axis] = with_pulls(ending, true, &[[ending], [force[axis]]]);
            }
            self.finish(simd, i, sums, out);
        }
    }

    /// Computes some nodes one by one.
    #[inline(always)]
    fn nodes(&mut self, nodes: Range<usize>, out: &mut [&mut [f64]; A]) {
        for i in nodes {
            if i < self.rest.len() {
                let force = pull_at::<A>(&self.ends, i, self.stiffness[i], self.rest[i]);
                for axis in 0..A {
                    self.pulls[axis][self.offset + i] = force[axis];
                }
            }
            let inverse = self.inverse.map(|inverse| inverse[i]);
            for axis in 0..A {
                let (ending, beginning) = (self.pulls[axis][i], self.pulls[axis][self.offset + i]);
                let sum = with_pulls(ending, true, &[[ending], [beginning]]);
                out[axis][i] = accelerated(sum, self.mass[i], inverse, self.g[axis]);
            }
        }
    }

    /// Adds the weight to the sums of pulls on vector `i`, divides by mass, and stores the result.
    #[inline(always)]
    fn finish<S: WideSimd>(
        &self,
        simd: S,
        i: usize,
        sums: [Vector<S>; A],
        out: &mut [&mut [f64]; A],
    ) {
        let mass = Vector::load(simd, self.mass, i);
        for axis in 0..A {
            let g = self.g[axis];
            let acceleration = match self.inverse {
                Some(inverse) => {
                    accelerated(sums[axis], mass, Some(Vector::load(simd, inverse, i)), g)
                }
                None => accelerated(sums[axis], mass, None, g),
            };
            acceleration.store(out[axis], i);
        }
    }
}
