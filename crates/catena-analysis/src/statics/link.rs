//! Link of closed rods in space: twist and writhe together, which only a passage of the rod through
//! itself changes.

use super::Solver;
use super::balance::Guess;
use crate::topology::{curves, writhe};
use catena_sim::{Body, Setup, SpringMemory, State};

/// Link of a closed rod, in turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodLink {
    /// Part of the body.
    pub part: usize,
    /// Link at the start.
    pub asked: f64,
    /// Link at the balance.
    pub at_rest: f64,
}

impl RodLink {
    /// Whether the rod has another link than at its start.
    pub fn is_lost(&self) -> bool {
        (self.at_rest - self.asked).abs() > 0.5
    }
}

impl Solver<'_> {
    /// Links of all closed rods.
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

/// Part and link of each closed rod that twists.
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
