//! The correction of a spring by PBD or XPBD, for every lane of a vector.

use super::{held_spring::Vector, lanes::WideSimd};

/// How a spring is corrected.
#[derive(Clone, Copy, Debug)]
pub enum Law<'a> {
    /// By this share of its excess.
    Share(f64),
    /// As far as its tension goes: compliances of the held springs, and the greatest residual of a
    /// converged one, as a share of its rest length.
    Compliance(&'a [f64], f64),
}

/// A rest length that no spring has: there is nothing to correct.
pub(super) const ABSENT: f64 = -1.0;

/// The law in vectors. `GIVES` says that springs have a compliance.
#[derive(Clone, Copy)]
pub(super) struct SweptSpring<S: WideSimd, const GIVES: bool> {
    simd: S,
    /// The share of the excess, or the tolerance.
    number: Vector<S>,
    /// h².
    square: Vector<S>,
}

/// The springs of a vector.
#[derive(Clone, Copy)]
pub(super) struct SpringNumbers<S: WideSimd> {
    /// Their rest lengths, or [`ABSENT`].
    pub(super) rest: Vector<S>,
    /// The weights of either end.
    pub(super) weights: [Vector<S>; 2],
    /// α, where springs give.
    pub(super) compliance: Vector<S>,
    /// T, where springs give.
    pub(super) tension: Vector<S>,
}

impl<S: WideSimd, const GIVES: bool> SweptSpring<S, GIVES> {
    #[inline(always)]
    pub(super) fn new(simd: S, law: Law<'_>, h: f64) -> Self {
        let number = match law {
            Law::Share(share) => share,
            Law::Compliance(_, tolerance) => tolerance,
        };
        Self { simd, number: simd.splat_f64s(number), square: simd.splat_f64s(h * h) }
    }

    /// Moves both ends of each spring and returns its tension. To take the ends for each other
    /// turns the signs of the vector between them and of both motions, which changes no bit.
    #[inline(always)]
    pub(super) fn correct<const D: usize>(
        &self,
        (a, b): (&mut [Vector<S>; D], &mut [Vector<S>; D]),
        spring: &SpringNumbers<S>,
    ) -> Vector<S> {
        let simd = self.simd;
        let zero = simd.splat_f64s(0.0);
        let (delta, length) = self.span(a, b);
        let excess = simd.sub_f64s(length, spring.rest);
        let weight = simd.add_f64s(spring.weights[0], spring.weights[1]);
        let is_there = simd.less_than_or_equal_f64s(zero, spring.rest);
        let mut tension = spring.tension;
        let (amount, is_moved) = if GIVES {
            let own = simd.mul_f64s(spring.compliance, tension);
            let firm = simd.add_f64s(simd.mul_f64s(self.square, weight), spring.compliance);
            let change = simd.div_f64s(simd.sub_f64s(excess, own), firm);
            let is_point = simd.equal_f64s(length, zero);
            let is_moved = simd.and_m64s(is_there, simd.not_m64s(is_point));
            tension = simd.select_f64s(is_moved, simd.add_f64s(tension, change), tension);
            (simd.div_f64s(simd.mul_f64s(self.square, change), length), is_moved)
        } else {
            let way = simd.mul_f64s(self.number, excess);
            let amount = simd.div_f64s(way, simd.mul_f64s(weight, length));
            (amount, simd.and_m64s(is_there, simd.less_than_f64s(zero, length)))
        };
        let [weight, other] = spring.weights;
        let by = [simd.mul_f64s(weight, amount), simd.mul_f64s(other, amount)];
        for axis in 0..D {
            let moved = simd.add_f64s(a[axis], simd.mul_f64s(by[0], delta[axis]));
            a[axis] = simd.select_f64s(is_moved, moved, a[axis]);
            let moved = simd.sub_f64s(b[axis], simd.mul_f64s(by[1], delta[axis]));
            b[axis] = simd.select_f64s(is_moved, moved, b[axis]);
        }
        tension
    }

    /// Springs that are not as long as their tension makes them. Numbers that are not finite are
    /// not.
    #[inline(always)]
    pub(super) fn is_loose<const D: usize>(
        &self,
        (a, b): (&[Vector<S>; D], &[Vector<S>; D]),
        spring: &SpringNumbers<S>,
    ) -> S::m64s {
        let simd = self.simd;
        let excess = simd.sub_f64s(self.span(a, b).1, spring.rest);
        let own = simd.mul_f64s(spring.compliance, spring.tension);
        let residual = simd.abs_f64s(simd.sub_f64s(excess, own));
        let most = simd.mul_f64s(self.number, spring.rest);
        let is_fine = simd.less_than_or_equal_f64s(residual, most);
        let is_there = simd.less_than_or_equal_f64s(simd.splat_f64s(0.0), spring.rest);
        simd.and_m64s(is_there, simd.not_m64s(is_fine))
    }

    /// The vectors from one end to the other and their lengths.
    #[inline(always)]
    fn span<const D: usize>(
        &self,
        a: &[Vector<S>; D],
        b: &[Vector<S>; D],
    ) -> ([Vector<S>; D], Vector<S>) {
        let simd = self.simd;
        let mut delta = *b;
        for axis in 0..D {
            delta[axis] = simd.sub_f64s(b[axis], a[axis]);
        }
        let mut square = simd.mul_f64s(delta[0], delta[0]);
        for more in &delta[1..] {
            square = simd.add_f64s(square, simd.mul_f64s(*more, *more));
        }
        (delta, simd.sqrt_f64s(square))
    }
}
