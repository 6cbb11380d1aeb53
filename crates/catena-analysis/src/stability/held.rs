//! Longest stable step of methods that correct lengths instead of integrating springs. The limit
//! comes from forces that the method still integrates and, under SHAKE, from tension.

use super::stiffest;
use super::stiffest::{
    Accuracy, FilmEnd, Stiffening, StiffestState, bound_work, find_stiffest_states,
};
use crate::stability::prediction::{LimitCause, LimitReach, ModePlace, Prediction};
use crate::{
    budget::{CoreTime, StudyBudget},
    lengths::length_warning,
    shape::chain_tensions,
};
use catena_sim::{
    Budget, Checkpoint, Force, Setup, Simulation, SpringMemory, State, System,
    body::hanging::LinkLaw,
    contact::Contacts,
    drive::Anchors,
    force::SpringForce,
    linear::spectrum::{Spectrum, semi_implicit_limit, spectrum_bound},
    method::control::Fixed,
};
use std::sync::Arc;

/// Budget of a run of all frames in the study of one body.
pub(super) const RUNNING: CoreTime = CoreTime { seconds: 0.2 };
/// Budget of the growth search, as a multiple of a run's budget.
const GROWING: f64 = 1.5;
/// Value of γdt of the forces below which a step may be safe without further checks; see [`SAFE`].
const SAFE_DAMPING: f64 = 0.1;
/// Value of ωdt of the forces below which a step is safe without further checks, if γdt is also
/// below [`SAFE_DAMPING`]. For waves under tension alone, the value is twice as large.
const SAFE: f64 = 0.5;
/// Factor on the sum of all loads for the tension assumed before a run.
const LOADS: f64 = 8.0;
/// Relative difference within which a measured limit and the bound count as equal.
const NEAR: f64 = 0.02;
/// Relative tolerance of ω².
const EXACT: f64 = 1e-10;

/// Longest stable step of a method that corrects lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HeldLimit {
    /// Predicted limit and its cause.
    pub(super) prediction: Prediction,
    /// Substeps per frame of the run that stayed within the limit in all frames; `None` for limits
    /// that are not found by runs.
    pub(super) kept_by: Option<u64>,
}

/// Maximum cost of a prediction.
pub fn max_work() -> CoreTime {
    RUNNING.times(1.0 + GROWING)
}

/// Predicts the longest stable step of a method that integrates no springs, over `frames` frames.
/// Returns `None` if no limit is known. `is_quick` skips forces that are known not to limit the
/// scene's step. `running` is the budget of a run of all frames. Adds the nanoseconds of all
/// searches to `work`.
pub(super) fn predict(
    setup: &Setup,
    frames: u64,
    is_quick: bool,
    running: CoreTime,
    work: &mut u64,
) -> Option<HeldLimit> {
    let of_forces = forces(setup, is_quick, running.times(GROWING), work);
    let of_tension = under_tension(setup, frames, is_quick, running, work);
    let step = |found: &HeldLimit| found.prediction.longest_step.unwrap_or(f64::INFINITY);
    of_forces
        .into_iter()
        .chain(of_tension)
        .reduce(|found, next| if step(&next) < step(&found) { next } else { found })
}

