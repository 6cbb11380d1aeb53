//! Finds the stiffest state of a run.
//!
//! Springs that do not follow Hooke's law become stiffer or softer when they stretch. So the
//! initial state does not determine the limit. The body runs with its own method. After each step a
//! bound on its highest frequency (Gershgorin) shows whether the state may be the stiffest so far;
//! only then is the mode computed. If a step exceeds the limit of a state, or the run diverges, the
//! rest of the run is invalid. The run is then repeated with twice as many substeps, until all
//! steps are within the limits of all states.
//!
//! Under SHAKE, tension limits the step instead of stiffness. Tension varies with time, as in a
//! whip, and a wave takes many steps to grow. So a run counts as unstable only if its steps exceed
//! the limit for long enough to amplify rounding errors visibly.

use super::oscillator::Oscillator;
use crate::budget::StudyBudget;
use catena_sim::{
    Bill, Blocks, Body, Force, Model, Setup, Simulation, SpringMemory, State, System,
    drive::Anchors,
    force::{Account, AtRest, ForceEnergy, jacobian::directional},
    linear::spectrum::{
        FrequencySearch, Spectrum, search_largest_frequency, semi_implicit_limit, spectrum_bound,
    },
};
use std::sync::Arc;

/// Factor by which the bound must rise before the mode is computed again.
const RISE: f64 = 1.02;
/// Relative tolerance of ω².
const EXACT: f64 = 1e-4;
/// Cost of the bound per spring and force of springs, in nanoseconds.
const BOUND: u64 = 70;
/// Minimum ratio of the bound to the highest mode so far at which a mode is computed under tension.
const NEAR: f64 = 1.004;
/// Minimum number of steps between two computed modes under tension, unless the bound rises by
/// [`RISE`].
const PAUSE: u32 = 8;
/// Logarithm of the growth of a wave that makes a run unstable.
const GROWTH: f64 = 12.0;
/// Maximum number of substeps that a scene may have.
pub(super) const MAX_SUBSTEPS: u64 = 1_000_000;

/// Cause of a limit that changes during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stiffening {
    /// Springs that do not follow Hooke's law.
    Law,
    /// Tension of springs whose lengths are enforced.
    Tension,
}

impl Stiffening {
    /// Upper bound on ω in the current state of a run.
    fn bound(self, run: &Simulation) -> f64 {
        match self {
            Self::Law => spectrum_bound(&run.system(), run.state()).omega,
            Self::Tension => tension_bound(&run.setup().model, run.tensions().unwrap_or_default()),
        }
    }

    /// Highest mode in the current state of a run, searched for at most `maximum` nanoseconds.
    fn mode(self, run: &Simulation, maximum: u64) -> FrequencySearch {
        match self {
            Self::Law => search_largest_frequency(&run.system(), run.state(), EXACT, maximum),
            Self::Tension => {
                let tensions = run.tensions().unwrap_or_default();
                let accuracy = Accuracy { exact: EXACT, maximum };
                tension_mode(run.setup(), run.state(), run.springs(), tensions, accuracy)
            }
        }
    }
}

/// Outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilmEnd {
    /// All frames are done, and all steps were within the limits of all states.
    Film,
    /// The budget was spent.
    StudyBudget,
    /// The run diverged, or a step exceeded the limit of the state that it led to.
    Lost,
}

/// Stiffest state of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StiffestState {
    /// Highest mode of the state. If steps exceeded the limit, the state is the first where they
    /// did.
    pub(super) highest: Spectrum,
    /// Simulated time of the state.
    pub(super) time: f64,
    /// Longest stable step in the state.
    pub(super) longest: f64,
    /// Simulated time at which the run ended.
    pub(super) until: f64,
    /// Substeps per frame of the run.
    pub(super) substeps: u64,
    /// Outcome of the run.
    pub(super) end: FilmEnd,
}

/// Finds the stiffest states of two runs of `frames` frames. The first run has the scene's
/// substeps; for the second they are doubled until the run survives. `None` if a state has no
/// stable step.
pub(super) fn find_stiffest_states(
    setup: &Setup,
    stiffening: Stiffening,
    frames: u64,
    budget: &mut StudyBudget,
) -> Option<[StiffestState; 2]> {
    let own = run_film(setup, stiffening, frames, budget)?;
    let mut last = own;
    while last.end == FilmEnd::Lost && last.substeps <= MAX_SUBSTEPS / 2 {
        let finer = Setup { substeps: 2 * last.substeps, ..setup.clone() };
        last = run_film(&finer, stiffening, frames, budget)?;
    }
    Some([own, last])
}

/// Returns the work of a bound on the highest frequency of a state, in nanoseconds: the derivatives
/// of all forces.
pub(super) fn bound_work(setup: &Setup) -> u64 {
    let (mut listed, springs) = (Bill::default(), setup.model.springs.len() as u64);
    setup.forces.iter().for_each(|force| listed.add_times(&force.jacobian_bill(&setup.model), 1));
    let of_springs = setup.forces.iter().filter(|force| force.spring_force().is_some()).count();
    let blocks = (of_springs.max(1) as u64).saturating_mul(springs);
    listed.amount().saturating_add(BOUND.saturating_mul(blocks))
}

/// Runs the frames and records the stiffest state.
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
    let bounding = bound_work(setup);
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
            if let Some(end) = watched.check_state(&run, budget)? {
                return ended(&watched, end);
            }
        }
        if run.is_out_of_order() {
            return ended(&watched, FilmEnd::Lost);
        }
    }
    Some(watched.passed)
}

