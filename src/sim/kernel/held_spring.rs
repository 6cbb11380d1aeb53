//! The arithmetic of constraint Verlet on one spring and one node, for every lane of a vector: what the kernels along
//! a chain share.
//!
//! A kernel carries one node along the chain and meets the next. The carried node is the first of the spring between
//! them, or the second where the sweep goes from the last spring to the first. The plain loop takes differences from the
//! first to the second, adds to the first and takes from the second.
//!
//! Square roots and quotients are what all this costs: one unit of the processor makes them, a few bits at a time. Where
//! a multiplication and an addition round but once, [`quotients`] divides only once for all axes.

use super::lanes::Wide;
use crate::sim::Model;
use pulp::Simd;

/// A vector of lanes.
pub(super) type Vector<S> = <S as Simd>::f64s;

/// One node a lane: `R` vectors of lanes, each with all axes.
pub(super) type Nodes<S, const D: usize, const R: usize> = [[Vector<S>; D]; R];

/// The shares of a spring between two free nodes.
pub(super) const HALVES: (f64, f64) = (0.5, 0.5);

/// The least square of a component with which [`quotients`] is sure to be right.
const LEAST_SQUARE: f64 = f64::from_bits((1023 - 1000) << 52);

/// The node at a place of a sweep.
pub(super) fn node_at(nodes: usize, is_reversed: bool, place: usize) -> usize {
    if is_reversed { nodes - 1 - place } else { place }
}

/// The shares of a spring's shift, from the node at `place` of a sweep to the one after, that move the carried node and
/// the next one; `None` where both are pinned.
pub(super) fn shares(model: &Model, is_reversed: bool, place: usize) -> Option<(f64, f64)> {
    let is_pinned = |place| model.pinned[node_at(model.nodes(), is_reversed, place)];
    match (is_pinned(place), is_pinned(place + 1)) {
        (true, true) => None,
        (true, false) => Some((0.0, 1.0)),
        (false, true) => Some((1.0, 0.0)),
        (false, false) => Some(HALVES),
    }
}

/// Rest length of the spring from the node at `place` to the one after.
pub(super) fn rest_length(model: &Model, is_reversed: bool, place: usize) -> f64 {
    let spring = if is_reversed { model.held - 1 - place } else { place };
    model.springs[spring].rest_length
}