/// Limit by forces that the method still integrates: friction in springs, bending springs, soft
/// pins.
fn forces(setup: &Setup, is_quick: bool, growing: CoreTime, work: &mut u64) -> Option<HeldLimit> {
    let is_external = |force: &&Arc<dyn Force>| !force.is_held();
    let forces: Vec<Arc<dyn Force>> = setup.forces.iter().filter(is_external).cloned().collect();
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    let system = System::new(&setup.model, &memory, &forces, &anchors);
    *work += bound_work(setup);
    let bound = spectrum_bound(&system, &setup.initial);
    let dt = setup.dt();
    let is_safe = bound.omega * dt < SAFE && bound.damping * dt < SAFE_DAMPING;
    let is_known = bound.omega.is_finite() && bound.damping.is_finite();
    let has_friction = forces.iter().any(|force| is_friction(force.as_ref()));
    let has_limit = bound.omega > 0.0 || has_friction;
    if !is_known || is_safe && (is_quick || !has_limit) {
        return None;
    }
    let guess = semi_implicit_limit(bound.omega, bound.damping);
    // Forces that act on pins alone move nothing.
    if !guess.is_finite() {
        return None;
    }
    let mut budget = StudyBudget::new(growing);
    let found = find_growth_limit(setup, guess, 4.0 * dt.max(guess), &mut budget);
    *work += budget.spent_of(growing);
    let (longest, reach) = match found {
        // If corrections leave a motion unchanged, the bound is the limit.
        GrowthLimit::At(step) if (step / guess - 1.0).abs() < NEAR => {
            (step.min(guess), LimitReach::Whole)
        }
        GrowthLimit::At(step) => (step, LimitReach::Whole),
        GrowthLimit::None => return None,
        // SHAKE and XPBD leave such a motion unchanged, so the bound itself is the limit.
        GrowthLimit::Unknown if matches!(setup.method.info().name, "Shake" | "Xpbd") => {
            (guess, LimitReach::Whole)
        }
        GrowthLimit::Unknown if is_quick => return None,
        GrowthLimit::Unknown => (guess, LimitReach::Uncorrected),
    };
    let is_of_friction = has_friction && bound.damping >= bound.omega;
    let cause = if is_of_friction { LimitCause::Friction } else { LimitCause::Forces };
    let prediction = Prediction {
        highest: bound,
        place: ModePlace::Start,
        longest_step: Some(longest),
        reach,
        cause,
        is_rest_known: true,
    };
    Some(HeldLimit { prediction, kept_by: None })
}

/// Whether a force is friction inside springs.
fn is_friction(force: &dyn Force) -> bool {
    matches!(force.spring_force(), Some(SpringForce::Damping(_) | SpringForce::Friction(_)))
}

/// Limit by tension, at the start, during the run, or in the hanging rest shape.
fn under_tension(
    setup: &Setup,
    frames: u64,
    is_quick: bool,
    running: CoreTime,
    work: &mut u64,
) -> Option<HeldLimit> {
    if setup.method.info().name != "Shake" || is_quick && is_safe_by_loads(setup) {
        return None;
    }
    // Tensions are meaningless if lengths cannot be kept.
    if length_warning(setup, frames).is_some() {
        return None;
    }
    let at_rest = at_rest(setup, work);
    let mut budget = StudyBudget::new(running);
    let passing = find_stiffest_states(setup, Stiffening::Tension, frames, &mut budget);
    *work += budget.spent_of(running);
    let passing = passing.and_then(|states| of_run(setup, states));
    let step = |found: &HeldLimit| found.prediction.longest_step.unwrap_or(f64::INFINITY);
    let all = at_rest.into_iter().chain(passing);
    all.reduce(|found, next| if step(&next) < step(&found) { next } else { found })
}

/// Whether loads are too small for a tension that limits the step. Returns `false` for bodies that
/// start in motion, or that anything other than loads moves.
fn is_safe_by_loads(setup: &Setup) -> bool {
    let Setup { model, initial, forces, .. } = setup;
    let is_still = initial.v.iter().all(|v| *v == 0.0)
        && setup.anchors.is_empty()
        && setup.lengths.is_empty()
        && setup.impulses.is_empty()
        && setup.events.is_empty()
        && setup.contacts.colliders.iter().all(|collider| collider.motion().is_none());
    let load: f64 = forces.iter().map(|force| force.load_from(model, initial)).sum();
    let tensions = vec![LOADS * load; model.held];
    is_still && stiffest::tension_bound(model, &tensions) * setup.dt() < 2.0 * SAFE
}

