//! Behaviour of a method on the model problem u'' + γ u' + ω² u = 0: boundedness and frequency.
//!
//! The method itself runs with its options on one mass (see `AmplificationMatrix`). So no formula
//! is derived by hand, and the damping of the method is included.

use catena_sim::{
    Arrangement, Blocks, Body, Budget, Checkpoint, Force, Method, Model, Setup, Simulation, Spring,
    State,
    contact::Contacts,
    diagonal,
    force::{Account, AtRest, Drag, ForceEnergy},
    linear::spectrum::Spectrum,
    method::control::Fixed,
};
use std::sync::Arc;

/// Growth per step, minus 1, above which a step is unstable. Rounding stays below it.
pub(super) const GROWTH: f64 = 1e-12;
/// Shortest step tried, as a power of 2 divided by the rate of the problem.
const SHORTEST: i32 = -8;
/// Longest step tried, in the same unit. With longer steps, rounding errors grow as fast as a
/// method could.
const LONGEST: i32 = 14;
/// Number of steps tried per power of 2. A narrower range of unstable steps may be missed.
const STEPS_A_POWER: i32 = 4;
/// Relative tolerance of the longest step.
const EXACT: f64 = 1e-6;
/// Relative difference up to which a limit that was searched is the one of the table of methods.
/// Close to its limit, a method grows by less than rounding.
const NEAR: f64 = 1e-5;
/// Value of ωdt for methods that grow at every step without damping. Below this value, the limit of
/// their growth as ωdt tends to 0 is used.
const SMALL: f64 = 1e-2;

/// Model problem with ω > 0 and γ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// Angular frequency ω, in radians per unit of time.
    pub omega: f64,
    /// Damping rate γ, per unit of time.
    pub damping: f64,
    /// Factors applied to velocities and positions after each step, as in a [`Setup`].
    pub factors: [f64; 2],
}

impl Oscillator {
    /// Model problem of a mode of a body, with the factors of its setup.
    pub(super) fn of_mode(setup: &Setup, mode: Spectrum) -> Self {
        let factors = [setup.velocity_factor, setup.position_factor];
        Self { factors, ..Self::new(mode.omega, mode.damping.max(0.0)) }
    }

    /// Model problem without factors.
    pub const fn new(omega: f64, damping: f64) -> Self {
        Self { omega, damping, factors: [1.0; 2] }
    }

    /// Growth of the motion per step of `dt`: the spectral radius of the amplification matrix.
    /// Infinite if a step overflows.
    pub fn growth(self, method: &Arc<dyn Method>, dt: f64) -> f64 {
        let step = self.step(method, dt);
        step.radius_of_two().unwrap_or_else(|| step.radius())
    }

    fn step(self, method: &Arc<dyn Method>, dt: f64) -> AmplificationMatrix {
        let Self { omega, damping, factors } = self;
        let problem = ModelProblem { omega: omega * dt, damping: damping * dt, factors };
        AmplificationMatrix::of(problem, method)
    }

    /// Whether a method with step `dt` keeps the motion bounded.
    pub fn is_bounded(self, method: &Arc<dyn Method>, dt: f64) -> bool {
        let is_slow = self.omega * dt < SMALL && self.damping * dt < SMALL;
        match is_slow.then(|| Growth::of(method)).flatten() {
            Some(growth) => growth.at(self.omega * dt) <= self.decay(dt),
            None => self.does_not_grow(method, dt),
        }
    }

    fn does_not_grow(self, method: &Arc<dyn Method>, dt: f64) -> bool {
        self.step(method, dt).radius() <= 1.0 + GROWTH
    }

    /// Relative decay of the amplitude in a short step, by damping and factors.
    fn decay(self, dt: f64) -> f64 {
        let [of_velocity, of_position] = self.factors;
        0.5 * (self.damping * dt + (1.0 - of_velocity) + (1.0 - of_position))
    }

