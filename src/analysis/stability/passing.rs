//! The stiffest state that a run passes through.
//!
//! Springs of other laws than Hooke's are stiffer or softer as they are stretched, so the start says little about their limit. The body is run
//! with its own method, and after each step a bound on its highest frequency (Gershgorin) says whether a stiffer state has come up;
//! then the mode itself is found. Where the steps of the run are over the limit of a state, or the run is lost, what follows is no
//! motion of the body, so it is run again with twice as many substeps, until all steps are within the limits of all states.

use super::predict::oscillator;
use crate::analysis::budget::Budget;
use crate::sim::{
    Setup, Simulation,
    linear::spectrum::{Spectrum, frequency_bound, largest_frequency_within},
};
use std::sync::Arc;

/// How much the bound must rise for the mode to be looked for again, as a factor.
const RISE: f64 = 1.02;
/// How exact ω² must be, as a share of it.
const EXACT: f64 = 1e-4;
/// Nanoseconds that the bound takes for a spring.
const BOUND: u64 = 40;
/// What it costs to find a mode, in bounds.
const MODE: f64 = 50.0;
/// The most substeps that a scene may have.
pub(super) const MOST_SUBSTEPS: u64 = 1_000_000;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At the end of the film, all steps being within the limits of all states.
    Film,
    /// When the budget was spent.
    Budget,
    /// When a step was over the limit of the state that it led to, or the run was lost.
    Lost,
}

/// What was met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passed {
    /// The highest mode of the stiffest state; where steps were over the limit, of the first state where they were.
    pub(super) highest: Spectrum,
    /// When that was.
    pub(super) time: f64,
    /// The longest step there.
    pub(super) longest: f64,
    /// How long the run was.
    pub(super) until: f64,
    /// Substeps a frame of the run.
    pub(super) substeps: u64,
    /// How it ended.
    pub(super) end: End,
}

/// What a film of so many frames passes through: in a run with the scene's substeps, and where that is lost, in the first one that is not,
/// with twice as many, four times as many and so on. `None` where no state has a limit.
pub(super) fn pass(setup: &Setup, frames: u64, budget: &mut Budget) -> Option<[Passed; 2]> {
    let own = look(setup, frames, budget)?;
    let mut last = own;
    while last.end == End::Lost && last.substeps <= MOST_SUBSTEPS / 2 {
        let finer = Setup { substeps: 2 * last.substeps, ..setup.clone() };
        last = look(&finer, frames, budget)?;
    }
    Some([own, last])
}

/// One run.
fn look(setup: &Setup, frames: u64, budget: &mut Budget) -> Option<Passed> {
    let mut run = Simulation::new(Arc::new(budget.left().bound(setup)));
    let bounding = BOUND * setup.model.springs.len() as u64;
    let step = setup.step_cost().saturating_add(bounding);
    let mut spent = 0;
    let nothing = Spectrum { omega: 0.0, damping: 0.0 };
    let mut passed = Passed {
        highest: nothing,
        time: 0.0,
        longest: f64::INFINITY,
        until: 0.0,
        substeps: setup.substeps,
        end: End::Film,
    };
    let mut bound = 0.0;
    for frame in 0..=frames {
        for _ in 0..if frame == 0 { 1 } else { setup.substeps } {
            if !budget.allows(1.0, step) {
                return Some(Passed { end: End::Budget, ..passed });
            }
            if frame > 0 {
                run.step();
            }
            budget.take(bounding + run.spent() - spent);
            spent = run.spent();
            if run.refusal().is_some() {
                return Some(Passed { end: End::Budget, ..passed });
            }
            passed.until = run.state().t;
            let here = frequency_bound(&run.system(), run.state());
            if here > RISE * bound {
                if !budget.spend(MODE, bounding) {
                    return Some(Passed { end: End::Budget, ..passed });
                }
                bound = here;
                passed.note(&run)?;
            }
            if !run.state().is_finite() || setup.dt() > passed.longest {
                return Some(Passed { end: End::Lost, ..passed });
            }
        }
        if run.is_out_of_order() {
            return Some(Passed { end: End::Lost, ..passed });
        }
    }
    Some(passed)
}

impl Passed {
    /// Takes the state of the run if it is stiffer than all before; `None` where no step is short enough for it.
    fn note(&mut self, run: &Simulation) -> Option<()> {
        let mode = largest_frequency_within(&run.system(), run.state(), EXACT);
        if mode.omega > self.highest.omega && mode.omega.is_finite() {
            (self.highest, self.time) = (mode, run.state().t);
            self.longest = oscillator(run.setup(), mode).longest_step(&run.setup().method)?;
        }
        Some(())
    }
}
