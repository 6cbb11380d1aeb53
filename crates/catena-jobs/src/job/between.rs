//! Setups between two that differ in gravity or in forces on nodes alone, without reading and
//! building the scene again.

use catena_sim::force::Known;
use catena_sim::{Budget, Force, Setup, identity::is_same};
use std::sync::Arc;

/// Two setups that differ in gravity or in forces on nodes alone, at the ends of a range.
pub(super) struct Between {
    ends: [Arc<Setup>; 2],
}

impl Between {
    /// Checks three setups: both ends, and the setup at a share of the range. Returns `None` if
    /// they differ in more than that, or if it does not change evenly.
    pub(super) fn new(ends: [Arc<Setup>; 2], share: f64, within: &Setup) -> Option<Self> {
        let found = Self { ends };
        let [from, to] = &found.ends;
        let is_fine = from.slips.is_empty()
            && is_alike(&found.at(0.0)?, from)
            && is_alike(&found.at(share)?, within)
            && is_alike(&found.at(1.0)?, to);
        is_fine.then_some(found)
    }

    /// The setup at a share of the range, which may lie beyond its ends; `None` if the forces of
    /// both ends do not correspond. Its limit of strain and its budget are those of the first end:
    /// statics uses neither.
    pub(super) fn at(&self, share: f64) -> Option<Setup> {
        let [from, to] = &self.ends;
        if from.forces.len() != to.forces.len() {
            return None;
        }
        let pairs = from.forces.iter().zip(&to.forces);
        let forces = pairs.map(|(from, to)| mixed(from, to, share)).collect::<Option<_>>()?;
        Some(Setup { forces, ..Setup::clone(from) })
    }
}

/// Whether two setups differ at most in what the search for rest does not ask for.
fn is_alike(one: &Setup, other: &Setup) -> bool {
    let strain_limit = one.strain_limit;
    let plain = |setup: &Setup| Setup { strain_limit, budget: Budget::UNLIMITED, ..setup.clone() };
    is_same(&plain(one), &plain(other))
}

/// The force at a share of the way from one force to another. Forces without gravity and without a
/// vector stay.
fn mixed(from: &Arc<dyn Force>, to: &Arc<dyn Force>, share: f64) -> Option<Arc<dyn Force>> {
    // With the same operations as the numbers of a written value: their bits must agree.
    let between = |from: f64, to: f64| from + share * (to - from);
    if let (Some(one), Some(other)) = (from.vector(), to.vector()) {
        return from.with_vector(std::array::from_fn(|axis| between(one[axis], other[axis])));
    }
    match (from.known(), to.known()) {
        (
            Some(Known::Gravity { acceleration: one }),
            Some(Known::Gravity { acceleration: other }),
        ) => {
            let pairs = one.iter().zip(other);
            from.with_gravity(&pairs.map(|(from, to)| between(*from, *to)).collect::<Vec<_>>())
        }
        _ => Some(Arc::clone(from)),
    }
}
