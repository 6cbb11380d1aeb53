//! Interpolation between two setups that differ only in gravity or in forces on nodes, without
//! reading and building the scene again.

use catena_sim::force::Known;
use catena_sim::{Budget, Force, Setup, identity::is_same};
use std::sync::Arc;

/// Setups at the ends of a range, which differ only in gravity or in forces on nodes.
pub(super) struct Between {
    ends: [Arc<Setup>; 2],
}

impl Between {
    /// Creates an interpolation between the setups `ends`. `within` is the setup that the scene
    /// builds at `share` of the range. Returns `None` if interpolation does not reproduce all three
    /// setups.
    pub(super) fn new(ends: [Arc<Setup>; 2], share: f64, within: &Setup) -> Option<Self> {
        let found = Self { ends };
        let [from, to] = &found.ends;
        let is_fine = from.slips.is_empty()
            && is_alike(&found.at(0.0)?, from)
            && is_alike(&found.at(share)?, within)
            && is_alike(&found.at(1.0)?, to);
        is_fine.then_some(found)
    }

    /// Returns the setup at a share of the range, which may be below 0 or above 1. Returns `None`
    /// if the forces of both ends do not correspond. The strain limit and the budget come from the
    /// first end: statics uses neither.
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

/// Whether two setups are equal except for their strain limits and budgets, which statics does not
/// use.
fn is_alike(one: &Setup, other: &Setup) -> bool {
    let strain_limit = one.strain_limit;
    let plain = |setup: &Setup| Setup { strain_limit, budget: Budget::UNLIMITED, ..setup.clone() };
    is_same(&plain(one), &plain(other))
}

/// Returns the force at a share of the range from one force to another. Only gravity and forces
/// with a vector change.
fn mixed(from: &Arc<dyn Force>, to: &Arc<dyn Force>, share: f64) -> Option<Arc<dyn Force>> {
    // A value in a scene is interpolated with the same operations, so that the results are
    // bit-identical.
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
