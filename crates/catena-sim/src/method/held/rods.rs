//! Newton's method for the multipliers of SHAKE, which corrects all rods of a body at once.
//!
//! A correction by δ_j moves the ends of rod j by w_a δ_j r_j and -w_b δ_j r_j. The equations
//! |s_i|² = l_i² therefore have the Jacobian A_ij = ±w s_i·r_j for each free node that rods i and j
//! share, and A_ii = (w_a + w_b) s_i·r_i. The sign is positive if both rods start or both rods end
//! at that node, and negative otherwise. The number of correct digits doubles with each solution.

use super::projection::Projection;
use crate::budget::Cost;

/// Maximum number of solutions before sweeps take over.
const MAX_SOLUTIONS: u32 = 12;

/// Minimum cost of a typical step, in sweeps. This cost is included in the cost of a step.
pub(super) const MIN_SOLUTIONS: u64 = 2;

/// Minimum pivot of a solvable system, relative to the diagonal.
pub(super) const MIN_PIVOT: f64 = 1e-13;

/// Result of the corrections of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Every length is exact, except for stuck rods, which cannot be corrected.
    Done { is_stuck: bool },
    /// The maximum number of solutions, or the budget, is exhausted.
    Spent,
    /// Newton's method does not converge from the current positions.
    Failed { solutions: u32 },
}

/// Results of the elimination.
pub(super) struct Found {
    /// Whether a rod that can be corrected is not exact yet.
    pub(super) is_open: bool,
    /// Whether the system has a solution.
    pub(super) is_sound: bool,
    /// Number of rods that have rotated by a right angle and are skipped.
    pub(super) turned: usize,
}

/// Rods whose Newton system can be solved.
pub(super) trait NewtonSystem {
    /// Whether every rod has its length. Non-finite lengths count as wrong.
    fn are_exact(&mut self, projection: &Projection<'_>, x: &[f64]) -> bool;

    /// Builds the system at `x` and performs forward elimination.
    fn eliminate(&mut self, projection: &Projection<'_>, x: &[f64]) -> Found;

    /// Computes the multipliers and moves the nodes.
    fn substitute(&mut self, projection: &Projection<'_>, x: &mut [f64]);

    /// Cost of a solution, in sweeps.
    fn sweeps(&self) -> u64 {
        1
    }
}

/// Corrects the predicted positions `x` until every length is exact, with at most `maximum`
/// solutions.
pub(super) fn iterate(
    rods: &mut impl NewtonSystem,
    projection: &Projection<'_>,
    x: &mut [f64],
    maximum: u32,
) -> Ending {
    let price = rods.sweeps();
    let mut paid = MIN_SOLUTIONS;
    let mut turned_at_first = 0;
    for solutions in 0..=MAX_SOLUTIONS {
        if rods.are_exact(projection, x) {
            return Ending::Done { is_stuck: false };
        }
        let charge = price.saturating_sub(paid);
        paid = paid.saturating_sub(price);
        if solutions == maximum || !projection.system.charge(Cost::PROJECTION.times(charge)) {
            return Ending::Spent;
        }
        let found = rods.eliminate(projection, x);
        if solutions == 0 {
            turned_at_first = found.turned;
        }
        // A correction that rotates additional rods by a right angle leads away from the solution.
        let is_astray = !found.is_sound || found.turned != turned_at_first;
        if is_astray || (found.is_open && solutions == MAX_SOLUTIONS) {
            return Ending::Failed { solutions };
        }
        if !found.is_open {
            return Ending::Done { is_stuck: true };
        }
        rods.substitute(projection, x);
    }
    Ending::Failed { solutions: MAX_SOLUTIONS }
}