    /// Longest step up to which all steps keep the motion bounded. Infinite if every step does.
    /// `None` if no step does, as with a method that adds energy to an undamped motion.
    pub fn longest_step(self, method: &Arc<dyn Method>) -> Option<f64> {
        if let Some(growth) = Growth::of(method) {
            let longest = self.balance(growth)?;
            if self.omega * longest < SMALL {
                return Some(longest);
            }
        }
        self.first_lost(method)
    }

    /// Step at which damping and factors balance the growth of the method; `None` if there is no
    /// damping.
    fn balance(self, growth: Growth) -> Option<f64> {
        let is_bounded = |dt: f64| growth.at(self.omega * dt) <= self.decay(dt);
        if self.decay(1.0 / self.omega) <= 0.0 {
            return None;
        }
        // Bisects the logarithm, between the smallest number and one radian.
        let (mut low, mut high) = (libm::log(f64::MIN_POSITIVE), -libm::log(self.omega));
        if is_bounded(libm::exp(high)) {
            return Some(libm::exp(high));
        }
        while high - low > EXACT {
            let middle = 0.5 * (low + high);
            if is_bounded(libm::exp(middle)) { low = middle } else { high = middle }
        }
        Some(libm::exp(low))
    }

    /// Longest step before the first that grows, searched from short steps to long ones.
    fn first_lost(self, method: &Arc<dyn Method>) -> Option<f64> {
        let unit = 1.0 / self.omega.max(self.damping);
        let step = |n: i32| unit * libm::exp2(f64::from(n) / f64::from(STEPS_A_POWER));
        let mut numbers = STEPS_A_POWER * SHORTEST..=STEPS_A_POWER * LONGEST;
        let Some(lost) = numbers.find(|&n| !self.does_not_grow(method, step(n))) else {
            return Some(f64::INFINITY);
        };
        if lost == STEPS_A_POWER * SHORTEST {
            return None;
        }
        let (mut low, mut high) = (step(lost - 1), step(lost));
        while high - low > EXACT * high {
            let middle = 0.5 * (low + high);
            if self.does_not_grow(method, middle) { low = middle } else { high = middle }
        }
        Some(self.exact_limit(method).filter(|it| (low / it - 1.0).abs() < NEAR).unwrap_or(low))
    }

    /// Limit of an oscillator without damping and factors, from the table of methods.
    fn exact_limit(self, method: &Arc<dyn Method>) -> Option<f64> {
        let is_plain = self.damping == 0.0 && self.factors == [1.0; 2];
        let limit = method.info().limit.filter(|limit| is_plain && *limit > 0.0)?;
        Some(limit / self.omega)
    }

    /// Frequency and growth of the numerical motion at step `dt`, after its transient. `None` if it
    /// does not oscillate.
    pub fn motion(self, method: &Arc<dyn Method>, dt: f64) -> Option<NumericalMotion> {
        let Recursion { p, q, stride } = self.recursion(method, dt)?;
        let cosine = 0.5 * p / q.sqrt();
        (cosine.abs() < 1.0).then(|| NumericalMotion {
            frequency: libm::acos(cosine) / (dt * stride),
            growth: libm::pow(q.sqrt(), 1.0 / stride),
        })
    }

    /// Recursion u(n+1) = p u(n) - q u(n-1) of a run, fitted by least squares (Prony 1795). A
    /// motion with growth r and angle θ per step has p = 2 r cos θ and q = r². `None` if the run
    /// does not follow such a recursion, or is too short for a fit.
    fn recursion(self, method: &Arc<dyn Method>, dt: f64) -> Option<Recursion> {
        let step = self.step(method, dt);
        // If a step is a small fraction of a period, neighbouring samples hardly differ.
        let stride = (TURN / (self.omega * dt)).clamp(1.0, 1e18) as u64;
        let strides = step.power(stride);
        // A method without memory has no transient.
        let transient = if step.remembers() { FEW + TRANSIENT } else { FEW };
        let mut run = step.displaced();
        step.power(transient).apply(&mut run);
        let mut u = Vec::with_capacity(SAMPLES);
        // Under strong damping u soon consists of rounding errors alone.
        while u.len() < SAMPLES && (u.len() < 8 || run[0].abs() > 1e-12) {
            u.push(strides.apply(&mut run));
        }
        let scale = u.iter().fold(0.0_f64, |maximum, u| maximum.max(u.abs()));
        let [mut aa, mut ab, mut bb, mut ac, mut bc] = [0.0; 5];
        for window in u.windows(3) {
            let [before, here, next] = [0, 1, 2].map(|i| window[i] / scale);
            aa += here * here;
            ab += here * before;
            bb += before * before;
            ac += here * next;
            bc += before * next;
        }
        let determinant = aa * bb - ab * ab;
        let p = (ac * bb - bc * ab) / determinant;
        let q = -(bc * aa - ac * ab) / determinant;
        let miss = |w: &[f64]| (w[2] - p * w[1] + q * w[0]) / scale;
        let missed: f64 = u.windows(3).map(|window| miss(window) * miss(window)).sum();
        // A run with a second motion, of a method far beyond its limit, does not fit such a
        // recursion.
        let is_alone = missed < 1e-12 * aa.max(bb);
        let is_known = determinant > 1e-12 * aa * bb && is_alone;
        is_known.then_some(Recursion { p, q, stride: stride as f64 })
    }
}

