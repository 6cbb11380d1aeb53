//! The forces on runs in lanes, in the form that the ledger uses.

use super::line;
use crate::force::{Force, Known, SpringForce};
use crate::lane::CacheLine;
use crate::run::Setup;

/// A force on all runs of a group.
pub(super) enum LaneForce {
    /// Weight, which stores energy; one line per axis.
    Gravity { acceleration: Vec<CacheLine> },
    /// Drag in a medium, whose work is booked. `is_windy` tells which runs have wind; `None` if
    /// none has.
    Drag { coefficient: CacheLine, wind: Vec<CacheLine>, is_windy: Option<CacheLine> },
    /// Hooke's springs, which store energy.
    Hooke(Vec<LaneSpring>),
    /// Friction in springs, whose work is booked: along the spring only, or on the whole relative
    /// velocity.
    Friction { springs: Vec<LaneSpring>, is_along: bool },
}

/// A spring of all runs of a group.
pub(super) struct LaneSpring {
    pub(super) a: usize,
    pub(super) b: usize,
    /// Stiffness or friction coefficient.
    pub(super) factor: CacheLine,
    pub(super) rest: CacheLine,
}

/// Whether the ledger of lanes supports all forces of a setup.
pub(in crate::run::ledger) fn are_known(setup: &Setup) -> bool {
    setup.forces.iter().all(|force| {
        is_rod(setup, force.as_ref())
            || match force.known() {
                Some(Known::Springs(SpringForce::Elastic { law, .. })) => law.is_linear(),
                known => known.is_some(),
            }
    })
}

/// Whether the force is springs whose length the method holds. They store no energy.
fn is_rod(setup: &Setup, force: &dyn Force) -> bool {
    force.is_elastic() && setup.method.holds_lengths()
}

/// Returns the forces of similar setups, in order.
pub(super) fn of(setups: &[Setup]) -> Vec<LaneForce> {
    let first = &setups[0];
    let forces = 0..first.forces.len();
    let counted = forces.filter(|index| !is_rod(first, first.forces[*index].as_ref()));
    counted.filter_map(|index| one(setups, index)).collect()
}

fn one(setups: &[Setup], index: usize) -> Option<LaneForce> {
    let (first, axes) = (&setups[0], setups[0].model.axes);
    let vector = |axis: usize| {
        line(setups, |setup| match setup.forces[index].known() {
            Some(Known::Gravity { acceleration: it } | Known::Drag { wind: it, .. }) => it[axis],
            _ => 0.0,
        })
    };
    let vectors = || (0..axes).map(vector).collect();
    let friction = |is_along: bool| {
        let coefficient = |setup: &Setup, j: usize| match setup.forces[index].spring_force() {
            Some(SpringForce::Damping(c) | SpringForce::Friction(c)) => c.of(&setup.model, j),
            _ => 0.0,
        };
        let all = 0..first.model.springs.len();
        LaneForce::Friction { springs: springs(setups, all, coefficient), is_along }
    };
    Some(match first.forces[index].known()? {
        Known::Gravity { .. } => LaneForce::Gravity { acceleration: vectors() },
        Known::Drag { .. } => {
            let coefficient = |setup: &Setup| match setup.forces[index].known() {
                Some(Known::Drag { coefficient, .. }) => coefficient,
                _ => 0.0,
            };
            let is_windy = |setup: &Setup| f64::from(setup.forces[index].medium(0.0).is_some());
            let windy = line(setups, is_windy);
            LaneForce::Drag {
                coefficient: line(setups, coefficient),
                wind: vectors(),
                is_windy: windy.0.iter().any(|lane| *lane != 0.0).then_some(windy),
            }
        }
        Known::Springs(kind @ SpringForce::Elastic { law, .. }) => {
            let stiffness = |setup: &Setup, j: usize| setup.model.springs[j].stiffness;
            let range = law.is_linear().then(|| kind.range(&first.model))?;
            LaneForce::Hooke(springs(setups, range, stiffness))
        }
        Known::Springs(SpringForce::Damping(_)) => friction(true),
        Known::Springs(SpringForce::Friction(_)) => friction(false),
    })
}

fn springs(
    setups: &[Setup],
    range: std::ops::Range<usize>,
    factor: impl Fn(&Setup, usize) -> f64,
) -> Vec<LaneSpring> {
    let spring = |j: usize| {
        let spring = &setups[0].model.springs[j];
        LaneSpring {
            a: spring.a,
            b: spring.b,
            factor: line(setups, |setup| factor(setup, j)),
            rest: line(setups, |setup| setup.model.springs[j].rest_length),
        }
    };
    range.map(spring).collect()
}
