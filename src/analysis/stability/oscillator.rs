//! A method on the model problem u'' + γ u' + ω² u = 0: whether it stays bounded, and what it makes of the frequency.
//!
//! The method itself is run, with its options, on one mass on one spring, so nothing has to be derived for it by hand and
//! what a method has in damping of its own counts. The spring has a rest length of 1e-30, which makes it linear.

use crate::sim::{
    Arrangement, Budget, Method, Model, Setup, Simulation, Spring, State,
    contact::Contacts,
    force::{Drag, ElasticSprings, Part},
    law::Hooke,
    step_control::Fixed,
};
use std::sync::Arc;

/// Steps of a run. Windows of it are compared.
const STEPS: usize = 4096;
/// Growth of the mean square from the second quarter to the fourth that counts as unstable. That is 2.4e-6 a step.
const MEAN_GROWTH: f64 = 1.01;
/// Growth from a sample to the next, less 1, that counts as unstable; a fit tells no less from rounding.
const GROWTH: f64 = 3e-8;
/// Steps are looked for between this power of 2 over the rate of the problem and its inverse.
const POWERS: i32 = 14;

/// The model problem: ω above 0 and γ, per time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// ω, radians per time.
    pub omega: f64,
    /// γ, per time.
    pub damping: f64,
    /// What velocities and positions are multiplied by after each step, as in a [`Setup`].
    pub factors: [f64; 2],
}

impl Oscillator {
    /// The model problem without factors.
    pub const fn new(omega: f64, damping: f64) -> Self {
        Self { omega, damping, factors: [1.0; 2] }
    }

