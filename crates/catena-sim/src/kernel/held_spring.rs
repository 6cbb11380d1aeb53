//! The arithmetic of constraint Verlet on one spring and one node, for every lane of a vector,
//! which the kernels along a chain share.
//!
//! A kernel carries one node along the chain to the next. The carried node is the first of the
//! spring between them, or the second if the sweep goes from the last spring to the first. The
//! plain loop takes differences from the first to the second, adds to the first and subtracts from
//! the second.
//!
//! Square roots and quotients are what takes time: a single unit of the processor computes them, a
//! few bits at a time. Where the processor multiplies and adds with one rounding, products replace
//! quotients: see [`quotient`].

use super::lanes::WideSimd;
use crate::body::Model;
use pulp::Simd;

/// A vector of lanes.
pub(super) type Vector<S> = <S as Simd>::f64s;

/// One node in each lane: `R` vectors of lanes, each with all axes.
pub(super) type Nodes<S, const D: usize, const R: usize> = [[Vector<S>; D]; R];

/// The shares of a spring between two free nodes of one mass.
pub(super) const HALVES: (f64, f64) = (0.5, 0.5);

/// The least square of a component for which [`quotient`] is sure to round correctly.
const LEAST_SQUARE: f64 = f64::from_bits((1023 - 1000) << 52);

/// The node at a place of a sweep.
pub(super) fn node_at(nodes: usize, is_reversed: bool, place: usize) -> usize {
    if is_reversed { nodes - 1 - place } else { place }
}

/// The shares of a correction for the carried node at `place` of a sweep and the next one; `None`
/// if both are pinned.
pub(super) fn shares(model: &Model, is_reversed: bool, place: usize) -> Option<(f64, f64)> {
    let node = |place| node_at(model.nodes(), is_reversed, place);
    model.shares(node(place), node(place + 1))
}

/// Rest length of the spring from the node at `place` to the one after.
pub(super) fn rest_length(model: &Model, is_reversed: bool, place: usize) -> f64 {
    let spring = if is_reversed { model.held - 1 - place } else { place };
    model.springs[spring].rest_length
}

/// The share of a correction for each end of a spring: the carried node, then the next.
#[derive(Clone, Copy)]
pub(super) enum Shares<V> {
    /// Both are free and have the same mass.
    Halves,
    Of(V, V),
}

/// The length of a spring in each lane, before its correction.
#[derive(Clone, Copy)]
pub(super) struct SpringSpan<S: WideSimd, const D: usize> {
    /// The vector from its first node to its second.
    delta: [Vector<S>; D],
    length: Vector<S>,
    /// A first approximation of the reciprocal of the length.
    rough: Vector<S>,
    /// Lanes whose spring has no length, or a vector that [`quotient`] cannot divide.
    pub(super) is_odd: S::m64s,
}

/// The instructions, with the number of vectors at a time and the direction of the sweep in the
/// type.
///
/// A correction has two parts, so that the processor computes the root of the first while it works
/// on the second part of other springs.
#[derive(Clone, Copy)]
pub(super) struct HeldSpring<S: WideSimd, const R: usize, const REVERSED: bool> {
    pub(super) simd: S,
}

impl<S: WideSimd, const R: usize, const REVERSED: bool> HeldSpring<S, R, REVERSED> {
    /// The first part: the length of the spring between two nodes.
    #[inline(always)]
    pub(super) fn measure<const D: usize>(
        &self,
        carried: &[Vector<S>; D],
        next: &[Vector<S>; D],
    ) -> SpringSpan<S, D> {
        let simd = self.simd;
        let (mut delta, mut squares) = (*carried, *carried);
        for axis in 0..D {
            let (from, to) = if REVERSED { (next, carried) } else { (carried, next) };
            delta[axis] = simd.sub_f64s(to[axis], from[axis]);
            squares[axis] = simd.mul_f64s(delta[axis], delta[axis]);
        }
        // In order of the axes, as the plain loop does.
        let mut square = squares[0];
        for more in &squares[1..] {
            square = simd.add_f64s(square, *more);
        }
        let is_odd = if self.multiplies() {
            self.is_hard_to_divide(&delta, &squares)
        } else {
            simd.equal_f64s(square, simd.splat_f64s(0.0))
        };
        let rough = simd.rough_reciprocal_root(square);
        SpringSpan { delta, length: simd.sqrt_f64s(square), rough, is_odd }
    }

