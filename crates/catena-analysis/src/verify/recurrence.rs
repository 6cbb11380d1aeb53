//! Recurrence of each method on u'' + ω² u = 0, derived by hand: a polynomial whose roots are the
//! factors per step.
//!
//! With x = ωh the problem is u' = iω u, so slopes become multiplications by z = ix. A one-step
//! method has one root R(z); Adams methods have one root per stored slope. Growth is the modulus of
//! the largest root. The limit on the imaginary axis is the largest x up to which no modulus
//! exceeds 1. Source: Hairer, Nørsett, Wanner, "Solving Ordinary Differential Equations" I, III.3,
//! and II, IV.2 and V.1.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Properties of a method and its recurrence.
pub(super) struct Recurrence {
    /// Name of the method in scenes.
    pub(super) name: &'static str,
    /// Order of its global error.
    pub(super) order: u32,
    /// Whether motions grow with every step size, so that the limit is 0.
    pub(super) always_grows: bool,
    /// Value of x at which growth is checked. At large x, spurious roots of Adams methods dominate.
    /// Implicit Euler at x = 1 reaches u = 0, where a spring has no direction.
    pub(super) at: f64,
    /// Coefficients of the polynomial at x after the leading 1, highest power first.
    polynomial: fn(f64) -> Vec<Complex>,
}

const fn entry(
    name: &'static str,
    order: u32,
    always_grows: bool,
    at: f64,
    polynomial: fn(f64) -> Vec<Complex>,
) -> Recurrence {
    Recurrence { name, order, always_grows, at, polynomial }
}

/// All methods that integrate springs: name, order, whether they always grow, x, recurrence.
pub(super) const METHODS: &[Recurrence] = &[
    entry("ExplicitEuler", 1, true, 1.0, |x| taylor(&[1.0], x)),
    entry("SemiImplicitEuler", 1, false, 1.0, verlet),
    entry("ForceVerlet", 1, false, 1.0, verlet),
    entry("PositionVerlet", 2, false, 1.0, verlet),
    entry("VelocityVerlet", 2, false, 1.0, verlet),
    entry("Leapfrog", 2, false, 1.0, verlet),
    entry("StormerVerlet", 2, false, 1.0, verlet),
    entry("Yoshida4", 4, false, 1.0, yoshida),
    entry("Midpoint", 2, true, 1.0, |x| taylor(&[1.0, 2.0], x)),
    entry("Heun", 2, true, 1.0, |x| taylor(&[1.0, 2.0], x)),
    entry("Rk4", 4, false, 1.0, |x| taylor(&[1.0, 2.0, 6.0, 24.0], x)),
    entry("DormandPrince", 5, false, 1.0, |x| taylor(&[1.0, 2.0, 6.0, 24.0, 120.0, 600.0], x)),
    // After z⁸: 1/(bᵀA⁸1) to 1/(bᵀA¹¹1), from the coefficients with 30 digits.
    entry("DormandPrince8", 8, false, 4.0, |x| {
        let (low, mid) = ([1.0, 2.0, 6.0, 24.0, 120.0, 720.0], [5040.0, 40320.0]);
        let high = [
            371_513.503_638_039_45,
            4_271_049.135_360_535,
            66_901_424.413_469_04,
            2_767_534_381.087_942,
        ];
        taylor(&[&low[..], &mid, &high].concat(), x)
    }),
    entry("AdamsBashforth2", 2, true, 0.25, |x| adams(BASHFORTH[0], None, x)),
    entry("AdamsBashforth3", 3, false, 0.25, |x| adams(BASHFORTH[1], None, x)),
    entry("AdamsBashforth4", 4, false, 0.25, |x| adams(BASHFORTH[2], None, x)),
    entry("AdamsBashforthMoulton2", 2, false, 0.25, |x| adams(BASHFORTH[0], Some(MOULTON[0]), x)),
    entry("AdamsBashforthMoulton3", 3, true, 0.25, |x| adams(BASHFORTH[1], Some(MOULTON[1]), x)),
    entry("AdamsBashforthMoulton4", 4, true, 0.25, |x| adams(BASHFORTH[2], Some(MOULTON[2]), x)),
    entry("LectureAdamsBashforth2", 1, false, 0.25, |x| lecture(BASHFORTH[0], x)),
    entry("LectureAdamsBashforth3", 1, false, 0.25, |x| lecture(BASHFORTH[1], x)),
    entry("LecturePredictorCorrector", 2, false, 0.5, predicted_by_euler),
    entry("ImplicitEuler", 1, false, 0.5, |x| vec![-(real(1.0) / (real(1.0) - z(x)))]),
    entry("ImplicitMidpoint", 2, false, 1.0, |x| {
        vec![-((real(1.0) + z(0.5 * x)) / (real(1.0) - z(0.5 * x)))]
    }),
];

fn z(x: f64) -> Complex {
    Complex { re: 0.0, im: x }
}

