//! Slowest modes about an equilibrium, by subspace iteration on K u = ω² M u.
//!
//! The matrix K + s M is positive definite, with s = 0 at a stable equilibrium. Each iteration
//! solves it for all vectors of a subspace, which turns towards the eigenvectors of the smallest
//! ω². Source: Bathe, "Finite Element Procedures", 11.6.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::envelope::{Envelope, Factor};
use crate::modes::eigen::{Matrix, symmetric};

/// Number of additional vectors beyond the requested modes, which speeds up convergence.
const SPARE: usize = 6;
/// Maximum number of iterations.
const MAX_STEPS: usize = 200;
/// Relative change of ω² that ends the iteration.
const SETTLED: f64 = 1e-11;
/// Maximum relative change of ω² at which an iteration without progress ends. Rounding may prevent
/// convergence: the ratio of the maximum stiffness of a rod of many short segments to the stiffness
/// of its slowest modes may exceed the precision of numbers.
const ROUNDED: f64 = 1e-6;
/// Number of steps without progress after which the iteration may end; see [`ROUNDED`].
const IDLE: usize = 8;
/// Ratio of the change to the minimum change so far below which a step counts as progress.
const PROGRESS: f64 = 0.9;

/// A mode about an equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Squared angular frequency; below 0 if the body leaves the equilibrium in this shape.
    pub omega_squared: f64,
    /// Displacement of each node, flat by axis, with Σ m |displacement|² = 1.
    pub shape: Vec<f64>,
}

/// Computes the `count` modes with the smallest ω², in ascending order, and the number of
/// multiplications. The iteration ends early when the multiplications reach `maximum`. `mass` has
/// one number per node. Quantities of many nodes have no mass: they follow the nodes.
pub(super) fn lowest(
    stiffness: &Envelope,
    mass: &[f64],
    count: usize,
    maximum: u64,
) -> (Vec<Mode>, u64) {
    let layout = stiffness.layout();
    let axes = layout.axes();
    let flat: Vec<f64> = (0..axes).flat_map(|_| mass.iter().copied()).collect();
    let mass = layout.gather(&flat);
    let coordinates = layout.coordinates();
    let count = count.min(coordinates);
    let (found, factors) = definite(stiffness, &mass, maximum);
    let mut work = factors.saturating_mul(layout.work());
    let Some((factor, shift)) = found else { return (Vec::new(), work) };
    let mut basis = start(layout.rows(), (count + SPARE).min(coordinates));
    let mut values: Vec<f64> = Vec::new();
    let mut progress = Progress { minimum: f64::INFINITY, idle: 0 };
    for _ in 0..MAX_STEPS {
        if work >= maximum {
            break;
        }
        let vectors = basis.len() as u64;
        // Each vector takes a solution, a product with the matrix and an orthogonalisation to all
        // others.
        let of_vector = 4 * layout.size as u64 + 4 * vectors * layout.rows() as u64;
        work = work.saturating_add(vectors * of_vector);
        for vector in &mut basis {
            let right: Vec<f64> = vector.iter().zip(&mass).map(|(x, mass)| x * mass).collect();
            *vector = factor.solve(&right);
        }
        orthonormalise(&mut basis, &mass);
        let before = std::mem::take(&mut values);
        values = rotate(&mut basis, stiffness);
        if before.len() != values.len() {
            continue;
        }
        let changes = before.iter().zip(&values).take(count);
        let change = |(before, now): (&f64, &f64)| (now - before).abs() / (now.abs() + shift);
        if progress.is_over(changes.map(change).fold(0.0, f64::max)) {
            break;
        }
    }
    let mode = |(omega_squared, vector): (&f64, &Vec<f64>)| Mode {
        omega_squared: *omega_squared,
        shape: layout.scatter(vector),
    };
    (values.iter().zip(&basis).take(count).map(mode).collect(), work)
}

/// Progress of the iteration: the minimum so far of the maximum relative change of ω².
struct Progress {
    minimum: f64,
    /// Number of iterations since the last progress.
    idle: usize,
}

