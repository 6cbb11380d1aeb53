//! Neutral equilibria: the modes that cost no energy, and the choice among connected equilibria.
//!
//! The smallest ω² is a small difference of large numbers. If it is comparable with its rounding
//! error, it is recomputed as a sum over the stretches of springs in the shape of its mode. The
//! result is compared with the rounding error of that sum. So the bound grows neither with the
//! number of nodes nor with the stiffness of a rope.

use super::balance::{Guess, Linear};
use super::search::near;
use super::{Mode, Rest, Solver, Stability};
use catena_sim::force::rod::Rods;

/// Maximum number of corrections towards the start.
const CORRECTIONS: usize = 30;
/// Displacement along neutral modes that counts as 0, as a share of the body's size.
const CLOSE: f64 = 1e-9;

impl Solver<'_> {
    /// Recomputes each ω² below the default bound as a sum with a smaller rounding error, and sorts
    /// the modes again. Returns the magnitude below which ω² counts as 0: the rounding error of
    /// these sums, or the default bound.
    pub(super) fn sharpened(&self, guess: &Guess, linear: &Linear, modes: &mut [Mode]) -> f64 {
        let usual = self.zero(linear);
        let is_small = |mode: &&mut Mode| mode.omega_squared.abs() <= usual;
        let mut bound: Option<f64> = None;
        for mode in modes.iter_mut().filter(is_small) {
            let Some([square, own]) = self.balance.quotient(guess, linear, &mode.shape) else {
                return usual;
            };
            mode.omega_squared = square;
            bound = Some(bound.map_or(own, |bound| bound.max(own)));
        }
        modes.sort_by(|a, b| a.omega_squared.total_cmp(&b.omega_squared));
        bound.unwrap_or(usual)
    }

    /// Equilibrium nearest to the start, among all equilibria that neutral modes connect to
    /// `found`. Returns `found` if a rod has a memory, because its equilibrium then depends on the
    /// earlier motion.
    pub(super) fn nearest(&self, found: Rest) -> Rest {
        let remembers = self.setup.rods().is_some_and(Rods::remembers);
        if remembers || found.equilibrium.stability != Stability::Neutral {
            return found;
        }
        let (mut best, from) = (found.clone(), self.start());
        let mut minimum = self.apart(&best, &from.x).map_or(0.0, |(_, size)| size);
        for _ in 0..CORRECTIONS {
            let Some((shift, size)) = self.apart(&best, &from.x) else { return found };
            if size <= CLOSE * self.balance.size {
                return best;
            }
            let mut guess = best.guess.clone();
            guess.x.iter_mut().zip(&shift).for_each(|(x, shift)| *x -= shift);
            if self.balance.clipped(&best.guess.x, &guess.x) != guess.x {
                return best;
            }
            let mut next = near(&self.balance, guess);
            next.iterations += best.equilibrium.iterations;
            let Ok(next) = self.report(next) else { return best };
            let is_closer = self.apart(&next, &from.x).filter(|(_, size)| *size < minimum);
            let Some((_, size)) = is_closer else { return best };
            (best, minimum) = (next, size);
        }
        best
    }

    /// Displacement of an equilibrium from positions `from` along its neutral modes, and the
    /// maximum coordinate of the displacement. `None` if there may be more neutral modes than were
    /// computed.
    fn apart(&self, rest: &Rest, from: &[f64]) -> Option<(Vec<f64>, f64)> {
        let Rest { equilibrium: rest, guess } = rest;
        let neutral = rest.modes.iter().filter(|mode| mode.omega_squared.abs() <= rest.zero);
        if neutral.clone().count() == super::MODES {
            return None;
        }
        let (mass, n) = (&self.setup.model.mass, self.setup.model.nodes());
        let mut shift = vec![0.0; guess.x.len()];
        for mode in neutral {
            let coordinates = guess.x.iter().zip(from).zip(&mode.shape).enumerate();
            let amount: f64 =
                coordinates.map(|(i, ((x, from), shape))| mass[i % n] * (x - from) * shape).sum();
            shift.iter_mut().zip(&mode.shape).for_each(|(shift, shape)| *shift += amount * shape);
        }
        let size = shift.iter().fold(0.0_f64, |maximum, shift| maximum.max(shift.abs()));
        Some((shift, size))
    }
}