/// Growth per step of a method on an undamped oscillator for small x = ωdt: share · x^order.
#[derive(Clone, Copy, Debug)]
struct Growth {
    order: f64,
    share: f64,
}

impl Growth {
    /// Measures the growth of a method; `None` if it does not grow at short steps.
    fn of(method: &Arc<dyn Method>) -> Option<Self> {
        let excess = |x: f64| Oscillator::new(1.0, 0.0).step(method, x).radius() - 1.0;
        // The step is short enough for the lowest order to dominate, and long enough to exceed
        // rounding.
        let mut x = 0.125;
        let mut before = excess(x);
        while before > GROWTH {
            x *= 0.5;
            let here = excess(x);
            if here <= GROWTH {
                return None;
            }
            if here < 1e-9 {
                let order = libm::round(libm::log2(before / here));
                return Some(Self { order, share: here / libm::pow(x, order) });
            }
            before = here;
        }
        None
    }

    fn at(self, x: f64) -> f64 {
        self.share * libm::pow(x, self.order)
    }
}

/// Recursion u(n+1) = p u(n) - q u(n-1), where n counts samples that are `stride` steps apart.
#[derive(Clone, Copy, Debug)]
struct Recursion {
    p: f64,
    q: f64,
    stride: f64,
}

/// Number of skipped steps: the transient of a method with memory.
const TRANSIENT: u64 = 64;
/// Number of steps skipped in every run.
const FEW: u64 = 8;
/// Minimum distance of samples, in radians.
const TURN: f64 = 0.2;
/// Number of samples in a fit.
const SAMPLES: usize = 256;

/// Numerical motion of an oscillator under a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumericalMotion {
    /// Angular frequency, in radians per unit of time.
    pub frequency: f64,
    /// Factor on the amplitude per step.
    pub growth: f64,
}

/// Number of steps that fill the memory of every method.
const STARTING: usize = 8;
/// Number of squarings for the spectral radius. Over 2⁶⁰ steps transient growth is negligible.
const SQUARINGS: i32 = 60;
/// Maximum number of balancing rounds.
const ROUNDS: usize = 20;
/// Index of the free node's first coordinate in a flat vector of two nodes.
const FREE: usize = 1;

/// Force -stiffness · x + push · v on every node.
///
/// A spring would not be linear, because of its rest length. Drag cannot be negative, so `push`
/// feeds the motions of the right half plane.
#[derive(Debug)]
struct RestoringForce {
    stiffness: f64,
    push: f64,
}
catena_sim::identity!(RestoringForce { stiffness, push });