impl Progress {
    /// Records the maximum relative change of an iteration, and returns whether the iteration ends:
    /// the change is within the tolerance, or rounding keeps it above.
    fn is_over(&mut self, change: f64) -> bool {
        if change < PROGRESS * self.minimum {
            (self.minimum, self.idle) = (change, 0);
        } else {
            self.idle += 1;
        }
        change <= SETTLED || (change <= ROUNDED && self.idle >= IDLE)
    }
}

/// Factors K + s M with the first s of an increasing series for which the sum is positive definite.
/// Returns the factorisation with s, and the number of factorisations. `None` replaces the
/// factorisation if `maximum` multiplications do not suffice.
fn definite(stiffness: &Envelope, mass: &[f64], maximum: u64) -> (Option<(Factor, f64)>, u64) {
    let rows = (0..mass.len()).filter(|&row| mass[row] > 0.0);
    let ratios = rows.map(|row| stiffness.diagonal(row).abs() / mass[row]);
    let greatest = ratios.fold(0.0, f64::max);
    let mut shift = 0.0;
    let each = stiffness.layout().work().max(1);
    let count = (maximum / each).clamp(1, 60);
    for done in 1..=count {
        let mut shifted = stiffness.clone();
        mass.iter().enumerate().for_each(|(row, mass)| shifted.add_diagonal(row, shift * mass));
        let factor = shifted.factor();
        if factor.is_definite() {
            return (Some((factor, shift)), done);
        }
        shift = (2.0 * shift).max(1e-12 * greatest);
    }
    (None, count)
}

/// Pseudo-random vectors, so that every mode contributes.
fn start(rows: usize, count: usize) -> Vec<Vec<f64>> {
    let mut bits = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        // Xorshift (Marsaglia 2003).
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        (bits >> 11) as f64 / 9_007_199_254_740_992.0 - 0.5
    };
    (0..count).map(|_| (0..rows).map(|_| next()).collect()).collect()
}

fn weighted(a: &[f64], b: &[f64], mass: &[f64]) -> f64 {
    a.iter().zip(b).zip(mass).map(|((a, b), mass)| a * b * mass).sum()
}

/// Makes the vectors orthonormal with respect to the mass, by two passes of Gram–Schmidt, which
/// leave only rounding errors.
fn orthonormalise(basis: &mut [Vec<f64>], mass: &[f64]) {
    for index in 0..basis.len() {
        let (before, rest) = basis.split_at_mut(index);
        let Some(vector) = rest.first_mut() else { return };
        for _ in 0..2 {
            for other in before.iter() {
                let share = weighted(vector, other, mass);
                vector.iter_mut().zip(other).for_each(|(x, other)| *x -= share * other);
            }
            let length = weighted(vector, vector, mass).sqrt();
            if length > 0.0 {
                vector.iter_mut().for_each(|x| *x /= length);
            }
        }
    }
}

/// Rotates the vectors so that they are also orthogonal with respect to the stiffness. Returns
/// their ω².
fn rotate(basis: &mut Vec<Vec<f64>>, stiffness: &Envelope) -> Vec<f64> {
    let products: Vec<Vec<f64>> = basis.iter().map(|vector| stiffness.times(vector)).collect();
    let mut small = Matrix::zeros(basis.len());
    for (row, vector) in basis.iter().enumerate() {
        for (column, product) in products.iter().enumerate().skip(row) {
            small.add(row, column, vector.iter().zip(product).map(|(a, b)| a * b).sum());
        }
    }
    let pairs = symmetric(small);
    let turned = |weights: &Vec<f64>| {
        let mut sum = vec![0.0; basis[0].len()];
        for (weight, vector) in weights.iter().zip(basis.iter()) {
            sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += weight * x);
        }
        sum
    };
    let next = pairs.iter().map(|(_, weights)| turned(weights)).collect();
    *basis = next;
    pairs.into_iter().map(|(value, _)| value).collect()
}