/// Limit of a chain that hangs at rest.
fn at_rest(setup: &Setup, work: &mut u64) -> Option<HeldLimit> {
    let x = setup.hanging_chain(LinkLaw::Rigid)?;
    let tensions = chain_tensions(setup, &x);
    if !tensions.iter().all(|tension| tension.is_finite()) {
        return None;
    }
    let rest = State::at_rest(x);
    let springs = SpringMemory::default();
    let accuracy = Accuracy { exact: EXACT, maximum: u64::MAX };
    let found = stiffest::tension_mode(setup, &rest, &springs, &tensions, accuracy);
    *work += found.work;
    of_mode(found.spectrum, ModePlace::Rest, LimitReach::Whole, None)
}

/// Limit from the run with the scene's substeps and from the run that survived. A step that
/// survived all frames is stable, even if tension briefly exceeds its limit.
fn of_run(setup: &Setup, [own, last]: [StiffestState; 2]) -> Option<HeldLimit> {
    let (stiffest, reach, kept_by) = match (own.end, last.end) {
        (FilmEnd::Film, _) | (_, FilmEnd::Film) => (last, LimitReach::Whole, Some(last.substeps)),
        (FilmEnd::StudyBudget, _) => (last, LimitReach::Until(last.until), None),
        (FilmEnd::Lost, _) => (own, LimitReach::TooLong, None),
    };
    let place = ModePlace::Passing { time: stiffest.time };
    let mut found = of_mode(stiffest.highest, place, reach, kept_by)?;
    if let Some(substeps) = kept_by {
        let step = found.prediction.longest_step;
        let kept = setup.frame_time / substeps as f64;
        found.prediction.longest_step = step.map(|step| step.max(kept));
    }
    Some(found)
}

fn of_mode(
    highest: Spectrum,
    place: ModePlace,
    reach: LimitReach,
    kept_by: Option<u64>,
) -> Option<HeldLimit> {
    if !(highest.omega.is_finite() && highest.omega > 0.0) {
        return None;
    }
    let longest = semi_implicit_limit(highest.omega, highest.damping.max(0.0));
    let prediction = Prediction {
        highest,
        place,
        longest_step: Some(longest),
        reach,
        cause: LimitCause::Tension,
        is_rest_known: true,
    };
    Some(HeldLimit { prediction, kept_by })
}

/// Minimum number of steps of a trial before growth is measured.
const STARTING: u64 = 40;
/// Number of steps of a trial over which growth is measured.
const COUNTED: u64 = 40;
/// Number of additional steps per node before growth is measured, except under SHAKE and XPBD.
/// Sweeps of the other methods move a disturbance along the body while they amplify it, so it must
/// first have had time to cross the body.
const CARRYING: u64 = 8;
/// Maximum number of additional steps before growth is measured; see [`CARRYING`].
const MAX_CARRYING: u64 = 800;
/// Growth per step that indicates instability, and a second value from which the limit is
/// extrapolated. A body that falls or swings grows by far less.
const GROWN: [f64; 2] = [1.05, 1.1];
/// Size of the differences, as a share of the shortest spring.
const SMALL: f64 = 1e-6;
/// First step tried, as a share of the guess.
const FIRST: f64 = 0.05;
/// Ratio of a step tried to the previous one, until motions grow.
const FACTOR: f64 = std::f64::consts::SQRT_2;
/// Maximum number of halvings of the first step while it is unstable.
const HALVINGS: u32 = 12;
/// Relative tolerance of the bisection.
const STEP_TOLERANCE: f64 = 1e-4;
/// Approximate number of steps tried in a whole search.
const TRIALS: f64 = 40.0;
/// Cost in nanoseconds of linearizing a step, in addition to the step itself.
const OVERHEAD: u64 = 2000;

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
enum GrowthLimit {
    /// Longest stable step, below the first that grows.
    At(f64),
    /// No step grows, up to the longest one tried.
    None,
    /// The budget was spent.
    Unknown,
}

/// Searches for the longest stable step about the initial state, from well below `guess` up to
/// `maximum`.
fn find_growth_limit(
    setup: &Setup,
    guess: f64,
    maximum: f64,
    budget: &mut StudyBudget,
) -> GrowthLimit {
    let mut search = GrowthSearch { setup, budget, starting: starting(setup) };
    if !search.affords(TRIALS) && search.changes_near(guess) {
        return GrowthLimit::At(guess);
    }
    search.run(guess, maximum).unwrap_or(GrowthLimit::Unknown)
}