impl Force for RestoringForce {
    fn add_to(&self, _body: &Body<'_>, state: &State, f: &mut [f64]) {
        f.iter_mut().zip(&state.x).for_each(|(f, x)| *f -= self.stiffness * x);
        if self.push > 0.0 {
            f.iter_mut().zip(&state.v).for_each(|(f, v)| *f += self.push * v);
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        for i in 0..body.model.nodes() {
            blocks.add_own(i, diagonal(axes, -self.stiffness), diagonal(axes, self.push));
        }
    }

    /// Returns 0: without displacement and motion there is no force.
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

/// One step of size 1 on u'' + γ u' + ω² u = 0. With the step as the unit of time, only ωdt and γdt
/// matter.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ModelProblem {
    /// Angular frequency per step, ωdt.
    pub(super) omega: f64,
    /// Damping per step, γdt.
    pub(super) damping: f64,
    /// Factors applied to velocities and positions after the step.
    pub(super) factors: [f64; 2],
}

impl ModelProblem {
    fn setup(self, method: &Arc<dyn Method>) -> Setup {
        let drag = Drag { coefficient: self.damping.max(0.0), wind: vec![0.0; 2] };
        let push = (-self.damping).max(0.0);
        Setup {
            model: Model {
                axes: 2,
                mass: vec![1.0; 2],
                pinned: vec![true, false],
                // The spring only gives the body its size; it exerts no force.
                springs: vec![Spring { a: 0, b: 1, stiffness: 1.0, rest_length: 1.0 }],
                structural: 1,
                held: 1,
                arrangement: Arrangement::Chain,
                parts: Vec::new(),
            },
            initial: State::at_rest(vec![0.0; 4]),
            forces: vec![
                Arc::new(RestoringForce { stiffness: self.omega * self.omega, push }),
                Arc::new(drag),
            ],
            flow: None,
            breaks_at: None,
            lengths: Default::default(),
            anchors: Vec::new(),
            method: Arc::clone(method),
            step_control: Arc::new(Fixed {}),
            impulses: Vec::new(),
            contacts: Contacts::default(),
            frame_time: 1.0,
            substeps: 1,
            velocity_factor: self.factors[0],
            position_factor: self.factors[1],
            strain_limit: f64::INFINITY,
            start_time: 0.0,
            warm_up: 0,
            events: Vec::new(),
            slips: Vec::new(),
            budget: Budget::UNLIMITED,
        }
    }
}

/// Linear map of one or more steps, on position, velocity and the method's memory.
///
/// On a linear problem a step is a linear map. Its columns are steps from the unit vectors, taken
/// by the method itself with its options, so no formula is derived by hand. N steps are a power of
/// the matrix and cost log₂ N products. Motions stay bounded if the spectral radius is at most 1.
#[derive(Clone, Debug, PartialEq)]
struct AmplificationMatrix {
    size: usize,
    /// Entries by rows.
    entries: Vec<f64>,
}

impl AmplificationMatrix {
    /// Computes the matrix of one step.
    pub(super) fn of(problem: ModelProblem, method: &Arc<dyn Method>) -> Self {
        let mut run = Simulation::new(Arc::new(problem.setup(method)));
        (0..STARTING).for_each(|_| run.step());
        let still = run.checkpoint();
        let remembered = find_remembered(&mut run, &still);
        let size = 2 + remembered.len();
        let mut entries = vec![0.0; size * size];
        for column in 0..size {
            let mut start = still.clone();
            match column {
                0 => start.state.x[FREE] = 1.0,
                1 => start.state.v[FREE] = 1.0,
                _ => start.method[remembered[column - 2]] = 1.0,
            }
            run.restore(&start);
            run.step();
            let end = run.checkpoint();
            let values = [end.state.x[FREE], end.state.v[FREE]].into_iter();
            let values = values.chain(remembered.iter().map(|&index| end.method[index]));
            values.enumerate().for_each(|(row, value)| entries[row * size + column] = value);
        }
        Self { size, entries }
    }

    /// Applies the map to a state in place, and returns the position, its first component.
    pub(super) fn apply(&self, state: &mut Vec<f64>) -> f64 {
        let row = |row: &[f64]| row.iter().zip(&*state).map(|(a, b)| a * b).sum();
        *state = self.entries.chunks_exact(self.size).map(row).collect();
        state[0]
    }

    /// State at position 1, at rest, with an empty memory.
    pub(super) fn displaced(&self) -> Vec<f64> {
        let mut state = vec![0.0; self.size];
        state[0] = 1.0;
        state
    }

