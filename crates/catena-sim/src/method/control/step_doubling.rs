//! Step doubling (Richardson): one step of h and two of h/2 from the same start. Their difference
//! divided by 2^p - 1 estimates the error of the two half steps. p is the order of the method, or 1
//! if it has none. The estimate chooses h as in step_size.rs. The two half steps are kept without
//! extrapolation, which would make a different method: one order higher and without the symmetries
//! of the original.
//!
//! The maximum h is the step of the scene, so steps are at most half of it. `min_dt` and `max_dt`
//! limit h, of which the two kept steps are halves. Both attempts restart
//! the method with the velocity in the state, so a method has at most one previous step to
//! remember. Adams methods of order 3 and 4 therefore run as their starter, Runge-Kutta 4. Leapfrog
//! and position Verlet run as velocity Verlet. Damping per step acts once in h/2. Constraint Verlet
//! cannot restart and is refused: its velocity is the displacement over the step, projection
//! included, and would repeat the projection. Sources: Richardson 1911; Hairer, Nørsett, Wanner,
//! "Solving Ordinary Differential Equations I", II.4.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{Misfit, StepControl};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::{
    Integrator, Method, StepReport,
    step_size::{self, StepBounds, StepSize, Trial},
};
use crate::named::{BadOption, Info};
use serde::Deserialize;
use std::sync::Arc;

/// Step doubling with its tolerance.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StepDoubling {
    /// Maximum error of two half steps, in rest lengths of the body; above 0.
    pub tolerance: f64,
    /// Safety factor, above 0: the next step is this fraction of the step that the error allows.
    pub safety: f64,
    /// Minimum step, which is never rejected; `None` for 2⁻¹⁴ of the scene's step.
    pub min_dt: Option<f64>,
    /// Maximum step; `None` for the scene's step.
    pub max_dt: Option<f64>,
}
crate::identity!(StepDoubling { tolerance, safety, min_dt, max_dt });

impl Default for StepDoubling {
    fn default() -> Self {
        let StepBounds { safety, min_dt, max_dt } = StepBounds::default();
        Self { tolerance: step_size::DEFAULT_TOLERANCE, safety, min_dt, max_dt }
    }
}

impl StepDoubling {
    pub(crate) const INFO: Info = Info {
        name: "StepDoubling",
        summary: "subdivides each step until one step and two half steps agree within a tolerance",
        options: &[step_size::TOLERANCE, step_size::SAFETY, step_size::MIN_DT, step_size::MAX_DT],
    };

    /// Returns the bounds of the steps.
    pub(crate) fn bounds(&self) -> StepBounds {
        StepBounds { safety: self.safety, min_dt: self.min_dt, max_dt: self.max_dt }
    }
}

impl StepControl for StepDoubling {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn step_caution(&self, dt: f64) -> Option<String> {
        self.bounds().caution(dt)
    }

    /// Returns half of the step, because only half steps are kept.
    fn longest(&self, dt: f64) -> f64 {
        0.5 * self.bounds().longest(dt)
    }

    fn check(&self) -> Result<(), BadOption> {
        step_size::check_tolerance(self.tolerance)?;
        self.bounds().check()
    }

    fn allows(&self, method: &dyn Method) -> Result<(), Misfit> {
        let info = method.info();
        if info.holds_lengths && !info.velocity_carries {
            return Err(Misfit {
                why: "the method's velocity includes the projection, so it cannot restart within a step",
                help: "remove `step_control` and set `substeps`, or choose another method",
            });
        }
        Ok(())
    }

