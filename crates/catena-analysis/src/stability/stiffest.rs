//! The stiffest state that a run passes through.
//!
//! Springs of other laws than Hooke's get stiffer or softer when they stretch, so the start tells
//! little about their limit. The body runs with its own method, and after each step a bound on its
//! highest frequency (Gershgorin) tells whether the state may be the stiffest so far; only then the
//! mode itself is computed. If a step exceeds the limit of a state, or the run is lost, the rest of
//! the run is no motion of the body. So it runs again with twice as many substeps, until all steps
//! are within the limits of all states.
//!
//! Under SHAKE tension limits the step in place of stiffness. Tension comes and goes, as in a whip,
//! and a wave needs many steps to grow. So a run is lost only where its steps exceed the limit for
//! long enough to make something of rounding.

use super::{oscillator::Oscillator, tension};
use crate::budget::StudyBudget;
use catena_sim::{
    Setup, Simulation,
    linear::spectrum::{Spectrum, largest_frequency_within, semi_implicit_limit, spectrum_bound},
};
use std::sync::Arc;

/// The factor by which the bound must rise before the mode is computed again.
const RISE: f64 = 1.02;
/// The relative tolerance of ω².
const EXACT: f64 = 1e-4;
/// Nanoseconds of one spring in the bound.
const BOUND: u64 = 40;
/// The cost of a mode, in bounds.
const MODE: f64 = 50.0;
/// The mode of a state is computed if its bound is above this many times the greatest mode so far,
/// and this number of steps has passed.
const NEAR: f64 = 1.004;
const PAUSE: u32 = 8;
/// The logarithm of the growth of a wave that loses a run.
const GROWTH: f64 = 12.0;
/// The most substeps that a scene may have.
pub(super) const MOST_SUBSTEPS: u64 = 1_000_000;

/// Cause of a limit that changes on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stiffening {
    /// Springs that follow another law than Hooke's.
    Law,
    /// The tension of held springs.
    Tension,
}

impl Stiffening {
    /// A bound on ω at the state of a run.
    fn bound(self, run: &Simulation) -> f64 {
        match self {
            Self::Law => spectrum_bound(&run.system(), run.state()).omega,
            Self::Tension => tension::bound(&run.setup().model, run.tensions().unwrap_or_default()),
        }
    }