/// From first nodes to second ones, the squares of that, and rest lengths.
type Springs<'a, S, const D: usize, const R: usize> =
    (&'a Nodes<S, D, R>, &'a Nodes<S, D, R>, &'a [Vector<S>; R]);

/// Instructions and direction: whether the sweep goes from the last spring to the first.
#[derive(Clone, Copy)]
pub(super) struct HeldSpring<S: Wide, const REVERSED: bool> {
    pub(super) simd: S,
}

impl<S: Wide, const REVERSED: bool> HeldSpring<S, REVERSED> {
    /// Puts the springs between two nodes each back to their rest lengths, but not where one has no length. `shares` makes
    /// of the shift of a spring, of vector r, what moves the carried node and what moves the next.
    #[inline(always)]
    pub(super) fn put_right<const D: usize, const R: usize>(
        &self,
        (carried, next): (&mut Nodes<S, D, R>, &mut Nodes<S, D, R>),
        rest_lengths: &[Vector<S>; R],
        shares: impl Fn(usize, Vector<S>) -> (Vector<S>, Vector<S>),
    ) {
        let simd = self.simd;
        let zero = simd.splat_f64s(0.0);
        let mut deltas = [[zero; D]; R];
        let mut squares = deltas;
        for r in 0..R {
            for axis in 0..D {
                let (from, to) = self.in_order(carried[r][axis], next[r][axis]);
                deltas[r][axis] = simd.sub_f64s(to, from);
                squares[r][axis] = simd.mul_f64s(deltas[r][axis], deltas[r][axis]);
            }
        }
        let springs = (&deltas, &squares, rest_lengths);
        if self.is_ordinary(&deltas, &squares) {
            self.correct::<D, R, true>((carried, next), springs, shares);
        } else {
            self.correct::<D, R, false>((carried, next), springs, shares);
        }
    }

    #[inline(always)]
    fn correct<const D: usize, const R: usize, const ORDINARY: bool>(
        &self,
        (carried, next): (&mut Nodes<S, D, R>, &mut Nodes<S, D, R>),
        (deltas, squares, rest_lengths): Springs<'_, S, D, R>,
        shares: impl Fn(usize, Vector<S>) -> (Vector<S>, Vector<S>),
    ) {
        let simd = self.simd;
        for r in 0..R {
            let length = simd.sqrt_f64s(self.sum(&squares[r]));
            let excess = simd.sub_f64s(length, rest_lengths[r]);
            // One vector alone waits for each of these in turn, and a quotient comes sooner than what replaces it.
            let directions = if S::FUSES && ORDINARY && R > 1 {
                quotients(simd, &deltas[r], length)
            } else {
                self.divided(&deltas[r], length)
            };
            let is_nothing = simd.equal_f64s(length, simd.splat_f64s(0.0));
            for axis in 0..D {
                let (here, there) = (carried[r][axis], next[r][axis]);
                let (by, by_next) = shares(r, simd.mul_f64s(directions[axis], excess));
                let (first, second) = if REVERSED {
                    (simd.sub_f64s(here, by), simd.add_f64s(there, by_next))
                } else {
                    (simd.add_f64s(here, by), simd.sub_f64s(there, by_next))
                };
                if ORDINARY {
                    (carried[r][axis], next[r][axis]) = (first, second);
                } else {
                    carried[r][axis] = simd.select_f64s(is_nothing, here, first);
                    next[r][axis] = simd.select_f64s(is_nothing, there, second);
                }
            }
        }
    }

    #[inline(always)]
    fn divided<const D: usize>(&self, delta: &[Vector<S>; D], length: Vector<S>) -> [Vector<S>; D] {
        let mut divided = *delta;
        for number in &mut divided {
            *number = self.simd.div_f64s(*number, length);
        }
        divided
    }

    /// From the first node of a spring to the second.
    #[inline(always)]
    fn in_order(&self, carried: Vector<S>, next: Vector<S>) -> (Vector<S>, Vector<S>) {
        if REVERSED { (next, carried) } else { (carried, next) }
    }

    /// In order of the axes, as the plain loop does.
    #[inline(always)]
    fn sum<const D: usize>(&self, squares: &[Vector<S>; D]) -> Vector<S> {
        let mut sum = squares[0];
        for square in &squares[1..] {
            sum = self.simd.add_f64s(sum, *square);
        }
        sum
    }

    /// Whether all springs have a length and, where it matters, components that [`quotients`] can divide: zeros, and what
    /// is not tiny.
    #[inline(always)]
    fn is_ordinary<const D: usize, const R: usize>(
        &self,
        deltas: &Nodes<S, D, R>,
        squares: &Nodes<S, D, R>,
    ) -> bool {
        let simd = self.simd;
        let (zero, least) = (simd.splat_f64s(0.0), simd.splat_f64s(LEAST_SQUARE));
        let mut is_odd = simd.less_than_f64s(zero, zero);
        if !S::FUSES {
            for squares in squares {
                is_odd = simd.or_m64s(is_odd, simd.equal_f64s(self.sum(squares), zero));
            }
            return !simd.any(is_odd);
        }
        for squares in squares {
            let mut smallest = squares[0];
            for square in &squares[1..] {
                smallest = simd.min_f64s(smallest, *square);
            }
            is_odd = simd.or_m64s(is_odd, simd.less_than_f64s(smallest, least));
        }
        if !simd.any(is_odd) {
            return true;
        }
        // Straight ropes have components of 0: there, what all axes sum up to takes their place.
        is_odd = simd.less_than_f64s(zero, zero);
        for (deltas, squares) in deltas.iter().zip(squares) {
            let sum = self.sum(squares);
            let mut smallest = sum;
            for axis in 0..D {
                let is_zero = simd.equal_f64s(deltas[axis], zero);
                let square = simd.select_f64s(is_zero, sum, squares[axis]);
                smallest = simd.min_f64s(smallest, square);
            }
            is_odd = simd.or_m64s(is_odd, simd.less_than_f64s(smallest, least));
        }
        !simd.any(is_odd)
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

/// Numbers over another, rounded as quotients are. None but zeros may be tiny, and none much above the divisor.
///
/// With y the reciprocal of b, rounded, and q the product a y, rounded, the remainder q b - a takes but one rounding, and q
/// less remainder times y is the quotient, rounded: Markstein's way, one product and two fused operations where the rounded reciprocal is known (Brisebarre,
/// Muller and Raina, "Accelerating correctly rounded floating-point division when the divisor is known in advance", 2004). That holds as long as no remainder is lost below the
/// smallest numbers. The remainder has this sign, rather than the other, so that a quotient of -0 keeps its own.
#[inline(always)]
fn quotients<S: Wide, const D: usize>(
    simd: S,
    numbers: &[Vector<S>; D],
    divisor: Vector<S>,
) -> [Vector<S>; D] {
    let mut quotients = *numbers;
    let reciprocal = simd.div_f64s(simd.splat_f64s(1.0), divisor);
    for axis in 0..D {
        let quotient = simd.mul_f64s(numbers[axis], reciprocal);
        let remainder = simd.mul_add_f64s(quotient, divisor, simd.neg_f64s(numbers[axis]));
        quotients[axis] = simd.negate_mul_add_f64s(remainder, reciprocal, quotient);
    }
    quotients
}
