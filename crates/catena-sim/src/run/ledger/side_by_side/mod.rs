//! Ledgers of runs that advance side by side. They book step by step, for eight runs at a time, and
//! their values are bit-identical to [`super::Keeper`].
//!
//! Only the method moves these runs, and their pins do not move. Three accounts can change:
//! damping, external and the method's. Sums over nodes and springs follow the order of the keeper.

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

/// States of runs that advance side by side: one number per run, in order.
pub(crate) trait LaneStates {
    /// Positions of a node along an axis.
    fn x(&self, axis: usize, node: usize) -> &[f64];

    /// Velocities of a node along an axis.
    fn v(&self, axis: usize, node: usize) -> &[f64];
}

/// Initial value of a ledger: its sums, and the energy of the body at its last entry.
#[derive(Clone, Copy)]
pub(crate) struct LedgerEntry {
    pub(crate) ledger: Ledger,
    pub(crate) now: Energy,
}

/// Ledgers of all runs of a group.
pub(crate) struct SideBySideLedgers {
    groups: Vec<LedgerGroup>,
    /// Entry of each run, in order.
    entries: Vec<LedgerEntry>,
}

/// Positions and velocities, one line per axis and node.
#[derive(Default)]
struct LaneMotion {
    x: Vec<CacheLine>,
    v: Vec<CacheLine>,
}

/// A group of up to eight runs.
struct LedgerGroup {
    used: usize,
    axes: usize,
    pinned: Vec<bool>,
    dt: CacheLine,
    /// Mass, one line per node.
    mass: Vec<CacheLine>,
    forces: Vec<LaneForce>,
    /// Rate of the method's own drag, 1/time; `None` if no method has its own drag.
    drag_rate: Option<CacheLine>,
    start: LaneMotion,
    moved: LaneMotion,
    /// Buffer for forces, one line per axis and node.
    force: Vec<CacheLine>,
    books: Books,
}

/// Returns a line with one number per run. Unused lanes hold the value of the first run.
fn line<T>(runs: &[T], number: impl Fn(&T) -> f64) -> CacheLine {
    let mut line = CacheLine::all(runs.first().map_or(0.0, &number));
    for (lane, run) in line.0.iter_mut().zip(runs) {
        *lane = number(run);
    }
    line
}

/// Copies the numbers of up to eight runs. A full line is copied as one value.
fn copy(numbers: &[f64], line: &mut CacheLine) {
    match <&[f64; WIDTH]>::try_from(numbers) {
        Ok(all) => line.0 = *all,
        Err(_) => line.0[..numbers.len()].copy_from_slice(numbers),
    }
}

impl SideBySideLedgers {
    /// Creates ledgers for setups of one shape and with the same kinds of forces. Every force must
    /// be supported.
    pub(crate) fn new(setups: &[Arc<Setup>]) -> Self {
        Self { groups: setups.chunks(WIDTH).map(LedgerGroup::new).collect(), entries: Vec::new() }
    }

    /// Starts a frame from the current states, with the entry of each run in order.
    pub(crate) fn begin(
        &mut self,
        states: &impl LaneStates,
        entries: impl Iterator<Item = LedgerEntry>,
    ) {
        self.entries.clear();
        self.entries.extend(entries);
        let groups = self.groups.iter_mut().zip(self.entries.chunks(WIDTH));
        for (number, (group, entries)) in groups.enumerate() {
            group.copy_states(states, number);
            std::mem::swap(&mut group.start, &mut group.moved);
            group.books.begin(entries);
        }
    }

    /// Books the step that led to these states.
    pub(crate) fn book(&mut self, states: &impl LaneStates) {
        for (number, group) in self.groups.iter_mut().enumerate() {
            group.copy_states(states, number);
            group.hold_pins();
            Instructions::best().run_with(StepEnd { group });
            std::mem::swap(&mut group.start, &mut group.moved);
        }
    }

    /// Returns the entry of each run at the end of the frame, in order.
    pub(crate) fn end(&mut self) -> &[LedgerEntry] {
        for (group, entries) in self.groups.iter().zip(self.entries.chunks_mut(WIDTH)) {
            group.books.end(entries);
        }
        &self.entries
    }
}

impl LedgerGroup {
    fn new(setups: &[Arc<Setup>]) -> Self {
        let taken: Vec<Setup> = setups.iter().map(|setup| setup.with_method_stiffness()).collect();
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

    /// Sets the velocities of the pins to 0, their value at the end of a step. A pin may have an
    /// initial velocity if the caller set the state.
    fn hold_pins(&mut self) {
        for v in self.moved.v.chunks_exact_mut(self.pinned.len()) {
            for (v, is_pinned) in v.iter_mut().zip(&self.pinned) {
                if *is_pinned {
                    *v = CacheLine::all(0.0);
                }
            }
        }
    }

    /// Copies the states of the runs as the end of the step.
    fn copy_states(&mut self, states: &impl LaneStates, number: usize) {
        let (nodes, used) = (self.pinned.len(), self.used);
        let lanes = number * WIDTH..number * WIDTH + used;
        for axis in 0..self.axes {
            for node in 0..nodes {
                let at = axis * nodes + node;
                let [x, v] = [states.x(axis, node), states.v(axis, node)];
                copy(&x[lanes.clone()], &mut self.moved.x[at]);
                copy(&v[lanes.clone()], &mut self.moved.v[at]);
            }
        }
    }
}