    /// The highest mode there.
    fn mode(self, run: &Simulation) -> Spectrum {
        match self {
            Self::Law => largest_frequency_within(&run.system(), run.state(), EXACT),
            Self::Tension => {
                let tensions = run.tensions().unwrap_or_default();
                tension::mode(run.setup(), (run.state(), run.springs()), tensions, EXACT)
            }
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilmEnd {
    /// After all frames; all steps were within the limits of all states.
    Film,
    /// When the budget was spent.
    StudyBudget,
    /// When a step exceeded the limit of the state that it led to, or the run was lost.
    Lost,
}

/// The stiffest state that a run has met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StiffestState {
    /// The highest mode of the state; if steps exceeded the limit, of the first state where they
    /// did.
    pub(super) highest: Spectrum,
    /// The time of the state.
    pub(super) time: f64,
    /// The longest stable step there.
    pub(super) longest: f64,
    /// The time at which the run ended.
    pub(super) until: f64,
    /// Substeps a frame of that run.
    pub(super) substeps: u64,
    /// How it ended.
    pub(super) end: FilmEnd,
}

/// The stiffest states in so many frames: of a run with the scene's substeps, and of the first run
/// that is not lost, with twice as many substeps, four times as many and so on. `None` if a state
/// has no stable step.
pub(super) fn stiffest_states(
    setup: &Setup,
    stiffening: Stiffening,
    frames: u64,
    budget: &mut StudyBudget,
) -> Option<[StiffestState; 2]> {
    let own = run_film(setup, stiffening, frames, budget)?;
    let mut last = own;
    while last.end == FilmEnd::Lost && last.substeps <= MOST_SUBSTEPS / 2 {
        let finer = Setup { substeps: 2 * last.substeps, ..setup.clone() };
        last = run_film(&finer, stiffening, frames, budget)?;
    }
    Some([own, last])
}

/// Runs the frames, and notes the stiffest state.
fn run_film(
    setup: &Setup,
    stiffening: Stiffening,
    frames: u64,
    budget: &mut StudyBudget,
) -> Option<StiffestState> {
    let mut run = Simulation::new(Arc::new(budget.left().bound(setup)));
    if stiffening == Stiffening::Tension {
        run.keep_tensions();
    }
    let bounding = BOUND * setup.model.springs.len() as u64;
    let step = setup.step_cost().saturating_add(bounding);
    let mut spent = 0;
    let mut watched = WatchedRun::new(setup, stiffening);
    let ended = |watched: &WatchedRun, end| Some(StiffestState { end, ..watched.passed });
    for frame in 0..=frames {
        for _ in 0..if frame == 0 { 1 } else { setup.substeps } {
            if !budget.allows(1.0, step) {
                return ended(&watched, FilmEnd::StudyBudget);
            }
            if frame > 0 {
                run.step();
            }
            budget.take(bounding + run.spent() - spent);
            spent = run.spent();
            if run.refusal().is_some() {
                return ended(&watched, FilmEnd::StudyBudget);
            }
            if let Some(end) = watched.look(&run, budget, bounding)? {
                return ended(&watched, end);
            }
        }
        if run.is_out_of_order() {
            return ended(&watched, FilmEnd::Lost);
        }
    }
    Some(watched.passed)
}

/// A run that is watched step by step.
struct WatchedRun {
    stiffening: Stiffening,
    passed: StiffestState,
    /// The greatest bound of a state whose mode was computed.
    bound: f64,
    /// The logarithm of the growth of a wave in the last steps over the limit.
    growth: f64,
    /// Steps since a mode was computed.
    since: u32,
}

impl WatchedRun {
    fn new(setup: &Setup, stiffening: Stiffening) -> Self {
        let passed = StiffestState {
            highest: Spectrum { omega: 0.0, damping: 0.0 },
            time: 0.0,
            longest: f64::INFINITY,
            until: 0.0,
            substeps: setup.substeps,
            end: FilmEnd::Film,
        };
        Self { stiffening, passed, bound: 0.0, growth: 0.0, since: 0 }
    }

    /// Looks at the state after a step, and returns how the run ends there, if it does. `None` if
    /// no step is stable there.
    fn look(
        &mut self,
        run: &Simulation,
        budget: &mut StudyBudget,
        bounding: u64,
    ) -> Option<Option<FilmEnd>> {
        self.passed.until = run.state().t;
        let here = self.stiffening.bound(run);
        self.since += 1;
        // Light nodes tremble, so a bound may be far above its mode and hide a later, greater one.
        let is_greater = here > NEAR * self.passed.highest.omega && self.since >= PAUSE;
        let is_due = self.stiffening == Stiffening::Tension && is_greater;
        if here > RISE * self.bound || is_due {
            self.since = 0;
            if !budget.spend(MODE, bounding) {
                return Some(Some(FilmEnd::StudyBudget));
            }
            self.bound = here.max(self.bound);
            self.passed.note(run, self.stiffening)?;
        }
        let is_over = self.is_over(run.setup().dt(), here);
        Some((!run.state().is_finite() || is_over).then_some(FilmEnd::Lost))
    }

    /// Whether steps of dt exceed the limit, under tension for long enough. `here` is the bound of
    /// the state.
    fn is_over(&mut self, dt: f64, here: f64) -> bool {
        let longest = self.passed.longest;
        if self.stiffening == Stiffening::Law {
            return dt > longest;
        }
        // The limit of this state is about that of the stiffest so far in proportion.
        let share = (here / self.passed.highest.omega).min(1.0);
        let ratio = dt / longest * share;
        self.growth = if ratio > 1.0 { self.growth + 2.0 * libm::acosh(ratio) } else { 0.0 };
        self.growth > GROWTH
    }
}

impl StiffestState {
    /// Notes the state of the run if it is stiffer than all before; `None` if no step is stable
    /// there.
    fn note(&mut self, run: &Simulation, stiffening: Stiffening) -> Option<()> {
        let mode = stiffening.mode(run);
        if mode.omega > self.highest.omega && mode.omega.is_finite() {
            (self.highest, self.time) = (mode, run.state().t);
            self.longest = match stiffening {
                Stiffening::Law => {
                    Oscillator::of_mode(run.setup(), mode).longest_step(&run.setup().method)?
                }
                // Between its rods SHAKE is Störmer's method.
                Stiffening::Tension => semi_implicit_limit(mode.omega, mode.damping.max(0.0)),
            };
        }
        Some(())
    }
}
