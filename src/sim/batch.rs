//! Many simulations at once: those that a kernel can move on side by side go together, the others one by one.
//!
//! Which go together changes no bit: every simulation ends as it would after [`Simulation::advance_frame`].

use super::{
    Outcome, Simulation,
    kernel::{
        instructions::Instructions,
        variants::{self, LANES, Variants},
    },
};
use std::borrow::BorrowMut;

/// With fewer lanes in use, each simulation's own kernel is as fast.
const LEAST: usize = LANES / 8;

/// Advances many simulations; keeps its room from frame to frame.
#[derive(Default)]
pub struct Batch {
    variants: Variants,
    /// Simulations of one shape each, by number.
    groups: Vec<Vec<usize>>,
    /// Simulations that are in lanes, by number.
    aboard: Vec<usize>,
}

impl Batch {
    /// All steps of one frame, of every simulation. Says how many of them went side by side.
    pub fn advance_frames<S: BorrowMut<Simulation>>(&mut self, simulations: &mut [S]) -> usize {
        let mut together = 0;
        let mut groups = std::mem::take(&mut self.groups);
        group(&mut groups, simulations);
        for group in &groups {
            for &number in group {
                let simulation = simulations[number].borrow_mut();
                if simulation.enter(self.aboard.len(), &mut self.variants) {
                    self.aboard.push(number);
                    if self.aboard.len() == LANES {
                        together += self.advance(simulations);
                    }
                } else {
                    simulation.advance_frame();
                }
            }
            together += self.advance(simulations);
        }
        self.groups = groups;
        together
    }

    /// One frame of those that are in lanes. Says how many stayed there.
    fn advance<S: BorrowMut<Simulation>>(&mut self, simulations: &mut [S]) -> usize {
        if self.aboard.len() < LEAST {
            self.aboard
                .drain(..)
                .for_each(|number| simulations[number].borrow_mut().advance_frame());
            return 0;
        }
        let together = self.aboard.len();
        let substeps = simulations[self.aboard[0]].borrow().setup().substeps;
        self.variants.advance(Instructions::best(), substeps);
        for (lane, number) in self.aboard.drain(..).enumerate() {
            let simulation = simulations[number].borrow_mut();
            simulation.begin_frame();
            simulation.leave(lane, &mut self.variants, substeps);
            simulation.end_frame();
        }
        together
    }
}

/// Sorts simulations by shape. What cannot be in a lane is a group of its own.
fn group<S: BorrowMut<Simulation>>(groups: &mut Vec<Vec<usize>>, simulations: &[S]) {
    groups.iter_mut().for_each(Vec::clear);
    let mut used = 0;
    for (number, simulation) in simulations.iter().enumerate() {
        let simulation = simulation.borrow();
        let is_known = |group: &Vec<usize>| {
            group.first().is_some_and(|&first| go_together(simulations[first].borrow(), simulation))
        };
        let place = groups[..used].iter().rposition(is_known).unwrap_or_else(|| {
            used += 1;
            used - 1
        });
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(number);
    }
}

/// Whether two simulations have the same shape, and as many steps a frame.
fn go_together(one: &Simulation, other: &Simulation) -> bool {
    let (setup, with) = (one.setup(), other.setup());
    let is_fine = [one, other].iter().all(|simulation| {
        simulation.outcome() == Outcome::Fine && variants::fits(&simulation.setup().model)
    });
    is_fine
        && setup.substeps == with.substeps
        && setup.model.axes == with.model.axes
        && setup.model.pinned == with.model.pinned
}
