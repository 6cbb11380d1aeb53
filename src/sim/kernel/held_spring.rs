//! The arithmetic of constraint Verlet on one spring and one node, for every lane of a vector: what the kernels along
//! a chain share.
//!
//! A kernel carries one node along the chain and meets the next. The carried node is the first of the spring between
//! them, or the second where the sweep goes from the last spring to the first. The plain loop takes differences from the
//! first to the second, adds to the first and takes from the second. Signs do the rest: a - b and (-b) + a are the
//! same bits, and so are a - s b and a + (-s) b.

use crate::sim::Model;
use pulp::Simd;

/// A vector of lanes.
pub(super) type Vector<S> = <S as Simd>::f64s;

/// The node at a place of a sweep.
pub(super) fn node_at(nodes: usize, is_reversed: bool, place: usize) -> usize {
    if is_reversed { nodes - 1 - place } else { place }
}

/// What a sweep adds to the carried node and takes from the next one, as shares of a spring's shift, from the node at
/// `place` to the one after; `None` where both are pinned.
pub(super) fn shares(model: &Model, is_reversed: bool, place: usize) -> Option<(f64, f64)> {
    let is_pinned = |place| model.pinned[node_at(model.nodes(), is_reversed, place)];
    let (carried, next) = match (is_pinned(place), is_pinned(place + 1)) {
        (true, true) => return None,
        (true, false) => (0.0, 1.0),
        (false, true) => (1.0, 0.0),
        (false, false) => (0.5, 0.5),
    };
    Some(if is_reversed { (-carried, -next) } else { (carried, next) })
}

/// Rest length of the spring from the node at `place` to the one after.
pub(super) fn rest_length(model: &Model, is_reversed: bool, place: usize) -> f64 {
    let spring = if is_reversed { model.held - 1 - place } else { place };
    model.springs[spring].rest_length
}

/// Instructions and direction.
#[derive(Clone, Copy)]
pub(super) struct HeldSpring<S: Simd> {
    simd: S,
    /// Sign bits of the two nodes in their difference.
    sign_next: Vector<S>,
    sign_carried: Vector<S>,
}

impl<S: Simd> HeldSpring<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, is_reversed: bool) -> Self {
        let (plus, minus) = (simd.splat_f64s(0.0), simd.splat_f64s(-0.0));
        let (sign_next, sign_carried) = if is_reversed { (minus, plus) } else { (plus, minus) };
        Self { simd, sign_next, sign_carried }
    }

    /// Puts the spring between two nodes back to its rest length, but not where it has no length or `is_left_alone`.
    #[inline(always)]
    pub(super) fn put_right<const D: usize>(
        &self,
        (carried, next): ([Vector<S>; D], [Vector<S>; D]),
        rest_length: Vector<S>,
        (share, share_of_next): (Vector<S>, Vector<S>),
        is_left_alone: S::m64s,
    ) -> ([Vector<S>; D], [Vector<S>; D]) {
        let simd = self.simd;
        let zero = simd.splat_f64s(0.0);
        let mut delta = [zero; D];
        let mut square = zero;
        for axis in 0..D {
            let to = simd.xor_f64s(next[axis], self.sign_next);
            let from = simd.xor_f64s(carried[axis], self.sign_carried);
            delta[axis] = simd.add_f64s(to, from);
            let component = simd.mul_f64s(delta[axis], delta[axis]);
            square = if axis == 0 { component } else { simd.add_f64s(square, component) };
        }
        let length = simd.sqrt_f64s(square);
        let excess = simd.sub_f64s(length, rest_length);
        let is_left_alone = simd.or_m64s(is_left_alone, simd.equal_f64s(length, zero));
        let mut right = (carried, next);
        for axis in 0..D {
            let shift = simd.mul_f64s(simd.div_f64s(delta[axis], length), excess);
            let first = simd.add_f64s(carried[axis], simd.mul_f64s(share, shift));
            let second = simd.sub_f64s(next[axis], simd.mul_f64s(share_of_next, shift));
            right.0[axis] = simd.select_f64s(is_left_alone, carried[axis], first);
            right.1[axis] = simd.select_f64s(is_left_alone, next[axis], second);
        }
        right
    }

    /// x' = x + (1 - d)(x - x_last) + a dt²; `keep` is 1 - d, `push` is a dt².
    #[inline(always)]
    pub(super) fn moved(
        &self,
        x: Vector<S>,
        last: Vector<S>,
        keep: Vector<S>,
        push: Vector<S>,
    ) -> Vector<S> {
        let simd = self.simd;
        let way = simd.mul_f64s(keep, simd.sub_f64s(x, last));
        simd.add_f64s(simd.add_f64s(x, way), push)
    }
}