    /// A run of it from u = 1 at rest.
    fn start(self, method: &Arc<dyn Method>, dt: f64) -> Simulation {
        let spring = Spring { a: 0, b: 1, stiffness: self.omega * self.omega, rest_length: 1e-30 };
        let drag = Drag { coefficient: self.damping, wind: vec![0.0; 2] };
        let springs = ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held };
        Simulation::new(Arc::new(Setup {
            model: Model {
                axes: 2,
                mass: vec![1.0; 2],
                pinned: vec![true, false],
                springs: vec![spring],
                structural: 1,
                held: 1,
                arrangement: Arrangement::Chain,
            },
            initial: State::at_rest(vec![0.0, 1.0, 0.0, 0.0]),
            forces: vec![Arc::new(springs), Arc::new(drag)],
            flow: None,
            breaks_at: None,
            anchors: Vec::new(),
            method: Arc::clone(method),
            step_control: Arc::new(Fixed {}),
            impulses: Vec::new(),
            contacts: Contacts::default(),
            frame_time: dt,
            substeps: 1,
            velocity_factor: self.factors[0],
            position_factor: self.factors[1],
            strain_limit: f64::INFINITY,
            budget: Budget::UNLIMITED,
        }))
    }

    /// Whether a method with this step keeps it bounded: whether no root of the recursion that its run obeys is above 1.
    ///
    /// Where more than one motion is left, as in methods that remember steps, growth is looked for itself.
    pub fn is_bounded(self, method: &Arc<dyn Method>, dt: f64) -> bool {
        match self.recursion(method, dt) {
            Some(recursion) => recursion.root() <= 1.0 + GROWTH,
            None => self.stays_bounded(method, dt),
        }
    }

    /// Means of u² + (u'/ω)² are compared, not single values: u goes round an ellipse, and a mean over it does not
    /// depend on where on it the samples lie.
    fn stays_bounded(self, method: &Arc<dyn Method>, dt: f64) -> bool {
        let mut run = self.start(method, dt);
        let mut sums = [0.0; 4];
        for step in 0..STEPS {
            run.step();
            let (u, rate) = (run.state().x[1], run.state().v[1] / self.omega);
            sums[4 * step / STEPS] += u * u + rate * rate;
        }
        sums[3].is_finite() && sums[3] <= MEAN_GROWTH * sums[1]
    }

    /// The longest step that keeps it bounded, to six digits where a fit can tell growth from rounding: infinite where every step does, `None` where none does.
    pub fn longest_step(self, method: &Arc<dyn Method>) -> Option<f64> {
        let unit = 1.0 / self.omega.max(self.damping);
        let power = |power: i32| libm::ldexp(unit, power);
        let is_bounded = |power_of_2: i32| self.is_bounded(method, power(power_of_2));
        // From a step near the limits of most methods outwards.
        let bracket = if is_bounded(1) {
            let Some(above) = (2..=POWERS).find(|&p| !is_bounded(p)) else {
                return Some(f64::INFINITY);
            };
            [above - 1, above]
        } else {
            let below = (-POWERS..=0).rev().find(|&p| is_bounded(p))?;
            [below, below + 1]
        };
        let [mut low, mut high] = bracket.map(power);
        while high - low > 1e-6 * high {
            let middle = 0.5 * (low + high);
            if self.is_bounded(method, middle) { low = middle } else { high = middle }
        }
        Some(low)
    }

    /// What a method makes of an undamped oscillator at this step, once what it starts with has died away. `None` where the run does not oscillate.
    pub fn motion(self, method: &Arc<dyn Method>, dt: f64) -> Option<Motion> {
        let recursion = self.recursion(method, dt)?;
        let Recursion { p, q, stride } = recursion;
        let cosine = 0.5 * p / q.sqrt();
        (cosine.abs() < 1.0).then(|| Motion {
            frequency: libm::acos(cosine) / (dt * stride),
            growth: recursion.growth(),
        })
    }

    /// The recursion u(n+1) = p u(n) - q u(n-1) that a run obeys, fitted to it by least squares (Prony 1795). A motion with growth r and
    /// angle θ a step has p = 2 r cos θ and q = r². `None` where it obeys none, or is too short to tell.
    fn recursion(self, method: &Arc<dyn Method>, dt: f64) -> Option<Recursion> {
        let mut run = self.start(method, dt);
        // Where a step is a small part of a turn, neighbouring samples hardly differ.
        let stride = (TURN / (self.omega * dt)).clamp(1.0, 1e6) as usize;
        // A method that remembers nothing has nothing that dies away; what is remembered shows after a few steps.
        (0..FEW).for_each(|_| run.step());
        let transient = if run.checkpoint().method.is_empty() { 0 } else { TRANSIENT };
        (0..transient).for_each(|_| run.step());
        let mut u = Vec::with_capacity(SAMPLES);
        // Where damping is strong, u soon is no more than rounding.
        while u.len() < SAMPLES && (u.len() < 8 || run.state().x[1].abs() > 1e-12) {
            (0..stride).for_each(|_| run.step());
            u.push(run.state().x[1]);
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
        // A second motion beside it, of a method that has lost its way, fits no such recursion.
        let is_alone = missed < 1e-12 * aa.max(bb);
        let is_known = determinant > 1e-12 * aa * bb && is_alone;
        is_known.then_some(Recursion { p, q, stride: stride as f64 })
    }
}

/// u(n+1) = p u(n) - q u(n-1), n counting samples that are `stride` steps apart.
#[derive(Clone, Copy, Debug)]
struct Recursion {
    p: f64,
    q: f64,
    stride: f64,
}

impl Recursion {
    /// The greater root of z² = p z - q: growth from a sample to the next.
    fn root(self) -> f64 {
        let half = 0.5 * self.p;
        let square = half * half - self.q;
        if square > 0.0 { half.abs() + square.sqrt() } else { self.q.sqrt() }
    }

    /// Growth in a step.
    fn growth(self) -> f64 {
        libm::pow(self.root(), 1.0 / self.stride)
    }
}

/// Steps that are left out, and steps that a motion is fitted to.
const TRANSIENT: usize = 64;
const FEW: usize = 8;
/// Samples are so far apart, in radians, where steps are shorter.
const TURN: f64 = 0.2;
const SAMPLES: usize = 256;

/// What a method makes of an oscillator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Radians per time.
    pub frequency: f64,
    /// The factor by which the amplitude changes in a step.
    pub growth: f64,
}
