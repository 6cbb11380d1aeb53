//! Correction of a spring by PBD or XPBD, for every lane of a vector.

use crate::lane::{Lane, LaneMask, Vector, WideSimd, length, sub};

/// Rule for the correction of a spring.
#[derive(Clone, Copy, Debug)]
pub enum Law<'a> {
    /// PBD: corrects this fraction of the excess length.
    Share(f64),
    /// XPBD: corrects each spring to the length that matches its tension. Holds the compliances of
    /// the held springs, and the maximum residual of a converged spring relative to its rest
    /// length.
    Compliance(&'a [f64], f64),
}

/// Rest length that marks a missing spring, which needs no correction.
pub(super) const ABSENT: f64 = -1.0;

/// The law for several springs at once. `GIVES` means that springs have a compliance.
#[derive(Clone, Copy)]
pub(super) struct SweptSpring<V, const GIVES: bool> {
    /// Fraction of the excess, or the tolerance.
    number: V,
    /// h².
    square: V,
}

/// Springs of a vector.
#[derive(Clone, Copy)]
pub(super) struct SpringNumbers<V> {
    /// Rest lengths, or [`ABSENT`].
    pub(super) rest: V,
    /// Weights of both ends.
    pub(super) weights: [V; 2],
    /// Compliance α, if springs have one.
    pub(super) compliance: V,
    /// Tension T, if springs have a compliance.
    pub(super) tension: V,
}

impl<S: WideSimd, const GIVES: bool> SweptSpring<Vector<S>, GIVES> {
    #[inline(always)]
    pub(super) fn new(simd: S, law: Law<'_>, h: f64) -> Self {
        let (Law::Share(number) | Law::Compliance(_, number)) = law;
        Self { number: Vector::splat(simd, number), square: Vector::splat(simd, h * h) }
    }
}

impl<V: Lane, const GIVES: bool> SweptSpring<V, GIVES> {
    /// Moves both ends of each spring and returns its tension. Exchanging the ends reverses the
    /// vector between them and both motions, which changes no bit.
    #[inline(always)]
    pub(super) fn correct<const D: usize>(
        &self,
        a: &mut [V; D],
        b: &mut [V; D],
        spring: &SpringNumbers<V>,
    ) -> V {
        let delta = sub(*b, *a);
        let (length, zero) = (length(delta), spring.rest.like(0.0));
        let excess = length - spring.rest;
        let weight = spring.weights[0] + spring.weights[1];
        let is_there = zero.is_at_most(spring.rest);
        let mut tension = spring.tension;
        let (amount, is_moved) = if GIVES {
            let own = spring.compliance * tension;
            let firm = self.square * weight + spring.compliance;
            let change = (excess - own) / firm;
            let is_moved = is_there & !length.is_zero();
            tension = is_moved.select(tension + change, tension);
            (self.square * change / length, is_moved)
        } else {
            let amount = self.number * excess / (weight * length);
            (amount, is_there & zero.is_below(length))
        };
        let by = [spring.weights[0] * amount, spring.weights[1] * amount];
        for axis in 0..D {
            a[axis] = is_moved.select(a[axis] + by[0] * delta[axis], a[axis]);
            b[axis] = is_moved.select(b[axis] - by[1] * delta[axis], b[axis]);
        }
        tension
    }

    /// Springs whose length does not match their tension. Non-finite numbers do not match.
    #[inline(always)]
    pub(super) fn is_loose<const D: usize>(
        &self,
        a: [V; D],
        b: [V; D],
        spring: &SpringNumbers<V>,
    ) -> V::Mask {
        let excess = length(sub(b, a)) - spring.rest;
        let residual = (excess - spring.compliance * spring.tension).abs();
        let is_fine = residual.is_at_most(self.number * spring.rest);
        spring.rest.is_at_least(spring.rest.like(0.0)) & !is_fine
    }
}