    /// Whether any of the springs is odd.
    #[inline(always)]
    pub(super) fn any_odd<const D: usize>(&self, springs: &[SpringSpan<S, D>]) -> bool {
        let mut is_odd = springs[0].is_odd;
        for spring in &springs[1..] {
            is_odd = self.simd.or_m64s(is_odd, spring.is_odd);
        }
        self.simd.any(is_odd)
    }

    /// The second part: moves both ends so that the spring has its rest length. If `CAREFUL`, odd
    /// springs are right too, and those without length stay as they are.
    #[inline(always)]
    pub(super) fn correct<const D: usize, const CAREFUL: bool>(
        &self,
        spring: &SpringSpan<S, D>,
        (carried, next): (&mut [Vector<S>; D], &mut [Vector<S>; D]),
        rest_length: Vector<S>,
        shares: Shares<Vector<S>>,
    ) {
        let simd = self.simd;
        let SpringSpan { delta, length, rough, .. } = *spring;
        let excess = simd.sub_f64s(length, rest_length);
        if !CAREFUL && self.multiplies() {
            let reciprocal = simd.reciprocal(length, rough);
            let half = simd.mul_f64s(simd.splat_f64s(HALVES.0), excess);
            for axis in 0..D {
                let direction = quotient(simd, delta[axis], length, reciprocal);
                // A product with half of the excess has the bits of half of the product: no number
                // here is near the smallest ones.
                let by = match shares {
                    Shares::Halves => [simd.mul_f64s(direction, half); 2].into(),
                    Shares::Of(..) => self.shares(simd.mul_f64s(direction, excess), shares),
                };
                (carried[axis], next[axis]) = self.shifted((carried[axis], next[axis]), by);
            }
            return;
        }
        let is_nothing = simd.equal_f64s(length, simd.splat_f64s(0.0));
        for axis in 0..D {
            let (here, there) = (carried[axis], next[axis]);
            let direction = simd.div_f64s(delta[axis], length);
            let by = self.shares(simd.mul_f64s(direction, excess), shares);
            (carried[axis], next[axis]) = self.shifted((here, there), by);
            if CAREFUL {
                carried[axis] = simd.select_f64s(is_nothing, here, carried[axis]);
                next[axis] = simd.select_f64s(is_nothing, there, next[axis]);
            }
        }
    }

    /// Both parts, for springs in `R` vectors.
    #[inline(always)]
    pub(super) fn correct_all<const D: usize>(
        &self,
        (carried, next): (&mut Nodes<S, D, R>, &mut Nodes<S, D, R>),
        rest_lengths: &[Vector<S>; R],
        shares: &[Shares<Vector<S>>; R],
    ) {
        let mut springs = [self.measure(&carried[0], &next[0]); R];
        for r in 1..R {
            springs[r] = self.measure(&carried[r], &next[r]);
        }
        let is_odd = self.any_odd(&springs);
        for r in 0..R {
            let nodes = (&mut carried[r], &mut next[r]);
            if is_odd {
                self.correct::<D, true>(&springs[r], nodes, rest_lengths[r], shares[r]);
            } else {
                self.correct::<D, false>(&springs[r], nodes, rest_lengths[r], shares[r]);
            }
        }
    }

    /// Whether products replace quotients. With one or two vectors each operation waits for the
    /// last one, and a quotient is faster than its replacement.
    #[inline(always)]
    fn multiplies(&self) -> bool {
        S::FUSES && R > 2
    }

