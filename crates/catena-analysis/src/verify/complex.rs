//! Complex numbers, and the roots of a polynomial.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Complex {
    pub(super) re: f64,
    pub(super) im: f64,
}

/// Converts a real number into a complex one.
pub(super) fn real(re: f64) -> Complex {
    Complex { re, im: 0.0 }
}

impl Complex {
    pub(super) fn modulus(self) -> f64 {
        (self.re * self.re + self.im * self.im).sqrt()
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Neg for Complex {
    type Output = Self;

    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl Div for Complex {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let square = other.re * other.re + other.im * other.im;
        let product = self * Self { re: other.re, im: -other.im };
        Self { re: product.re / square, im: product.im / square }
    }
}

/// All roots of ρⁿ + c₁ ρⁿ⁻¹ + … + c_n (Durand 1960, Kerner 1966).
pub(super) fn roots(coefficients: &[Complex]) -> Vec<Complex> {
    let value = |at: Complex| coefficients.iter().fold(real(1.0), |sum, c| sum * at + *c);
    let seed = Complex { re: 0.4, im: 0.9 };
    let first = std::iter::successors(Some(real(1.0)), |power| Some(*power * seed));
    let mut roots: Vec<Complex> = first.take(coefficients.len()).collect();
    for _ in 0..200 {
        let mut change = 0.0_f64;
        for i in 0..roots.len() {
            let others = (0..roots.len()).filter(|&j| j != i);
            let product = others.fold(real(1.0), |product, j| product * (roots[i] - roots[j]));
            let step = value(roots[i]) / product;
            roots[i] = roots[i] - step;
            change = change.max(step.modulus());
        }
        if change < 1e-15 {
            break;
        }
    }
    roots
}
