//! Arithmetic of constraint Verlet on one spring and one node, for every lane of a vector. The
//! kernels along a chain share it.
//!
//! At each spring, a kernel carries one node along the chain to the next node. The carried node is
//! the first node of the spring, or the second if the sweep runs from the last spring to the first.
//! The plain loop takes the difference from the first node to the second, adds to the first and
//! subtracts from the second.
//!
//! Square roots and divisions dominate the time, because a single unit of the processor computes
//! them, a few bits at a time. If the processor has fused multiply-add, products replace divisions:
//! see [`quotient`].

use crate::body::Model;
use crate::lane::{Lane, LaneMask, Mask, Vector, WideSimd, dot, sub};

/// One node in each lane: `R` vectors of lanes, each with all axes.
pub(super) type HeldNodes<S, const D: usize, const R: usize> = [[Vector<S>; D]; R];

/// Shares of a spring between two free nodes of equal mass.
pub(super) const HALVES: (f64, f64) = (0.5, 0.5);

/// Factors on the shares of a correction. Methods whose published formula makes only a part of the
/// correction have factors below 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareFactors {
    /// Factor for springs between free nodes.
    pub free: f64,
    /// Factor for springs next to a pin.
    pub at_pin: f64,
}

impl ShareFactors {
    /// The whole correction.
    pub const FULL: Self = Self { free: 1.0, at_pin: 1.0 };

    /// Shares of a correction for the ends of a spring; `None` if both are pinned.
    pub fn shares(self, model: &Model, a: usize, b: usize) -> Option<(f64, f64)> {
        let (of_a, of_b) = model.shares(a, b)?;
        let is_at_pin = model.pinned[a] || model.pinned[b];
        let factor = if is_at_pin { self.at_pin } else { self.free };
        Some((factor * of_a, factor * of_b))
    }
}

/// Minimum square of a component for which [`quotient`] always rounds correctly.
const MIN_SQUARE: f64 = f64::from_bits((1023 - 1000) << 52);

/// Index of the node at a place of a sweep.
pub(super) fn node_at(nodes: usize, is_reversed: bool, place: usize) -> usize {
    if is_reversed { nodes - 1 - place } else { place }
}

/// Shares of a correction for the carried node at `place` of a sweep and the next one; `None` if
/// both are pinned.
pub(super) fn shares(
    model: &Model,
    is_reversed: bool,
    place: usize,
    factors: ShareFactors,
) -> Option<(f64, f64)> {
    let node = |place| node_at(model.nodes(), is_reversed, place);
    factors.shares(model, node(place), node(place + 1))
}

/// Rest length of the spring from the node at `place` to the one after.
pub(super) fn rest_length(model: &Model, is_reversed: bool, place: usize) -> f64 {
    let spring = if is_reversed { model.held - 1 - place } else { place };
    model.springs[spring].rest_length
}

/// Share of a correction for each end of a spring: the carried node, then the next one.
#[derive(Clone, Copy)]
pub(super) enum Shares<V> {
    /// Halves: both nodes are free and have equal mass.
    Halves,
    Of(V, V),
}

impl<V: Lane> Shares<V> {
    /// Distances by which a correction moves the carried node and the next.
    #[inline(always)]
    fn of(self, shift: V) -> [V; 2] {
        match self {
            Self::Halves => [shift.like(HALVES.0) * shift; 2],
            Self::Of(own, other) => [own * shift, other * shift],
        }
    }
}

/// The length of a spring in each lane, before its correction.
#[derive(Clone, Copy)]
pub(super) struct SpringSpan<S: WideSimd, const D: usize> {
    /// Vector from the first node to the second.
    delta: [Vector<S>; D],
    length: Vector<S>,
    /// A first approximation of the reciprocal of the length.
    rough: Vector<S>,
    /// Lanes whose spring has length 0, or a vector that [`quotient`] cannot divide.
    pub(super) is_odd: Mask<S>,
}

/// Vector instructions, with the number of vectors and the direction of the sweep in the type.
///
/// A correction has two parts, so that the processor computes the root of the first while it
/// executes the second part of other springs.
#[derive(Clone, Copy)]
pub(super) struct HeldSpring<S: WideSimd, const R: usize, const REVERSED: bool> {
    pub(super) simd: S,
}

impl<S: WideSimd, const R: usize, const REVERSED: bool> HeldSpring<S, R, REVERSED> {
    /// Measures the length of the spring between two nodes: the first part.
    #[inline(always)]
    pub(super) fn measure<const D: usize>(
        &self,
        carried: &[Vector<S>; D],
        next: &[Vector<S>; D],
    ) -> SpringSpan<S, D> {
        let delta = if REVERSED { sub(*carried, *next) } else { sub(*next, *carried) };
        let square = dot(delta, delta);
        let is_odd =
            if self.multiplies() { self.is_hard_to_divide(&delta) } else { square.is_zero() };
        SpringSpan { delta, length: square.sqrt(), rough: square.rough_reciprocal_root(), is_odd }
    }

    /// Whether any of the springs is irregular.
    #[inline(always)]
    pub(super) fn any_odd<const D: usize>(&self, springs: &[SpringSpan<S, D>]) -> bool {
        let mut is_odd = springs[0].is_odd;
        for spring in &springs[1..] {
            is_odd = is_odd | spring.is_odd;
        }
        is_odd.any()
    }