struct GrowthSearch<'a> {
    setup: &'a Setup,
    budget: &'a mut StudyBudget,
    /// Steps before growth is measured.
    starting: u64,
}

/// Number of steps before growth is measured.
fn starting(setup: &Setup) -> u64 {
    match setup.method.info().name {
        "Shake" | "Xpbd" => STARTING,
        _ => STARTING + (CARRYING * setup.model.nodes() as u64).min(MAX_CARRYING),
    }
}

impl GrowthSearch<'_> {
    /// Cost in nanoseconds of a step of a trial.
    fn price(&self) -> u64 {
        self.setup.step_cost().saturating_add(OVERHEAD)
    }

    /// Whether the budget allows this number of trials.
    fn affords(&self, trials: f64) -> bool {
        self.budget.allows(trials * (self.starting + COUNTED) as f64, self.price())
    }

    /// Tests whether motions grow with a step just above the guess, but not with one just below it.
    /// Spends the budget of up to two trials.
    fn changes_near(&mut self, guess: f64) -> bool {
        self.grows((1.0 - NEAR) * guess, GROWN[0]) == Some(false)
            && self.grows((1.0 + NEAR) * guess, GROWN[0]) == Some(true)
    }

    /// Runs the search. Returns `None` if the budget is spent.
    fn run(&mut self, guess: f64, maximum: f64) -> Option<GrowthLimit> {
        let mut stable = FIRST * guess;
        let mut halvings = 0;
        while self.grows(stable, GROWN[0])? {
            halvings += 1;
            if halvings > HALVINGS {
                return Some(GrowthLimit::At(stable));
            }
            stable *= 0.5;
        }
        let mut lost = stable * FACTOR;
        while !self.grows(lost, GROWN[0])? {
            if lost > maximum {
                return Some(GrowthLimit::None);
            }
            (stable, lost) = (lost, lost * FACTOR);
        }
        let first = self.bisect([stable, lost], GROWN[0])?;
        let mut further = first * 1.02;
        while !self.grows(further, GROWN[1])? {
            if further > 4.0 * first {
                return Some(GrowthLimit::At(first));
            }
            further = first + 2.0 * (further - first);
        }
        let second = self.bisect([first, further], GROWN[1])?;
        // Above the limit, growth is approximately proportional to the excess of the step.
        let share = (GROWN[0] - 1.0) / (GROWN[1] - GROWN[0]);
        Some(GrowthLimit::At((first - share * (second - first)).max(0.5 * first)))
    }

    /// Finds the step whose growth is `growth` by bisection between a step with less and a step
    /// with more. Returns `None` if the budget is spent.
    fn bisect(&mut self, [mut low, mut high]: [f64; 2], growth: f64) -> Option<f64> {
        while high - low > STEP_TOLERANCE * high {
            let middle = 0.5 * (low + high);
            if self.grows(middle, growth)? { high = middle } else { low = middle }
        }
        Some(0.5 * (low + high))
    }

    fn grows(&mut self, dt: f64, growth: f64) -> Option<bool> {
        let is_paid = self.budget.spend((self.starting + COUNTED) as f64, self.price());
        is_paid.then(|| StepMap::new(self.setup, dt).measure_growth(self.starting) > growth)
    }
}

/// Linearized map of one step about a state.
///
/// A method that corrects lengths has no model problem: the effect of its corrections depends on
/// the body and on the number of iterations. So one step is linearized by differences of two nearby
/// steps, and applied repeatedly (power iteration). The velocity then grows by the spectral radius
/// of that map. Forces that the method still integrates, such as friction in springs, make the
/// radius exceed 1 above some step.
struct StepMap {
    run: Simulation,
    base: Checkpoint,
    end: Checkpoint,
    dt: f64,
    length: f64,
}

/// Small difference of two states: positions, velocities and the method's memory.
struct StateDifference {
    x: Vec<f64>,
    v: Vec<f64>,
    memory: Vec<f64>,
}

