//! Vectors of the current instruction set, with the operators of a number.

use super::{Lane, LaneMask, WideSimd};
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

/// Numbers of one vector of the instruction set.
#[derive(Clone, Copy)]
pub struct Vector<S: WideSimd> {
    simd: S,
    numbers: S::f64s,
}

/// Truth values, one per number of a vector.
#[derive(Clone, Copy)]
pub struct Mask<S: WideSimd> {
    simd: S,
    truths: S::m64s,
}

impl<S: WideSimd> Vector<S> {
    /// Wraps numbers of the instructions' own type.
    #[inline(always)]
    pub fn new(simd: S, numbers: S::f64s) -> Self {
        Self { simd, numbers }
    }

    /// Repeats a number.
    #[inline(always)]
    pub fn splat(simd: S, number: f64) -> Self {
        Self { simd, numbers: simd.splat_f64s(number) }
    }

    /// Repeats each component of a point or direction.
    #[inline(always)]
    pub fn splat_all<const A: usize>(simd: S, numbers: [f64; A]) -> [Self; A] {
        let mut all = [Self::splat(simd, 0.0); A];
        for axis in 0..A {
            all[axis] = Self::splat(simd, numbers[axis]);
        }
        all
    }

    /// Wraps the components of a point or direction.
    #[inline(always)]
    pub fn wrap<const A: usize>(simd: S, numbers: [S::f64s; A]) -> [Self; A] {
        let mut all = [Self::splat(simd, 0.0); A];
        for axis in 0..A {
            all[axis].numbers = numbers[axis];
        }
        all
    }

    /// Components of a point or direction in the instructions' own type.
    #[inline(always)]
    pub fn bare<const A: usize>(all: [Self; A]) -> [S::f64s; A] {
        let mut numbers = [all[0].numbers; A];
        for axis in 0..A {
            numbers[axis] = all[axis].numbers;
        }
        numbers
    }

    /// Numbers in the instructions' own type.
    #[inline(always)]
    pub fn numbers(self) -> S::f64s {
        self.numbers
    }

    /// Loads vector `i` of `numbers`, counted in whole vectors.
    #[inline(always)]
    pub fn load(simd: S, numbers: &[f64], i: usize) -> Self {
        Self { simd, numbers: S::as_simd_f64s(numbers).0[i] }
    }

    /// Stores this vector as vector `i` of `numbers`, counted in whole vectors.
    #[inline(always)]
    pub fn store(self, numbers: &mut [f64], i: usize) {
        S::as_mut_simd_f64s(numbers).0[i] = self.numbers;
    }

    /// Loads the vector that starts at index `first` of `numbers`.
    #[inline(always)]
    pub fn read(simd: S, numbers: &[f64], first: usize) -> Self {
        Self::load(simd, &numbers[first..first + S::F64_LANES], 0)
    }

    /// Stores this vector at the indices of `numbers` from `first` on.
    #[inline(always)]
    pub fn write(self, numbers: &mut [f64], first: usize) {
        self.store(&mut numbers[first..first + S::F64_LANES], 0);
    }

    /// The first number.
    #[inline(always)]
    pub fn first(self) -> f64 {
        pulp::bytemuck::cast_slice::<S::f64s, f64>(&[self.numbers])[0]
    }

    /// The last number.
    #[inline(always)]
    pub fn last(self) -> f64 {
        pulp::bytemuck::cast_slice::<S::f64s, f64>(&[self.numbers])[S::F64_LANES - 1]
    }

    /// Returns the value one place before each value; the first result is the last value of
    /// `previous`.
    #[inline(always)]
    pub fn before(self, previous: Self) -> Self {
        Self { numbers: self.simd.before(previous.numbers, self.numbers), ..self }
    }

    /// Returns the value one place after each value; the last result is the first value of `next`.
    #[inline(always)]
    pub fn after(self, next: Self) -> Self {
        Self { numbers: self.simd.after(self.numbers, next.numbers), ..self }
    }

    /// Returns the value two places before each value; the first two results are from `previous`.
    #[inline(always)]
    pub fn two_before(self, previous: Self) -> Self {
        Self { numbers: self.simd.two_before(previous.numbers, self.numbers), ..self }
    }

