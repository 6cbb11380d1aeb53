//! One trait for numbers and vectors of numbers, so that each formula is written once.
//!
//! A formula over [`Lane`] takes plain numbers or vectors of numbers. Vectors round like plain
//! numbers, so results are bit-identical. All functions of this module must be inlined into their
//! callers; otherwise they are compiled for the baseline instructions.

#![allow(
    clippy::needless_range_loop,
    reason = "a call of an iterator that is not inlined would be compiled for the baseline"
)]

mod row;
mod simd;
mod vector;

pub use row::{CacheLine, LaneRow, WIDTH};
pub use simd::{WideSimd, WideWork};
pub use vector::{Mask, Vector};

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

/// One number, or a vector of numbers with the operators of a number.
pub trait Lane:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// The result of a comparison, one truth value per number.
    type Mask: LaneMask<Self>;

    /// Returns `number` repeated in all lanes of a vector with the width of `self`.
    fn like(self, number: f64) -> Self;

    /// Returns the square root of each number.
    fn sqrt(self) -> Self;

    /// Returns the absolute value of each number.
    fn abs(self) -> Self;

    /// Whether `self` and `other` are equal.
    fn equals(self, other: Self) -> Self::Mask;

    /// Whether `self` is less than `other`.
    fn is_below(self, other: Self) -> Self::Mask;

    /// Whether `self` is at most `other`.
    fn is_at_most(self, other: Self) -> Self::Mask;

    /// Whether `self` is greater than `other`.
    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        other.is_below(self)
    }

    /// Whether `self` is at least `other`.
    #[inline(always)]
    fn is_at_least(self, other: Self) -> Self::Mask {
        other.is_at_most(self)
    }

    /// Whether `self` is zero, with either sign.
    #[inline(always)]
    fn is_zero(self) -> Self::Mask {
        self.equals(self.like(0.0))
    }

    /// Returns the larger number; `self` if both are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        other.is_above(self).select(other, self)
    }

    /// Returns the smaller number; `self` if both are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.is_above(other).select(other, self)
    }
}

/// Truth values, one per number of a [`Lane`].
pub trait LaneMask<V>:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Returns `then` where this mask is true, `otherwise` elsewhere.
    fn select(self, then: V, otherwise: V) -> V;

    /// Whether any value is true.
    fn any(self) -> bool;

    /// Applies [`LaneMask::select`] to each component.
    #[inline(always)]
    fn choose<const A: usize>(self, then: [V; A], otherwise: [V; A]) -> [V; A]
    where
        V: Copy,
    {
        let mut chosen = then;
        for axis in 0..A {
            chosen[axis] = self.select(then[axis], otherwise[axis]);
        }
        chosen
    }
}

impl Lane for f64 {
    type Mask = bool;

    #[inline(always)]
    fn like(self, number: f64) -> Self {
        number
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn is_below(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn is_at_most(self, other: Self) -> bool {
        self <= other
    }
}

impl LaneMask<f64> for bool {
    #[inline(always)]
    fn select(self, then: f64, otherwise: f64) -> f64 {
        if self { then } else { otherwise }
    }

    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}

/// Returns a + b.
#[inline(always)]
pub fn add<V: Lane, const A: usize>(mut a: [V; A], b: [V; A]) -> [V; A] {
    for axis in 0..A {
        a[axis] += b[axis];
    }
    a
}

/// Returns a - b.
#[inline(always)]
pub fn sub<V: Lane, const A: usize>(mut a: [V; A], b: [V; A]) -> [V; A] {
    for axis in 0..A {
        a[axis] -= b[axis];
    }
    a
}

/// Returns a s.
#[inline(always)]
pub fn scaled<V: Lane, const A: usize>(mut a: [V; A], s: V) -> [V; A] {
    for axis in 0..A {
        a[axis] = a[axis] * s;
    }
    a
}

/// Returns a / s.
#[inline(always)]
pub fn divided<V: Lane, const A: usize>(mut a: [V; A], s: V) -> [V; A] {
    for axis in 0..A {
        a[axis] = a[axis] / s;
    }
    a
}

/// Returns a + s b.
#[inline(always)]
pub fn along<V: Lane, const A: usize>(mut a: [V; A], s: V, b: [V; A]) -> [V; A] {
    for axis in 0..A {
        a[axis] += s * b[axis];
    }
    a
}

/// Returns the dot product, summed from the first component to the last.
#[inline(always)]
pub fn dot<V: Lane, const A: usize>(a: [V; A], b: [V; A]) -> V {
    let mut sum = a[0] * b[0];
    for axis in 1..A {
        sum += a[axis] * b[axis];
    }
    sum
}

/// Returns the length of a vector whose squares neither overflow nor underflow.
#[inline(always)]
pub fn length<V: Lane, const A: usize>(a: [V; A]) -> V {
    dot(a, a).sqrt()
}

/// Returns the largest magnitude of a component.
#[inline(always)]
pub fn greatest<V: Lane, const A: usize>(a: [V; A]) -> V {
    let mut greatest = a[0].abs();
    for component in &a[1..] {
        greatest = greatest.larger(component.abs());
    }
    greatest
}