/// R(z) = 1 + Σ z^j / d_j, the polynomial of an explicit Runge-Kutta method.
fn taylor(divisors: &[f64], x: f64) -> Vec<Complex> {
    let mut power = real(1.0);
    let mut sum = real(1.0);
    for divisor in divisors {
        power = power * z(x);
        sum = sum + power * real(1.0 / divisor);
    }
    vec![-sum]
}

/// Recurrence u(n+1) - (2 - x²) u(n) + u(n-1) = 0.
fn verlet(x: f64) -> Vec<Complex> {
    vec![real(x * x - 2.0), real(1.0)]
}

/// Three drift-kick-drift steps of w₁ x, w₀ x, w₁ x, each a matrix of determinant 1. The polynomial
/// needs only the trace of their product.
fn yoshida(x: f64) -> Vec<Complex> {
    let outer = 1.0 / (2.0 - libm::cbrt(2.0));
    let mut product = [[1.0, 0.0], [0.0, 1.0]];
    for weight in [outer, 1.0 - 2.0 * outer, outer] {
        let a = weight * x;
        let diagonal = 1.0 - 0.5 * a * a;
        let step = [[diagonal, a * (1.0 - 0.25 * a * a)], [-a, diagonal]];
        product =
            [0, 1].map(|i| [0, 1].map(|j| product[i][0] * step[0][j] + product[i][1] * step[1][j]));
    }
    vec![real(-(product[0][0] + product[1][1])), real(1.0)]
}

/// Weights of slopes, newest first (Adams and Bashforth 1883). They deliberately duplicate the
/// methods' weights, so that the check is independent of the checked code.
const BASHFORTH: [&[f64]; 3] = [
    &[3.0 / 2.0, -1.0 / 2.0],
    &[23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0],
    &[55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0],
];

/// Weights of correctors, starting with the slope at the new time (Moulton 1926).
const MOULTON: [&[f64]; 3] = [
    &[1.0 / 2.0, 1.0 / 2.0],
    &[5.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0],
    &[9.0 / 24.0, 19.0 / 24.0, -5.0 / 24.0, 1.0 / 24.0],
];

/// Recurrence u' = u + z Σ b_j u_j. With a corrector it is u' = u + z (c_0 p + Σ c_{j+1} u_j),
/// where p is the prediction of the first formula.
fn adams(bashforth: &[f64], moulton: Option<&[f64]>, x: f64) -> Vec<Complex> {
    let newest = |j: usize| real(if j == 0 { 1.0 } else { 0.0 });
    let predicted = |j: usize| newest(j) + z(x) * real(bashforth[j]);
    let coefficient = |j: usize| match moulton {
        None => predicted(j),
        Some(weights) => {
            let past = real(weights.get(j + 1).copied().unwrap_or(0.0));
            newest(j) + z(x) * (real(weights[0]) * predicted(j) + past)
        }
    };
    (0..bashforth.len()).map(|j| -coefficient(j)).collect()
}

/// Recurrence of v' = v + h Σ b_j a_j, x' = x + h v': u(n+1) - 2 u(n) + u(n-1) + x² Σ b_j u(n-j) =
/// 0.
fn lecture(bashforth: &[f64], x: f64) -> Vec<Complex> {
    let verlet = |j: usize| [-2.0, 1.0].get(j).copied().unwrap_or(0.0);
    bashforth.iter().enumerate().map(|(j, weight)| real(verlet(j) + x * x * weight)).collect()
}

/// Recurrence from the trace and the determinant of a step: semi-implicit Euler predicts it, and
/// the trapezoidal rule corrects it.
fn predicted_by_euler(x: f64) -> Vec<Complex> {
    let square = x * x;
    vec![real(square - 2.0 - 0.25 * square * square), real(1.0 - 0.25 * square * square)]
}

impl Recurrence {
    /// Growth per step at x.
    pub(super) fn growth(&self, x: f64) -> f64 {
        roots(&(self.polynomial)(x)).iter().map(|root| root.modulus()).fold(0.0, f64::max)
    }

    /// Limit on the imaginary axis by the polynomial; infinite if there is none up to 10.
    pub(super) fn limit(&self) -> f64 {
        let excess = |x: f64| self.growth(x) - (1.0 + 1e-9);
        // The samples avoid 2 itself: there the roots of Verlet coincide and lose half of their
        // digits.
        let steps = (1..1000).map(|i| 0.01 * f64::from(i) + 0.003);
        let Some(above) = steps.into_iter().find(|&x| excess(x) > 0.0) else {
            return f64::INFINITY;
        };
        super::formula::bisect(above - 0.01, above, excess)
    }
}

/// Complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Complex {
    pub(super) re: f64,
    pub(super) im: f64,
}

/// Converts a real number into a complex one.
fn real(re: f64) -> Complex {
    Complex { re, im: 0.0 }
}

impl Complex {
    fn modulus(self) -> f64 {
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
fn roots(coefficients: &[Complex]) -> Vec<Complex> {
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