    /// Returns the value two places after each value; the last two results are from `next`.
    #[inline(always)]
    pub fn two_after(self, next: Self) -> Self {
        Self { numbers: self.simd.two_after(self.numbers, next.numbers), ..self }
    }

    /// Applies [`WideSimd::rough_reciprocal_root`].
    #[inline(always)]
    pub fn rough_reciprocal_root(self) -> Self {
        Self { numbers: self.simd.rough_reciprocal_root(self.numbers), ..self }
    }

    /// Applies [`WideSimd::reciprocal`].
    #[inline(always)]
    pub fn reciprocal(self, rough: Self) -> Self {
        Self { numbers: self.simd.reciprocal(self.numbers, rough.numbers), ..self }
    }

    /// Returns self b + c, with one rounding if [`WideSimd::FUSES`].
    #[inline(always)]
    pub fn mul_add(self, b: Self, c: Self) -> Self {
        Self { numbers: self.simd.mul_add_f64s(self.numbers, b.numbers, c.numbers), ..self }
    }

    /// Returns c - self b, with one rounding if [`WideSimd::FUSES`].
    #[inline(always)]
    pub fn negate_mul_add(self, b: Self, c: Self) -> Self {
        Self { numbers: self.simd.negate_mul_add_f64s(self.numbers, b.numbers, c.numbers), ..self }
    }

    #[inline(always)]
    fn mask(self, truths: S::m64s) -> Mask<S> {
        Mask { simd: self.simd, truths }
    }
}

impl<S: WideSimd> Mask<S> {
    /// Returns the lanes where this mask is true and two vectors differ.
    #[inline(always)]
    pub fn and_not_equal(self, left: Vector<S>, right: Vector<S>) -> Self {
        let truths = self.simd.and_not_equal(self.truths, left.numbers, right.numbers);
        Self { truths, ..self }
    }
}

impl<S: WideSimd> Lane for Vector<S> {
    type Mask = Mask<S>;

    #[inline(always)]
    fn like(self, number: f64) -> Self {
        Self::splat(self.simd, number)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self { numbers: self.simd.sqrt_f64s(self.numbers), ..self }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self { numbers: self.simd.abs_f64s(self.numbers), ..self }
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Mask<S> {
        self.mask(self.simd.equal_f64s(self.numbers, other.numbers))
    }

    #[inline(always)]
    fn is_below(self, other: Self) -> Mask<S> {
        self.mask(self.simd.less_than_f64s(self.numbers, other.numbers))
    }

    #[inline(always)]
    fn is_at_most(self, other: Self) -> Mask<S> {
        self.mask(self.simd.less_than_or_equal_f64s(self.numbers, other.numbers))
    }
}

impl<S: WideSimd> LaneMask<Vector<S>> for Mask<S> {
    #[inline(always)]
    fn select(self, then: Vector<S>, otherwise: Vector<S>) -> Vector<S> {
        let numbers = self.simd.select_f64s(self.truths, then.numbers, otherwise.numbers);
        Vector { simd: self.simd, numbers }
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.simd.any(self.truths)
    }
}

/// Implements an operator of vectors or masks by a function of the instruction set.
macro_rules! operator {
    ($type:ident, $field:ident: $($trait:ident::$method:ident = $simd:ident),*) => {$(
        impl<S: WideSimd> $trait for $type<S> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self { $field: self.simd.$simd(self.$field, other.$field), ..self }
            }
        }
    )*};
}

operator!(Vector, numbers: Add::add = add_f64s, Sub::sub = sub_f64s);
operator!(Vector, numbers: Mul::mul = mul_f64s, Div::div = div_f64s);
operator!(Mask, truths: BitAnd::bitand = and_m64s, BitOr::bitor = or_m64s);

impl<S: WideSimd> Neg for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { numbers: self.simd.neg_f64s(self.numbers), ..self }
    }
}

impl<S: WideSimd> Not for Mask<S> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self { truths: self.simd.not_m64s(self.truths), ..self }
    }
}

impl<S: WideSimd> AddAssign for Vector<S> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<S: WideSimd> SubAssign for Vector<S> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
