//! Numbers and vectors of numbers behind one trait, so that each formula is written once.
//!
//! A formula over [`Lane`] takes one number or a vector of them. Vectors round like plain numbers,
//! so both give the same bits. Everything here must be inlined into the work that uses it;
//! otherwise it is compiled for the baseline instructions.

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

/// One number, or a vector of numbers with the operators of one.
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

    /// Repeats a number, in a vector of the width of this one.
    fn like(self, number: f64) -> Self;

    /// Square roots.
    fn sqrt(self) -> Self;

    /// Absolute values.
    fn abs(self) -> Self;

    /// Whether both are equal.
    fn equals(self, other: Self) -> Self::Mask;

    /// Whether this is less than the other.
    fn is_below(self, other: Self) -> Self::Mask;

    /// Whether this is at most the other.
    fn is_at_most(self, other: Self) -> Self::Mask;

    /// Whether this is greater than the other.
    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        other.is_below(self)
    }

    /// Whether this is at least the other.
    #[inline(always)]
    fn is_at_least(self, other: Self) -> Self::Mask {
        other.is_at_most(self)
    }

    /// Whether this is zero of either sign.
    #[inline(always)]
    fn is_zero(self) -> Self::Mask {
        self.equals(self.like(0.0))
    }

    /// The greater number; this one if both are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        other.is_above(self).select(other, self)
    }

    /// The lesser number; this one if both are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.is_above(other).select(other, self)
    }
}

/// Truth values, one per number of a [`Lane`].
pub trait LaneMask<V>:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// `then` where this holds, `otherwise` elsewhere.
    fn select(self, then: V, otherwise: V) -> V;

    /// Whether this holds anywhere.
    fn any(self) -> bool;

    /// [`LaneMask::select`] for each component.
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

/// a + b.
#[inline(always)]
pub fn add<V: Lane, const A: usize>(mut a: [V; A], b: [V; A]) -> [V; A] {
    for axis in 0..A {
        a[axis] += b[axis];
    }
    a
}

/// a - b.
#[inline(always)]
pub fn sub<V: Lane, const A: usize>(mut a: [V; A], b: [V; A]) -> [V; A] {
    for axis in 0..A {
        a[axis] -= b[axis];
    }
    a
}

/// a s.
#[inline(always)]
pub fn scaled<V: Lane, const A: usize>(mut a: [V; A], s: V) -> [V; A] {
    for axis in 0..A {
        a[axis] = a[axis] * s;
    }
    a
}

/// a / s.
#[inline(always)]
pub fn divided<V: Lane, const A: usize>(mut a: [V; A], s: V) -> [V; A] {
    for axis in 0..A {
        a[axis] = a[axis] / s;
    }
    a
}

/// a + s b.
#[inline(always)]
pub fn along<V: Lane, const A: usize>(mut a: [V; A], s: V, b: [V; A]) -> [V; A] {
    for axis in 0..A {
        a[axis] += s * b[axis];
    }
    a
}

/// Σ a b, from the first component to the last.
#[inline(always)]
pub fn dot<V: Lane, const A: usize>(a: [V; A], b: [V; A]) -> V {
    let mut sum = a[0] * b[0];
    for axis in 1..A {
        sum += a[axis] * b[axis];
    }
    sum
}

/// Length of a vector whose squares neither overflow nor vanish.
#[inline(always)]
pub fn length<V: Lane, const A: usize>(a: [V; A]) -> V {
    dot(a, a).sqrt()
}

/// Largest magnitude of a component.
#[inline(always)]
pub fn greatest<V: Lane, const A: usize>(a: [V; A]) -> V {
    let mut greatest = a[0].abs();
    for component in &a[1..] {
        greatest = greatest.larger(component.abs());
    }
    greatest
}