    /// Cost of one step and two half steps.
    fn cost(&self, method: &dyn Method) -> Cost {
        Cost { is_open: true, ..method.cost().times(3) }
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn start(
        &self,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        let order = method.info().order.unwrap_or(1);
        self.start_with(StepSize::new(order + 1, self.bounds(), dt), method, model, initial)
    }
}

impl StepDoubling {
    /// Starts a run with a rule for the size of steps.
    pub(crate) fn start_with(
        &self,
        size: StepSize,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
    ) -> Box<dyn Integrator> {
        let order = method.info().order.unwrap_or(1);
        Box::new(StepDoublingState {
            method: Arc::clone(method),
            greatest: self.tolerance * model.rest_length() * (libm::exp2(f64::from(order)) - 1.0),
            size,
            full: initial.clone(),
            halves: initial.clone(),
            report: StepReport::none(),
            impulses: None,
        })
    }
}

struct StepDoublingState {
    method: Arc<dyn Method>,
    /// Maximum difference of the two attempts, as a length.
    greatest: f64,
    size: StepSize,
    /// State at the end of the full step.
    full: State,
    /// State at the end of the two half steps.
    halves: State,
    report: StepReport,
    impulses: Option<PinImpulses>,
}

/// Impulses on pins, flat by axis; empty if the method reports none.
#[derive(Default)]
struct PinImpulses {
    /// Impulses of the two half steps of an attempt.
    trial: Vec<f64>,
    /// Impulses of all kept half steps in this step of the scene.
    kept: Vec<f64>,
}

/// Adds values to sums. Empty sums count as zeros.
fn add(sums: &mut Vec<f64>, values: &[f64]) {
    sums.resize(values.len(), 0.0);
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

impl Integrator for StepDoublingState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let mut size = self.size;
        let start = state.t;
        let taken = StepReport::none();
        self.impulses.iter_mut().for_each(|impulses| impulses.kept.clear());
        let has_tried = false;
        let mut pair = StepPair { run: self, system, state, start, dt, taken, has_tried };
        self.report = size.advance(dt, &mut pair);
        self.size = size;
    }

    fn report(&self) -> Option<StepReport> {
        Some(self.report)
    }

    fn keep_reactions(&mut self) {
        self.impulses = Some(PinImpulses::default());
    }

    fn reactions(&self) -> Option<&[f64]> {
        let impulses = self.impulses.as_ref()?;
        (!impulses.kept.is_empty()).then_some(&impulses.kept[..])
    }

    // `displaced` needs no action, because every step restarts the method.

    fn save(&self, memory: &mut Vec<f64>) {
        memory.push(self.size.next());
    }

    fn restore(&mut self, memory: &[f64]) {
        memory.iter().for_each(|next| self.size.set_next(*next));
    }
}

/// An attempt: a step and two half steps.
struct StepPair<'a> {
    run: &'a mut StepDoublingState,
    system: &'a System<'a>,
    state: &'a mut State,
    /// Start time of the scene's step.
    start: f64,
    /// The scene's step.
    dt: f64,
    /// Report of the half steps.
    taken: StepReport,
    /// Whether an attempt was made in this step of the scene.
    has_tried: bool,
}

/// Takes `steps` steps of h from `from` to `to`. Sums the impulses on pins if `impulses` is given.
fn take_steps(
    method: &dyn Method,
    system: &System<'_>,
    from: &State,
    to: &mut State,
    h: f64,
    steps: u32,
    mut impulses: Option<&mut PinImpulses>,
) -> StepReport {
    to.clone_from(from);
    let mut integrator = method.start(system.model, from, h);
    let mut taken = StepReport::none();
    if let Some(impulses) = &mut impulses {
        impulses.trial.clear();
        integrator.keep_reactions();
    }
    for step in 1..=steps {
        integrator.step(system, to, h);
        to.t = from.t + f64::from(step) * h;
        system.hold(to);
        taken = taken.and(integrator.report().unwrap_or(StepReport::one(h)));
        if let (Some(impulses), Some(reactions)) = (&mut impulses, integrator.reactions()) {
            add(&mut impulses.trial, reactions);
        }
    }
    taken
}

impl Trial for StepPair<'_> {
    fn attempt(&mut self, h: f64) -> f64 {
        // The cost of a step includes the first attempt.
        let cost = self.run.method.cost().times(3);
        if std::mem::replace(&mut self.has_tried, true) && !self.system.charge(cost) {
            return f64::NAN;
        }
        let StepDoublingState { method, greatest, full, halves, impulses, .. } = &mut *self.run;
        let (method, system) = (method.as_ref(), self.system);
        take_steps(method, system, self.state, full, h, 1, None);
        let half = 0.5 * h;
        self.taken = take_steps(method, system, self.state, halves, half, 2, impulses.as_mut());
        for (full, half) in [(&mut full.x, &halves.x), (&mut full.v, &halves.v)] {
            full.iter_mut().zip(half).for_each(|(full, half)| *full -= half);
        }
        let model = self.system.model;
        step_size::greatest_error(model, &mut full.x, &mut full.v, self.dt) / *greatest
    }

    fn keep(&mut self, done: f64) -> StepReport {
        self.state.clone_from(&self.run.halves);
        if let Some(PinImpulses { trial, kept }) = &mut self.run.impulses {
            add(kept, trial);
        }
        self.state.t = self.start + done;
        self.taken
    }
}
