//! A vector of numbers, one a lane, with the operators of a number, for arithmetic that reads like
//! that of the plain loop.

use super::lanes::CacheLine;
use pulp::Simd;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// Numbers of as many lanes as a vector has.
#[derive(Clone, Copy)]
pub struct Vector<S: Simd> {
    simd: S,
    numbers: S::f64s,
}

impl<S: Simd> Vector<S> {
    /// The same number in all lanes.
    #[inline(always)]
    pub fn splat(simd: S, number: f64) -> Self {
        Self { simd, numbers: simd.splat_f64s(number) }
    }

    /// The vector of a line, the `part`-th.
    #[inline(always)]
    pub fn read(simd: S, line: &CacheLine, part: usize) -> Self {
        Self { simd, numbers: line.vectors::<S>()[part] }
    }

    /// Writes it to a line, as the `part`-th vector.
    #[inline(always)]
    pub fn write(self, line: &mut CacheLine, part: usize) {
        line.vectors_mut::<S>()[part] = self.numbers;
    }

    /// Square roots.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self { numbers: self.simd.sqrt_f64s(self.numbers), ..self }
    }

    /// Absolute values.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Self { numbers: self.simd.abs_f64s(self.numbers), ..self }
    }

    /// Quotients.
    #[inline(always)]
    pub fn over(self, other: Self) -> Self {
        Self { numbers: self.simd.div_f64s(self.numbers, other.numbers), ..self }
    }

    /// `then` in the lanes in which this is 0, `otherwise` in the others.
    #[inline(always)]
    pub fn where_zero(self, then: Self, otherwise: Self) -> Self {
        let is_zero = self.simd.equal_f64s(self.numbers, self.simd.splat_f64s(0.0));
        let numbers = self.simd.select_f64s(is_zero, then.numbers, otherwise.numbers);
        Self { numbers, ..self }
    }
}

impl<S: Simd> Add for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { numbers: self.simd.add_f64s(self.numbers, other.numbers), ..self }
    }
}

impl<S: Simd> Sub for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { numbers: self.simd.sub_f64s(self.numbers, other.numbers), ..self }
    }
}

impl<S: Simd> Mul for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { numbers: self.simd.mul_f64s(self.numbers, other.numbers), ..self }
    }
}

impl<S: Simd> AddAssign for Vector<S> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: Simd> SubAssign for Vector<S> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
