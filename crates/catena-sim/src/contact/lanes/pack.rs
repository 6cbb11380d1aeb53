//! Several numbers at a time, with the operators of one: what is written with them rounds as plain
//! numbers do.

use pulp::Simd;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// A vector of numbers.
#[derive(Clone, Copy)]
pub(super) struct Pack<S: Simd> {
    simd: S,
    numbers: S::f64s,
}

/// A truth for each of them.
#[derive(Clone, Copy)]
pub(super) struct Mask<S: Simd> {
    simd: S,
    truths: S::m64s,
}

/// Points or directions.
pub(super) type Packs<S> = [Pack<S>; 3];

impl<S: Simd> Pack<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, numbers: S::f64s) -> Self {
        Self { simd, numbers }
    }

    #[inline(always)]
    pub(super) fn numbers(self) -> S::f64s {
        self.numbers
    }

    /// The same number everywhere.
    #[inline(always)]
    pub(super) fn all(simd: S, value: f64) -> Self {
        Self::new(simd, simd.splat_f64s(value))
    }

    /// The same number in all places of a vector as wide as this one.
    #[inline(always)]
    pub(super) fn like(self, value: f64) -> Self {
        Self::all(self.simd, value)
    }

    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        Self::new(self.simd, self.simd.sqrt_f64s(self.numbers))
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        Self::new(self.simd, self.simd.abs_f64s(self.numbers))
    }

    /// The greater ones; these where both are the same.
    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        other.is_above(self).either(other, self)
    }

    /// The lesser ones; these where both are the same.
    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        self.is_above(other).either(other, self)
    }

    #[inline(always)]
    pub(super) fn is_above(self, other: Self) -> Mask<S> {
        let truths = self.simd.greater_than_f64s(self.numbers, other.numbers);
        Mask { simd: self.simd, truths }
    }

    #[inline(always)]
    pub(super) fn is_at_least(self, other: Self) -> Mask<S> {
        let truths = self.simd.greater_than_or_equal_f64s(self.numbers, other.numbers);
        Mask { simd: self.simd, truths }
    }
}

impl<S: Simd> Mask<S> {
    /// The first numbers where this holds, the second ones elsewhere.
    #[inline(always)]
    pub(super) fn either(self, first: Pack<S>, second: Pack<S>) -> Pack<S> {
        let numbers = self.simd.select_f64s(self.truths, first.numbers, second.numbers);
        Pack::new(self.simd, numbers)
    }

    /// The same for vectors.
    #[inline(always)]
    pub(super) fn choose(self, first: Packs<S>, second: Packs<S>) -> Packs<S> {
        [
            self.either(first[0], second[0]),
            self.either(first[1], second[1]),
            self.either(first[2], second[2]),
        ]
    }

    /// Where this does not hold.
    #[inline(always)]
    pub(super) fn not(self) -> Self {
        let zero = self.simd.splat_f64s(0.0);
        let truths = self.simd.xor_m64s(self.truths, self.simd.equal_f64s(zero, zero));
        Self { truths, ..self }
    }

    /// Whether it holds anywhere.
    #[inline(always)]
    pub(super) fn any(self) -> bool {
        self.simd.first_true_m64s(self.truths) < S::F64_LANES
    }
}

impl<S: Simd> BitAnd for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self { truths: self.simd.and_m64s(self.truths, other.truths), ..self }
    }
}

impl<S: Simd> BitOr for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self { truths: self.simd.or_m64s(self.truths, other.truths), ..self }
    }
}

impl<S: Simd> Add for Pack<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.simd, self.simd.add_f64s(self.numbers, other.numbers))
    }
}

impl<S: Simd> Sub for Pack<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.simd, self.simd.sub_f64s(self.numbers, other.numbers))
    }
}

impl<S: Simd> Mul for Pack<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::new(self.simd, self.simd.mul_f64s(self.numbers, other.numbers))
    }
}

impl<S: Simd> Div for Pack<S> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self::new(self.simd, self.simd.div_f64s(self.numbers, other.numbers))
    }
}

impl<S: Simd> Neg for Pack<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(self.simd, self.simd.neg_f64s(self.numbers))
    }
}

/// a + b.
#[inline(always)]
pub(super) fn add<S: Simd>(a: Packs<S>, b: Packs<S>) -> Packs<S> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a - b.
#[inline(always)]
pub(super) fn sub<S: Simd>(a: Packs<S>, b: Packs<S>) -> Packs<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// s a.
#[inline(always)]
pub(super) fn scaled<S: Simd>(a: Packs<S>, s: Pack<S>) -> Packs<S> {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// a + s b.
#[inline(always)]
pub(super) fn along<S: Simd>(a: Packs<S>, s: Pack<S>, b: Packs<S>) -> Packs<S> {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// a / s.
#[inline(always)]
pub(super) fn divided<S: Simd>(a: Packs<S>, s: Pack<S>) -> Packs<S> {
    [a[0] / s, a[1] / s, a[2] / s]
}

/// Σ a b.
#[inline(always)]
pub(super) fn dot<S: Simd>(a: Packs<S>, b: Packs<S>) -> Pack<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The largest magnitude of a component.
#[inline(always)]
pub(super) fn greatest<S: Simd>(a: Packs<S>) -> Pack<S> {
    a[0].abs().max(a[1].abs()).max(a[2].abs())
}

/// Length of a vector whose squares may overflow or vanish.
#[inline(always)]
pub(super) fn length<S: Simd>(a: Packs<S>) -> Pack<S> {
    let scale = greatest(a);
    let unit = divided(a, scale);
    let size = scale * dot(unit, unit).sqrt();
    scale.is_above(scale.like(0.0)).either(size, scale)
}
