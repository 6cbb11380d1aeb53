//! Springs that hold the nodes of a body near given positions.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::Start;
use super::balance::{Balance, size};
use catena_sim::{
    Blocks, Body, Entry, Force, Model, Setup, State,
    force::{Account, ForceEnergy},
};

/// Stiffness of the tethers of a body, in loads per its size.
const TETHER: f64 = 10.0;

/// Springs that hold the nodes of a body near given positions.
#[derive(Clone, Debug)]
pub(super) struct Tethers {
    /// Positions that the tethers pull to, flat by axis.
    from: Vec<f64>,
    /// Stiffness of each node.
    stiffness: Vec<f64>,
}
catena_sim::identity!(Tethers { from, stiffness });

impl Tethers {
    /// Creates tethers of a body to positions, with `share` times their full stiffness.
    pub(super) fn new(balanced: &Setup, start: &Start, from: &[f64], share: f64) -> Self {
        let load = Balance::new(balanced, start).weight;
        let mass = &balanced.model.mass;
        let total: f64 = mass.iter().sum();
        let unit = share * TETHER * load / size(balanced);
        let stiffness = mass.iter().map(|mass| unit * mass / total).collect();
        Self { from: from.to_vec(), stiffness }
    }
}

impl Force for Tethers {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let coordinates = f.iter_mut().zip(&state.x).zip(&self.from).enumerate();
        coordinates.for_each(|(i, ((f, x), from))| *f -= self.stiffness[i % n] * (x - from));
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        for (node, stiffness) in self.stiffness.iter().enumerate() {
            let mut by_x = [[0.0; 3]; 3];
            (0..body.model.axes).for_each(|axis| by_x[axis][axis] = -stiffness);
            blocks.add(&Entry { i: node, j: node, by_x, by_v: [[0.0; 3]; 3] });
        }
    }

    /// Returns 0: a tether is no external load.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Contact)
    }
}