    /// Moves both ends so that the spring has its rest length: the second part. With `CAREFUL`,
    /// irregular springs are correct too, and springs of length 0 stay unchanged.
    #[inline(always)]
    pub(super) fn correct<const D: usize, const CAREFUL: bool>(
        &self,
        spring: &SpringSpan<S, D>,
        carried: &mut [Vector<S>; D],
        next: &mut [Vector<S>; D],
        rest_length: Vector<S>,
        shares: Shares<Vector<S>>,
    ) {
        let SpringSpan { delta, length, rough, .. } = *spring;
        let excess = length - rest_length;
        if !CAREFUL && self.multiplies() {
            let reciprocal = length.reciprocal(rough);
            let half = length.like(HALVES.0) * excess;
            for axis in 0..D {
                let direction = quotient(delta[axis], length, reciprocal);
                // A product with half of the excess is bit-identical to half of the product,
                // because no number here is subnormal.
                let by = match shares {
                    Shares::Halves => [direction * half; 2],
                    Shares::Of(..) => shares.of(direction * excess),
                };
                (carried[axis], next[axis]) = Self::shifted(carried[axis], next[axis], by);
            }
            return;
        }
        let is_nothing = length.is_zero();
        for axis in 0..D {
            let (here, there) = (carried[axis], next[axis]);
            let by = shares.of(delta[axis] / length * excess);
            (carried[axis], next[axis]) = Self::shifted(here, there, by);
            if CAREFUL {
                carried[axis] = is_nothing.select(here, carried[axis]);
                next[axis] = is_nothing.select(there, next[axis]);
            }
        }
    }

    /// Performs both parts for springs in `R` vectors.
    #[inline(always)]
    pub(super) fn correct_all<const D: usize>(
        &self,
        carried: &mut HeldNodes<S, D, R>,
        next: &mut HeldNodes<S, D, R>,
        rest_lengths: &[Vector<S>; R],
        shares: &[Shares<Vector<S>>; R],
    ) {
        let mut springs = [self.measure(&carried[0], &next[0]); R];
        for r in 1..R {
            springs[r] = self.measure(&carried[r], &next[r]);
        }
        let is_odd = self.any_odd(&springs);
        for r in 0..R {
            let (carried, next) = (&mut carried[r], &mut next[r]);
            let (spring, rest_length, shares) = (&springs[r], rest_lengths[r], shares[r]);
            if is_odd {
                self.correct::<D, true>(spring, carried, next, rest_length, shares);
            } else {
                self.correct::<D, false>(spring, carried, next, rest_length, shares);
            }
        }
    }

    /// Whether products replace divisions. With one or two vectors each operation waits for the
    /// previous one, and a division is faster than its replacement.
    #[inline(always)]
    fn multiplies(&self) -> bool {
        S::FUSES && R > 2
    }

    /// Moves both ends of a spring towards each other.
    #[inline(always)]
    fn shifted(carried: Vector<S>, next: Vector<S>, by: [Vector<S>; 2]) -> (Vector<S>, Vector<S>) {
        if REVERSED { (carried - by[0], next + by[1]) } else { (carried + by[0], next - by[1]) }
    }

    /// Lanes whose spring has length 0, or components that are tiny but not zero.
    #[inline(always)]
    fn is_hard_to_divide<const D: usize>(&self, delta: &[Vector<S>; D]) -> Mask<S> {
        let zero = delta[0].like(0.0);
        let minimum = delta[0].like(MIN_SQUARE);
        let mut are_all_tiny = (delta[0] * delta[0]).is_below(minimum);
        let mut is_hard = are_all_tiny.and_not_equal(delta[0], zero);
        for axis in 1..D {
            let is_tiny = (delta[axis] * delta[axis]).is_below(minimum);
            is_hard = is_hard | is_tiny.and_not_equal(delta[axis], zero);
            are_all_tiny = are_all_tiny & is_tiny;
        }
        is_hard | are_all_tiny
    }
}

/// Returns the position after a step of Verlet: x + (1 - d)(x - x_last) + a dt². `keep` is 1 - d,
/// and `push` is a dt².
#[inline(always)]
pub(super) fn verlet<V: Lane>(x: V, last: V, keep: V, push: V) -> V {
    x + keep * (x - last) + push
}

/// Returns a / b, rounded, from y = [`WideSimd::reciprocal`] of b. Uses Markstein's method, a
/// product and two fused operations (Brisebarre, Muller and Raina, "Accelerating correctly rounded
/// floating-point division when the divisor is known in advance", 2004). a must be zero or not
/// tiny, and not much greater than b.
///
/// Proof: with q = a y, rounded, the remainder r = q b - a is exact if q is next to a / b and r is
/// far from the smallest numbers. Otherwise its rounding error is negligible. Before rounding, q -
/// r y is therefore a / b - (q - a / b) e, with e = b y - 1. This value rounds like a / b unless
/// the midpoint of two numbers is between the two values.
///
/// Let B be b scaled to 1..2, and measure distances in units in the last place of a / b. No
/// quotient is nearer to a midpoint than 2^-53 / B. Near a midpoint, q is one of the two adjacent
/// numbers, because a y is less than a unit off. Its error is then about 1/2, and the two values
/// are e / 2 apart. This is less than the distance of the midpoint if e < 2^-52 / B. e is at most
/// half a unit of y and slightly more, 2^-54 B + 2^-105. This is small enough for all B except 2 -
/// 2^-52, for which y is the rounded reciprocal.
///
/// The sign of the remainder is chosen so that a quotient of -0 keeps its sign.
#[inline(always)]
fn quotient<S: WideSimd>(
    number: Vector<S>,
    divisor: Vector<S>,
    reciprocal: Vector<S>,
) -> Vector<S> {
    let quotient = number * reciprocal;
    let remainder = quotient.mul_add(divisor, -number);
    remainder.negate_mul_add(reciprocal, quotient)
}
