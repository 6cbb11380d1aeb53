//! Linking number of closed rods in space: the sum of twist and writhe. Only a passage of the rod
//! through itself changes it.

use super::Solver;
use super::balance::Guess;
use crate::topology::{curves, writhe};
use catena_sim::{Body, Setup, SpringMemory, State};

/// Linking number of a closed rod, in turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodLink {
    /// Index of the part of the body.
    pub part: usize,
    /// Linking number at the start.
    pub asked: f64,
    /// Linking number in the equilibrium.
    pub at_rest: f64,
}

impl RodLink {
    /// Whether the linking number differs from its initial value.
    pub fn is_lost(&self) -> bool {
        (self.at_rest - self.asked).abs() > 0.5
    }
}

impl Solver<'_> {
    /// Linking numbers of all closed rods that twist.
    pub(super) fn links(&self, guess: &Guess) -> Vec<RodLink> {
        let setup = self.setup;
        let first = super::Start::at(setup, setup.start_time, 1.0);
        let memory = SpringMemory { rods: guess.rods.clone(), ..first.memory.clone() };
        let asked = links(setup, &setup.initial, &first.memory);
        let at_rest = links(setup, &State::at_rest(guess.x.clone()), &memory);
        let pairs = asked.into_iter().zip(at_rest);
        pairs.map(|((part, asked), (_, at_rest))| RodLink { part, asked, at_rest }).collect()
    }
}

/// Part and linking number of each closed rod that twists.
fn links(setup: &Setup, state: &State, memory: &SpringMemory) -> Vec<(usize, f64)> {
    let model = &setup.model;
    let Some(rods) = setup.rods().filter(|rods| rods.remembers() && model.axes == 3) else {
        return Vec::new();
    };
    let readings = rods.readings(&Body { model, springs: memory }, state);
    let parts = model.part_list();
    let closed = curves(model, state).into_iter().filter(|(_, curve)| curve.is_closed);
    let link = |(part, curve): (usize, crate::topology::Curve)| {
        let mut own = rods.rods().zip(&readings);
        let (_, reading) = own.find(|(rod, _)| rod.springs == parts[part].springs)?;
        Some((part, reading.turns + writhe(&curve).ok()?))
    };
    closed.filter_map(link).collect()
}
