//! Last positions of nodes in transit from lane to lane. A lane passes a node on at a slot. The
//! next lane receives it at the next slot and needs its last position at the slot after that.
//! Storing these positions in memory frees registers.

use super::{LaneState, MAX_LANES};
use crate::lane::{Vector, WideSimd};

/// Last positions of the last few slots, each at its index modulo `KEPT`.
#[derive(Clone)]
pub(super) struct LastPositions<const D: usize>([[TrailRow; D]; KEPT]);

/// A power of two greater than the number of slots needed.
const KEPT: usize = 4;

/// One value per lane, and the value that lane 0 receives next.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct TrailRow {
    lanes: [f64; MAX_LANES],
    first: f64,
}

impl TrailRow {
    /// For each lane of vector `r`, the value of the previous lane.
    #[inline(always)]
    fn before<S: WideSimd>(&self, simd: S, r: usize) -> Vector<S> {
        let previous = match r {
            0 => Vector::splat(simd, self.first),
            _ => Vector::load(simd, &self.lanes, r - 1),
        };
        Vector::load(simd, &self.lanes, r).before(previous)
    }

    #[inline(always)]
    fn put<S: WideSimd>(&mut self, r: usize, vector: Vector<S>) {
        vector.store(&mut self.lanes, r);
    }
}

impl<const D: usize> LastPositions<D> {
    /// Loads the positions from the ticks before a slot.
    #[inline(always)]
    pub(super) fn new<S: WideSimd, const R: usize>(slot: usize, held: &LaneState<S, D, R>) -> Self {
        let mut trail = Self([[TrailRow { lanes: [0.0; MAX_LANES], first: 0.0 }; D]; KEPT]);
        for axis in 0..D {
            // Shifted by one lane, because each lane reads the value of the previous lane.
            let two_before = &mut trail.0[(slot + KEPT - 2) % KEPT][axis];
            two_before.first = held.last[0][axis].first();
            for r in 0..R {
                let next = held.last[(r + 1) % R][axis];
                two_before.put(r, held.last[r][axis].after(next));
            }
            for r in 0..R {
                trail.put(slot + KEPT - 1, axis, r, held.given[1][r][axis]);
            }
        }
        trail
    }

    /// Writes back the positions of the slots before this one.
    #[inline(always)]
    pub(super) fn end<S: WideSimd, const R: usize>(
        &self,
        simd: S,
        slot: usize,
        held: &mut LaneState<S, D, R>,
    ) {
        for r in 0..R {
            for axis in 0..D {
                held.last[r][axis] = self.last(simd, slot, axis, r);
                held.given[1][r][axis] =
                    Vector::load(simd, &self.0[(slot + KEPT - 1) % KEPT][axis].lanes, r);
            }
        }
    }

    /// Last positions of the nodes that vector `r` carries at a slot.
    #[inline(always)]
    pub(super) fn last<S: WideSimd>(
        &self,
        simd: S,
        slot: usize,
        axis: usize,
        r: usize,
    ) -> Vector<S> {
        self.0[(slot + KEPT - 2) % KEPT][axis].before(simd, r)
    }

    #[inline(always)]
    pub(super) fn put<S: WideSimd>(
        &mut self,
        slot: usize,
        axis: usize,
        r: usize,
        nodes: Vector<S>,
    ) {
        self.0[slot % KEPT][axis].put(r, nodes);
    }

    /// Sets the last position that lane 0 receives at a slot.
    #[inline(always)]
    pub(super) fn receive(&mut self, slot: usize, last: [f64; D]) {
        for (row, last) in self.0[(slot + KEPT - 1) % KEPT].iter_mut().zip(last) {
            row.first = last;
        }
    }

    /// Returns the last position of the node that a lane passed on at a slot.
    #[inline(always)]
    pub(super) fn of_lane(&self, slot: usize, lane: usize) -> [f64; D] {
        std::array::from_fn(|axis| self.0[slot % KEPT][axis].lanes[lane])
    }
}
