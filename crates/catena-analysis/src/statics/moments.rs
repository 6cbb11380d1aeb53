//! Moments on the clamps of rods, checked with the balance of all torques.
//!
//! The moment on a clamp follows from the bend next to it. A very stiff rod bends by less than the
//! precision of its positions, so the moment has few accurate digits or none. The forces on pins
//! and the loads have full precision. Their torque and the moments sum to 0.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::Solver;
use super::balance::Guess;
use catena_sim::vector::{Vec3, add, cross, norm, scaled, sub};

impl Solver<'_> {
    /// Moments on clamps by node, and the magnitude of the sum of all torques. A single moment is
    /// computed from the balance of torques instead of the bend. `force` is the total force on each
    /// node, flat by axis.
    pub(super) fn moments(&self, guess: &Guess, force: &[f64]) -> (Vec<(usize, Vec3)>, f64) {
        let mut moments = self.balance.moments(guess);
        let Some(&(origin, _)) = moments.first() else { return (moments, 0.0) };
        let missing = self.torque(guess, force, origin);
        let sum = moments.iter().fold([0.0; 3], |sum, (_, moment)| add(sum, *moment));
        match moments.as_mut_slice() {
            [(_, only)] => {
                *only = missing;
                (moments, 0.0)
            }
            _ => (moments, norm(sub(missing, sum))),
        }
    }

    /// Torque of the loads about node `origin`, minus the torque of the forces on pins. The result
    /// equals the sum of the moments on clamps.
    fn torque(&self, guess: &Guess, force: &[f64], origin: usize) -> Vec3 {
        let (model, n) = (&self.setup.model, self.setup.model.nodes());
        let place = |flat: &[f64], node: usize| {
            [0, 1, 2].map(|axis| flat.get(axis * n + node).copied().unwrap_or(0.0))
        };
        let arm = |node: usize| sub(place(&guess.x, node), place(&guess.x, origin));
        let loads = self.balance.loads(guess);
        let by_loads = (0..n).map(|node| cross(arm(node), place(&loads, node)));
        let pins = (0..n).filter(|&node| model.pinned[node]);
        let by_pins = pins.map(|node| scaled(cross(arm(node), place(force, node)), -1.0));
        by_loads.chain(by_pins).fold([0.0; 3], add)
    }
}
