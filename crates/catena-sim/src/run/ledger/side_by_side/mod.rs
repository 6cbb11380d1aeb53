//! The ledgers of runs that go side by side: what a [`super::Keeper`] books for each of them, step
//! by step, for eight at a time and with the same bits.
//!
//! Nothing but the method moves these runs and no pin of them moves, so three accounts change:
//! damping, external and the method's. Sums go over nodes and springs in the order in which a
//! keeper takes them.

mod books;
mod forces;
mod step;

use super::Ledger;
use crate::force::Energy;
use crate::instructions::Instructions;
use crate::lane::{CacheLine, WIDTH};
use crate::run::Setup;
use books::Books;
use forces::LaneForce;
use std::sync::Arc;
use step::StepEnd;

pub(super) use forces::are_known as fits;

/// Where runs that go side by side stand: a number of each of them, in order.
pub(crate) trait LaneStates {
    /// Positions of a node along an axis.
    fn x(&self, axis: usize, node: usize) -> &[f64];

    /// Velocities of a node along an axis.
    fn v(&self, axis: usize, node: usize) -> &[f64];
}

/// What a ledger goes on from: its sums, and the energy of the body at its last entry.
#[derive(Clone, Copy)]
pub(crate) struct LedgerEntry {
    pub(crate) ledger: Ledger,
    pub(crate) now: Energy,
}

/// The ledgers of all runs of a group.
pub(crate) struct SideBySideLedgers {
    groups: Vec<LedgerGroup>,
    /// What each run goes on from, in order.
    entries: Vec<LedgerEntry>,
}

/// Positions and velocities, a line for each axis and node.
#[derive(Default)]
struct LaneMotion {
    x: Vec<CacheLine>,
    v: Vec<CacheLine>,
}

/// Up to eight runs.
struct LedgerGroup {
    used: usize,
    axes: usize,
    pinned: Vec<bool>,
    dt: CacheLine,
    /// A line for each node.
    mass: Vec<CacheLine>,
    forces: Vec<LaneForce>,
    /// Of the drag that the method has of its own, 1/time; `None` where no run has any.
    drag_rate: Option<CacheLine>,
    start: LaneMotion,
    moved: LaneMotion,
    /// Room for forces, a line for each axis and node.
    force: Vec<CacheLine>,
    books: Books,
}

/// A number of each run; unused lanes have that of the first.
fn line<T>(runs: &[T], number: impl Fn(&T) -> f64) -> CacheLine {
    let mut line = CacheLine::all(runs.first().map_or(0.0, &number));
    for (lane, run) in line.0.iter_mut().zip(runs) {
        *lane = number(run);
    }
    line
}

impl SideBySideLedgers {
    /// For setups of one shape and with forces of the same kinds, all of which fit.
    pub(crate) fn new(setups: &[Arc<Setup>]) -> Self {
        Self { groups: setups.chunks(WIDTH).map(LedgerGroup::new).collect(), entries: Vec::new() }
    }

    /// Begins a frame from where runs stand, with the entry of each, in order.
    pub(crate) fn begin(
        &mut self,
        states: &impl LaneStates,
        entries: impl Iterator<Item = LedgerEntry>,
    ) {
        self.entries.clear();
        self.entries.extend(entries);
        let groups = self.groups.iter_mut().zip(self.entries.chunks(WIDTH));
        for (number, (group, entries)) in groups.enumerate() {
            group.look(states, number);
            std::mem::swap(&mut group.start, &mut group.moved);
            group.books.begin(entries);
        }
    }

    /// Books a step that has led here.
    pub(crate) fn book(&mut self, states: &impl LaneStates) {
        for (number, group) in self.groups.iter_mut().enumerate() {
            group.look(states, number);
            group.hold_pins();
            Instructions::best().run_with(StepEnd { group });
            std::mem::swap(&mut group.start, &mut group.moved);
        }
    }

    /// What each run goes on from after the frame, in order.
    pub(crate) fn end(&mut self) -> &[LedgerEntry] {
        for (group, entries) in self.groups.iter().zip(self.entries.chunks_mut(WIDTH)) {
            group.books.end(entries);
        }
        &self.entries
    }
}

impl LedgerGroup {
    fn new(setups: &[Arc<Setup>]) -> Self {
        let taken: Vec<Setup> = setups.iter().map(|setup| setup.as_taken()).collect();
        let first = &taken[0].model;
        let lines = first.axes * first.nodes();
        let empty = || LaneMotion {
            x: vec![CacheLine::all(0.0); lines],
            v: vec![CacheLine::all(0.0); lines],
        };
        let drag_rate = line(&taken, |setup| setup.method.drag_rate(setup.dt()));
        Self {
            used: taken.len(),
            axes: first.axes,
            pinned: first.pinned.clone(),
            dt: line(&taken, Setup::dt),
            mass: (0..first.nodes())
                .map(|node| line(&taken, |setup| setup.model.mass[node]))
                .collect(),
            forces: forces::of(&taken),
            drag_rate: drag_rate.0.iter().any(|rate| *rate != 0.0).then_some(drag_rate),
            start: empty(),
            moved: empty(),
            force: vec![CacheLine::all(0.0); lines],
            books: Books::default(),
        }
    }

    /// Stops the pins, as they are at the end of a step. One that is put back by hand may have a
    /// velocity at the start.
    fn hold_pins(&mut self) {
        for v in self.moved.v.chunks_exact_mut(self.pinned.len()) {
            for (v, is_pinned) in v.iter_mut().zip(&self.pinned) {
                if *is_pinned {
                    *v = CacheLine::all(0.0);
                }
            }
        }
    }

    /// Takes over where its runs stand, as the end of a step.
    fn look(&mut self, states: &impl LaneStates, number: usize) {
        let (nodes, used) = (self.pinned.len(), self.used);
        let lanes = number * WIDTH..number * WIDTH + used;
        for axis in 0..self.axes {
            for node in 0..nodes {
                let at = axis * nodes + node;
                let [x, v] = [states.x(axis, node), states.v(axis, node)];
                self.moved.x[at].0[..used].copy_from_slice(&x[lanes.clone()]);
                self.moved.v[at].0[..used].copy_from_slice(&v[lanes.clone()]);
            }
        }
    }
}
