//! Descent: steps along the forces of a body, each damped until it lowers the energy.
//!
//! Every matrix is positive definite, so each step leads downhill. Bodies without rods use a matrix
//! without the terms that could make it indefinite. For rods these terms are kept, since they
//! determine how a twisted rod buckles, and a sufficient multiple of the identity is added.

use super::balance::{Balance, Guess, Linear};
use super::envelope::Factor;

/// Maximum number of steps downhill at one stiffness.
const MAX_DESCENTS: usize = 1000;
/// Number of multiplications per coordinate that take as long as a sum of all forces.
const SUMMING: u64 = 60;
/// Factor on the damping after an accepted step.
const EASIER: f64 = 0.1;
/// Factor on the damping after a rejected step.
const HARDER: f64 = 6.0;

/// Factors the matrix plus a multiple of the identity, which grows from `shift` until the sum is
/// positive definite. Returns the factor and the multiple.
pub(super) fn definite(
    balance: &Balance<'_>,
    linear: &Linear,
    shift: f64,
) -> Option<(Factor, f64)> {
    let mut shift = shift;
    let minimum = 1e-10 * linear.matrix.reference().max(balance.weight / balance.size);
    for _ in 0..24 {
        if !balance.has_work_left() {
            return None;
        }
        let mut matrix = linear.matrix.clone();
        let coordinates = matrix.layout().clone();
        coordinates.each(|row, _| matrix.add_diagonal(row, shift));
        let factor = matrix.factor();
        balance.spend(coordinates.work());
        if factor.is_definite() {
            return Some((factor, shift));
        }
        shift = (10.0 * shift).max(minimum);
    }
    None
}

/// Follows the forces downhill until Newton's method can take over, no step helps, or the body
/// passes through itself. Returns the guess and the number of steps; `None` after a passage. A step
/// is accepted if the forces do positive work along it by the trapezoidal rule, so no force needs a
/// potential.
pub(super) fn descend(balance: &Balance<'_>, from: &Guess) -> Option<(Guess, usize)> {
    let mut guess = Guess { passages: from.passages, ..balance.start(&from.x, &from.rods) };
    let nodes = from.x.len() as u64;
    let unit = balance.weight / balance.size;
    let mut shift = unit;
    for step in 0..MAX_DESCENTS {
        if !balance.has_work_left() {
            return Some((guess, step));
        }
        let Some(linear) = balance.linear(&guess, !balance.has_rods(), 1.0) else {
            return Some((guess, step));
        };
        balance.spend(2 * SUMMING * nodes);
        let layout = linear.matrix.layout();
        let force = layout.gather(&balance.force(&guess));
        let left = length(&force);
        if left <= 1e-9 * balance.weight || shift > 1e15 * unit {
            return Some((guess, step));
        }
        let Some((factor, outweighs)) = definite(balance, &linear, shift) else {
            return Some((guess, step));
        };
        if balance.has_rods() {
            shift = outweighs;
        }
        let displacement = factor.solve(&force);
        let flat = layout.scatter(&displacement);
        let moved: Vec<f64> =
            guess.x.iter().zip(&flat).map(|(x, displacement)| x + displacement).collect();
        let moved = balance.clipped(&guess.x, &moved);
        let displacement: Vec<f64> =
            moved.iter().zip(&guess.x).map(|(to, from)| to - from).collect();
        let displacement = layout.gather(&displacement);
        let mut next = balance.start(&moved, &guess.rods);
        let after = layout.gather(&balance.force(&next));
        let [work, ahead] = [&force, &after].map(|force| inner(force, &displacement));
        let farthest =
            flat.iter().fold(0.0_f64, |maximum, displacement| maximum.max(displacement.abs()));
        let is_near = farthest <= balance.reach && balance.turns_little(&guess, &next);
        if is_near && ahead > -0.9 * work {
            next.rods = balance.turns(&next);
            next.passages = guess.passages + balance.passages(&guess.x, &next.x);
            guess = next;
            if balance.passes(&guess.x) {
                return None;
            }
            shift *= EASIER;
        } else {
            shift *= HARDER;
        }
    }
    Some((guess, MAX_DESCENTS))
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(a: &[f64]) -> f64 {
    inner(a, a).sqrt()
}
