//! Longest stable step of a method that corrects lengths, measured with its own step on the actual
//! body.
//!
//! Such a method has no model problem: the effect of its corrections depends on the body and on the
//! number of iterations. So one step is linearized about a state by differences of two nearby
//! steps, and applied repeatedly (power iteration). The velocity then grows by the spectral radius
//! of that map. Forces that remain forces, such as friction in springs, make it exceed 1 above some
//! step.

use crate::budget::StudyBudget;
use catena_sim::{
    Budget, Checkpoint, Setup, Simulation, contact::Contacts, method::control::Fixed,
};
use std::sync::Arc;

/// Steps before growth is measured, and steps over which it is measured.
const STARTING: u64 = 40;
const COUNTED: u64 = 40;
/// Additional steps per node before growth is measured, and their maximum. They apply to methods
/// whose sweeps carry a motion along the body and amplify it on the way.
const CARRYING: u64 = 8;
const MOST_CARRYING: u64 = 800;
/// Growth per step that indicates instability, and a second value from which the limit is
/// extrapolated. A body that falls or swings grows by far less.
const GROWN: [f64; 2] = [1.05, 1.1];
/// Size of the differences, as a share of the shortest spring.
const SMALL: f64 = 1e-6;
/// First step tried, as a share of the guess, and the ratio of consecutive steps.
const FIRST: f64 = 0.05;
const FACTOR: f64 = std::f64::consts::SQRT_2;
/// Maximum number of halvings of the first step while it is unstable.
const HALVINGS: u32 = 12;
/// Relative tolerance of the bisection.
const EXACT: f64 = 1e-4;
/// Cost in nanoseconds of linearizing a step, in addition to the step itself.
const OVERHEAD: u64 = 2000;

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GrowthLimit {
    /// Longest stable step, below the first that grows.
    At(f64),
    /// No step grows, up to the longest one tried.
    None,
    /// The budget was spent.
    Unknown,
}

/// Searches the longest stable step about the initial state, from well below `guess` up to `most`.
pub(super) fn limit(setup: &Setup, guess: f64, most: f64, budget: &mut StudyBudget) -> GrowthLimit {
    let mut search = Search { setup, budget, starting: starting(setup) };
    search.run(guess, most).unwrap_or(GrowthLimit::Unknown)
}

struct Search<'a> {
    setup: &'a Setup,
    budget: &'a mut StudyBudget,
    /// Steps before growth is measured.
    starting: u64,
}

/// Number of steps before growth is measured.
fn starting(setup: &Setup) -> u64 {
    match setup.method.info().name {
        "Shake" | "Xpbd" => STARTING,
        _ => STARTING + (CARRYING * setup.model.nodes() as u64).min(MOST_CARRYING),
    }
}

impl Search<'_> {
    /// Runs the search. Returns `None` if the budget is spent.
    fn run(&mut self, guess: f64, most: f64) -> Option<GrowthLimit> {
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
            if lost > most {
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

    /// Step with growth `growth`, between a step with less and a step with more.
    fn bisect(&mut self, [mut low, mut high]: [f64; 2], growth: f64) -> Option<f64> {
        while high - low > EXACT * high {
            let middle = 0.5 * (low + high);
            if self.grows(middle, growth)? { high = middle } else { low = middle }
        }
        Some(0.5 * (low + high))
    }

    fn grows(&mut self, dt: f64, growth: f64) -> Option<bool> {
        let price = self.setup.step_cost().saturating_add(OVERHEAD);
        let is_paid = self.budget.spend((self.starting + COUNTED) as f64, price);
        is_paid.then(|| StepMap::new(self.setup, dt).growth(self.starting) > growth)
    }
}

/// Linearized map of one step about a state.
struct StepMap {
    run: Simulation,
    base: Checkpoint,
    end: Checkpoint,
    dt: f64,
    length: f64,
}

/// Small difference of two states: positions, velocities and the method's memory.
struct Difference {
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

    /// Growth of velocities per step, measured after `starting` steps; infinite if values are not
    /// finite.
    fn growth(&mut self, starting: u64) -> f64 {
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
    fn start(&self) -> Difference {
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
        Difference { x, v, memory }
    }

    /// Maximum component of a difference, as a length.
    fn size(&self, of: &Difference) -> f64 {
        let velocities = of.v.iter().map(|v| v * self.dt);
        let all = of.x.iter().copied().chain(velocities).chain(of.memory.iter().copied());
        all.fold(0.0, |most, value| if value.is_nan() { f64::NAN } else { value.abs().max(most) })
    }

    /// Image of a difference under the map. The difference times `scale` must be small.
    fn apply(&mut self, of: &Difference, scale: f64) -> Difference {
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
        Difference {
            x: over(&end.state.x, &self.end.state.x),
            v: over(&end.state.v, &self.end.state.v),
            memory: over(&end.method, &self.end.method),
        }
    }
}

/// Norm of all velocities.
fn speed(of: &Difference) -> f64 {
    of.v.iter().map(|v| v * v).sum::<f64>().sqrt()
}