    /// How far a correction moves the carried node, and how far the next.
    #[inline(always)]
    fn shares(&self, shift: Vector<S>, shares: Shares<Vector<S>>) -> (Vector<S>, Vector<S>) {
        let simd = self.simd;
        match shares {
            Shares::Halves => [simd.mul_f64s(simd.splat_f64s(HALVES.0), shift); 2].into(),
            Shares::Of(own, other) => (simd.mul_f64s(own, shift), simd.mul_f64s(other, shift)),
        }
    }

    /// Moves both ends of a spring towards each other.
    #[inline(always)]
    fn shifted(
        &self,
        (carried, next): (Vector<S>, Vector<S>),
        (by, by_next): (Vector<S>, Vector<S>),
    ) -> (Vector<S>, Vector<S>) {
        let simd = self.simd;
        if REVERSED {
            (simd.sub_f64s(carried, by), simd.add_f64s(next, by_next))
        } else {
            (simd.add_f64s(carried, by), simd.sub_f64s(next, by_next))
        }
    }

    /// Lanes whose spring has no length, or components that are tiny but not zero.
    #[inline(always)]
    fn is_hard_to_divide<const D: usize>(
        &self,
        delta: &[Vector<S>; D],
        squares: &[Vector<S>; D],
    ) -> S::m64s {
        let simd = self.simd;
        let (zero, least) = (simd.splat_f64s(0.0), simd.splat_f64s(LEAST_SQUARE));
        let mut are_all_tiny = simd.less_than_f64s(squares[0], least);
        let mut is_hard = simd.and_not_equal(are_all_tiny, delta[0], zero);
        for axis in 1..D {
            let is_tiny = simd.less_than_f64s(squares[axis], least);
            let is_something = simd.and_not_equal(is_tiny, delta[axis], zero);
            is_hard = simd.or_m64s(is_hard, is_something);
            are_all_tiny = simd.and_m64s(are_all_tiny, is_tiny);
        }
        simd.or_m64s(is_hard, are_all_tiny)
    }

    /// x' = x + (1 - d)(x - x_last) + a dt²; `keep` is 1 - d, `push` is a dt².
    #[inline(always)]
    pub(super) fn verlet(
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

/// a / b, rounded, from y = [`WideSimd::reciprocal`] of b: Markstein's method, a product and two
/// fused operations (Brisebarre, Muller and Raina, "Accelerating correctly rounded floating-point
/// division when the divisor is known in advance", 2004). No a may be tiny unless it is zero, and
/// none much greater than b.
///
/// With q = a y, rounded, the remainder r = q b - a is exact if q is next to a / b and r far from
/// the smallest numbers; otherwise its rounding is too small to matter. So q - r y, before it is
/// rounded, is a / b - (q - a / b) e, with e = b y - 1. It rounds as a / b does unless the midpoint
/// of two numbers lies between the two. Let B be b scaled to 1..2, and take distances in units in
/// the last place of a / b: no quotient is nearer to a midpoint than 2^-53 / B. Near a midpoint, q
/// is one of the numbers next to it, since a y is less than a unit off; so q is about 1/2 off, and
/// the two lie e / 2 apart: not as far as the midpoint if e < 2^-52 / B. And e is at most half a
/// unit of y and a little more, 2^-54 B + 2^-105, which is less than that for all B but 2 - 2^-52,
/// for which y is the rounded reciprocal.
///
/// The sign of the remainder is chosen so that a quotient of -0 keeps its own.
#[inline(always)]
fn quotient<S: WideSimd>(
    simd: S,
    number: Vector<S>,
    divisor: Vector<S>,
    reciprocal: Vector<S>,
) -> Vector<S> {
    let quotient = simd.mul_f64s(number, reciprocal);
    let remainder = simd.mul_add_f64s(quotient, divisor, simd.neg_f64s(number));
    simd.negate_mul_add_f64s(remainder, reciprocal, quotient)
}