impl StepMap {
    fn new(setup: &Setup, dt: f64) -> Self {
        let bare = Setup {
            frame_time: dt,
            substeps: 1,
            contacts: Contacts::default(),
            impulses: Vec::new(),
            events: Vec::new(),
            flow: None,
            breaks_at: None,
            warm_up: 0,
            strain_limit: f64::INFINITY,
            step_control: Arc::new(Fixed {}),
            budget: Budget::UNLIMITED,
            ..setup.clone()
        };
        let mut run = Simulation::new(Arc::new(bare));
        // The first step of a method may differ from all others.
        run.step();
        let base = run.checkpoint();
        run.step();
        let end = run.checkpoint();
        Self { run, base, end, dt, length: setup.model.shortest_spring() }
    }

    /// Measures the growth of velocities per step, after `starting` steps. Returns infinity if
    /// values are not finite.
    fn measure_growth(&mut self, starting: u64) -> f64 {
        let mut difference = self.start();
        let mut logarithm = 0.0;
        for step in 0..starting + COUNTED {
            let size = self.size(&difference);
            if !(size > 0.0 && size.is_finite()) {
                return if size == 0.0 { 0.0 } else { f64::INFINITY };
            }
            let before = speed(&difference);
            difference = self.apply(&difference, SMALL * self.length / size);
            if step >= starting {
                logarithm += libm::log(speed(&difference) / before);
            }
        }
        let growth = libm::exp(logarithm / COUNTED as f64);
        if growth.is_finite() { growth } else { f64::INFINITY }
    }

    /// Initial difference that contains every motion: pseudo-random numbers, 0 for pins.
    fn start(&self) -> StateDifference {
        let pinned = &self.run.setup().model.pinned;
        let mut bits = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = |index: usize| {
            // Xorshift generator (Marsaglia 2003).
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let value = (bits >> 11) as f64 / 9_007_199_254_740_992.0 - 0.5;
            if pinned[index % pinned.len()] { 0.0 } else { value }
        };
        let count = self.base.state.x.len();
        let x: Vec<f64> = (0..count).map(&mut random).collect();
        let v: Vec<f64> = (0..count).map(|index| random(index) / self.dt).collect();
        // A memory of this size holds the previous positions.
        let memory = match self.base.method.len() == count {
            true => x.iter().zip(&v).map(|(x, v)| x - v * self.dt).collect(),
            false => vec![0.0; self.base.method.len()],
        };
        StateDifference { x, v, memory }
    }

    /// Maximum component of a difference, as a length.
    fn size(&self, of: &StateDifference) -> f64 {
        let velocities = of.v.iter().map(|v| v * self.dt);
        let all = of.x.iter().copied().chain(velocities).chain(of.memory.iter().copied());
        all.fold(
            0.0,
            |maximum, value| if value.is_nan() { f64::NAN } else { value.abs().max(maximum) },
        )
    }

    /// Applies the map to a difference by a step from the displaced base state. The difference
    /// times `scale` must be small.
    fn apply(&mut self, of: &StateDifference, scale: f64) -> StateDifference {
        let mut start = self.base.clone();
        let add = |to: &mut Vec<f64>, of: &[f64]| {
            to.iter_mut().zip(of).for_each(|(to, of)| *to += scale * of);
        };
        add(&mut start.state.x, &of.x);
        add(&mut start.state.v, &of.v);
        add(&mut start.method, &of.memory);
        self.run.restore(&start);
        self.run.step();
        let end = self.run.checkpoint();
        let over = |end: &[f64], base: &[f64]| -> Vec<f64> {
            end.iter().zip(base).map(|(end, base)| (end - base) / scale).collect()
        };
        StateDifference {
            x: over(&end.state.x, &self.end.state.x),
            v: over(&end.state.v, &self.end.state.v),
            memory: over(&end.method, &self.end.method),
        }
    }
}

/// Norm of all velocities.
fn speed(of: &StateDifference) -> f64 {
    of.v.iter().map(|v| v * v).sum::<f64>().sqrt()
}