/// Run whose states are checked after every step.
struct WatchedRun {
    stiffening: Stiffening,
    passed: StiffestState,
    /// Maximum bound of a state whose mode was computed.
    bound: f64,
    /// Logarithm of the growth of a wave over the latest steps above the limit.
    growth: f64,
    /// Number of steps since a mode was computed.
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

    /// Checks the state after a step. Returns the outcome if the run ends there. The outer `None`
    /// means that no step is stable in this state.
    fn check_state(
        &mut self,
        run: &Simulation,
        budget: &mut StudyBudget,
    ) -> Option<Option<FilmEnd>> {
        self.passed.until = run.state().t;
        let here = self.stiffening.bound(run);
        self.since += 1;
        // Light nodes vibrate, so a bound may be far above its mode and hide a later, larger one.
        let is_greater = here > NEAR * self.passed.highest.omega && self.since >= PAUSE;
        let is_due = self.stiffening == Stiffening::Tension && is_greater;
        if here > RISE * self.bound || is_due {
            self.since = 0;
            if !budget.allows(1.0, 1) {
                return Some(Some(FilmEnd::StudyBudget));
            }
            self.bound = here.max(self.bound);
            let found = self.stiffening.mode(run, budget.left().whole());
            budget.take(found.work);
            if !found.is_complete {
                return Some(Some(FilmEnd::StudyBudget));
            }
            self.passed.note(run, self.stiffening, found.spectrum)?;
        }
        let is_over = self.note_step(run.setup().dt(), here);
        Some((!run.state().is_finite() || is_over).then_some(FilmEnd::Lost))
    }

    /// Adds a step of `dt` to the growth under tension. Returns whether steps have exceeded the
    /// limit for long enough. `here` is the bound of the state.
    fn note_step(&mut self, dt: f64, here: f64) -> bool {
        let longest = self.passed.longest;
        if self.stiffening == Stiffening::Law {
            return dt > longest;
        }
        // The limit of this state is approximately the limit of the stiffest state so far, scaled
        // by the ratio of their bounds.
        let share = (here / self.passed.highest.omega).min(1.0);
        let ratio = dt / longest * share;
        self.growth = if ratio > 1.0 { self.growth + 2.0 * libm::acosh(ratio) } else { 0.0 };
        self.growth > GROWTH
    }
}

impl StiffestState {
    /// Records the state of the run, with this highest mode, if it is stiffer than all before.
    /// Returns `None` if no step is stable there.
    fn note(&mut self, run: &Simulation, stiffening: Stiffening, mode: Spectrum) -> Option<()> {
        if mode.omega > self.highest.omega && mode.omega.is_finite() {
            (self.highest, self.time) = (mode, run.state().t);
            self.longest = match stiffening {
                Stiffening::Law => {
                    Oscillator::of_mode(run.setup(), mode).longest_step(&run.setup().method)?
                }
                // Between length corrections, SHAKE is Störmer's method.
                Stiffening::Tension => semi_implicit_limit(mode.omega, mode.damping.max(0.0)),
            };
        }
        Some(())
    }
}

/// Tension of springs with enforced lengths, independent of their length.
#[derive(Debug)]
struct Pull {
    tensions: Vec<f64>,
}
catena_sim::identity!(Pull { tensions });

impl Force for Pull {
    fn add_to(&self, _body: &Body<'_>, _state: &State, _f: &mut [f64]) {}

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let model = body.model;
        for (spring, tension) in model.held().iter().zip(&self.tensions) {
            let (d, length) = model.span(&state.x, spring);
            if length > 0.0 {
                let u = d.map(|component| component / length);
                let by_x = directional(model.axes, &u, 0.0, tension / length);
                blocks.add_pair(spring.a, spring.b, by_x, [[0.0; 3]; 3]);
            }
        }
    }

    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}

/// Accuracy of the search for a mode.
pub(super) struct Accuracy {
    /// Relative tolerance of ω².
    pub(super) exact: f64,
    /// Maximum work in nanoseconds.
    pub(super) maximum: u64,
}

/// Highest mode of a body in a state, given with the memory of its springs, whose enforced springs
/// have the given tensions.
pub(super) fn tension_mode(
    setup: &Setup,
    state: &State,
    springs: &SpringMemory,
    tensions: &[f64],
    accuracy: Accuracy,
) -> FrequencySearch {
    let is_external = |force: &&Arc<dyn Force>| !force.is_held();
    let mut forces: Vec<Arc<dyn Force>> =
        setup.forces.iter().filter(is_external).cloned().collect();
    forces.push(Arc::new(Pull { tensions: tensions.to_vec() }));
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let system = System::new(&setup.model, springs, &forces, &anchors);
    search_largest_frequency(&system, state, accuracy.exact, accuracy.maximum)
}

/// Upper bound on ω of transverse waves under tension: ω² ≤ max 2 Σ T/(m l), where the sum is over
/// the springs of a node (Gershgorin).
pub(super) fn tension_bound(model: &Model, tensions: &[f64]) -> f64 {
    let mut sums = vec![0.0; model.nodes()];
    for (spring, tension) in model.held().iter().zip(tensions) {
        let share = tension.max(0.0) / spring.rest_length;
        sums[spring.a] += share;
        sums[spring.b] += share;
    }
    let free = (0..model.nodes()).filter(|&i| !model.pinned[i]);
    free.map(|i| 2.0 * sums[i] / model.mass[i]).fold(0.0, f64::max).sqrt()
}
