//! Behaviour of a method on the model problem u'' + γ u' + ω² u = 0: boundedness and frequency.
//!
//! The method itself runs with its options on one mass (see amplification.rs). So no formula is
//! derived by hand, and its own damping counts.

use super::amplification::{AmplificationMatrix, ModelProblem};
use catena_sim::{Method, Setup, linear::spectrum::Spectrum};
use std::sync::Arc;

/// Growth per step, minus 1, above which a step is unstable. Rounding stays below it.
const GROWTH: f64 = 1e-12;
/// Shortest step tried, as a power of 2 divided by the rate of the problem.
const SHORTEST: i32 = -8;
/// Longest step tried, in the same unit. For longer ones rounding grows as fast as a method could.
const LONGEST: i32 = 14;
/// Number of steps tried per power of 2. A narrower range of unstable steps may be missed.
const STEPS_A_POWER: i32 = 4;
/// Relative tolerance of the longest step.
const EXACT: f64 = 1e-6;
/// Value of ωdt below which a method that always grows without damping is judged by its growth as
/// ωdt tends to 0.
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

    fn step(self, method: &Arc<dyn Method>, dt: f64) -> AmplificationMatrix {
        let Self { omega, damping, factors } = self;
        let problem = ModelProblem { omega: omega * dt, damping: damping * dt, factors };
        AmplificationMatrix::of(problem, method)
    }

    /// Whether a method with step `dt` keeps the motion bounded.
    pub fn is_bounded(self, method: &Arc<dyn Method>, dt: f64) -> bool {
        match Growth::of(method).filter(|_| self.omega * dt < SMALL) {
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

    /// Longest step that keeps the motion bounded, as do all shorter ones. Infinite if every step
    /// does. `None` if none does, as for a method that adds energy, without damping.
    pub fn longest_step(self, method: &Arc<dyn Method>) -> Option<f64> {
        if let Some(growth) = Growth::of(method) {
            let longest = self.balance(growth)?;
            if self.omega * longest < SMALL {
                return Some(longest);
            }
        }
        self.first_lost(method)
    }

    /// Step at which damping and factors balance the growth of the method; `None` without damping.
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
        Some(low)
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
    /// follows no such recursion, or is too short to tell.
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
        let scale = u.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
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

/// Growth of a method on an undamped oscillator as x = ωdt tends to 0: share · x^order per step.
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