    /// Whether the method has a memory.
    fn remembers(&self) -> bool {
        self.size > 2
    }

    /// Map of `count` times as many steps; 0 counts as 1.
    pub(super) fn power(&self, count: u64) -> Self {
        let bits = 63 - count.max(1).leading_zeros();
        (0..bits).rev().fold(self.clone(), |power, bit| {
            let twice = power.times(&power);
            if count >> bit & 1 == 1 { twice.times(self) } else { twice }
        })
    }

    fn times(&self, other: &Self) -> Self {
        let n = self.size;
        let entry = |index: usize| {
            let (row, column) = (index / n, index % n);
            (0..n).map(|k| self.entries[row * n + k] * other.entries[k * n + column]).sum()
        };
        Self { size: n, entries: (0..n * n).map(entry).collect() }
    }

    /// Spectral radius of a method without memory, from trace and determinant. Unlike powers, these
    /// keep their digits if both eigenvalues are almost equal. `None` for other methods.
    fn radius_of_two(&self) -> Option<f64> {
        let [a, b, c, d] = self.entries[..] else { return None };
        let (half, determinant) = (0.5 * (a + d), a * d - b * c);
        let square = half * half - determinant;
        let radius = if square < 0.0 { determinant.sqrt() } else { half.abs() + square.sqrt() };
        Some(if radius.is_finite() { radius } else { f64::INFINITY })
    }

    /// Spectral radius: ‖Aᴺ‖^(1/N) for N = 2⁶⁰ (Gelfand 1941), infinite if a step overflows. The
    /// rounding error of each squaring has half the weight of the previous one.
    pub(super) fn radius(&self) -> f64 {
        let mut power = self.balanced();
        // Logarithm of all divisors of the power, divided by the number of steps.
        let mut logarithm = 0.0;
        for squaring in 0..SQUARINGS {
            let norm =
                power.entries.iter().fold(0.0_f64, |maximum, entry| maximum.max(entry.abs()));
            if !power.entries.iter().all(|entry| entry.is_finite()) {
                return f64::INFINITY;
            }
            if norm == 0.0 {
                return 0.0;
            }
            power.entries.iter_mut().for_each(|entry| *entry /= norm);
            logarithm += libm::ldexp(libm::log(norm), -squaring);
            power = power.times(&power);
        }
        libm::exp(logarithm)
    }

    /// Scales the map by powers of 2 that balance rows and columns (Parlett, Reinsch 1969).
    /// Positions, velocities and accelerations differ by powers of ωdt, and rounding of the largest
    /// would hide the others.
    fn balanced(&self) -> Self {
        let n = self.size;
        let mut entries = self.entries.clone();
        for _ in 0..ROUNDS {
            let mut is_done = true;
            for i in 0..n {
                let others = || (0..n).filter(|&j| j != i);
                let row: f64 = others().map(|j| entries[i * n + j].abs()).sum();
                let column: f64 = others().map(|j| entries[j * n + i].abs()).sum();
                let ratio = (row / column).sqrt();
                if !(ratio > 0.0 && ratio.is_finite()) || (0.7..1.5).contains(&ratio) {
                    continue;
                }
                let scale = libm::exp2(libm::round(libm::log2(ratio)));
                for j in 0..n {
                    entries[i * n + j] /= scale;
                    entries[j * n + i] *= scale;
                }
                is_done = false;
            }
            if is_done {
                break;
            }
        }
        Self { size: n, entries }
    }
}

/// Finds the indices in a method's memory that depend on the motion. After some steps, their values
/// differ between a moving run and a run at rest.
fn find_remembered(run: &mut Simulation, still: &Checkpoint) -> Vec<usize> {
    let mut moved = still.clone();
    (moved.state.x[FREE], moved.state.v[FREE]) = (1.0, 0.7);
    run.restore(&moved);
    (0..STARTING / 2).for_each(|_| run.step());
    let memory = run.checkpoint().method;
    let pairs = memory.iter().zip(&still.method).enumerate();
    pairs.filter(|(_, (moved, still))| moved != still).map(|(index, _)| index).collect()
}
