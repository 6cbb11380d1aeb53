//! Shared step of methods that move nodes without springs and then correct lengths: a prediction,
//! corrections, and the final velocity.
//!
//! The weight of a node is its inverse mass, 0 for a pin. A correction along a spring moves its
//! ends in proportion to their weights, which conserves the momentum of two free nodes.

use super::reaction::{self, Corrector, Listener, Reactions, Times};
use crate::body::{Arrangement, Model, Spring, State};
use crate::force::applied::Route;
use crate::force::{System, Term};
use crate::instructions::Instructions;
use crate::kernel::Law;
use crate::kernel::chain_sweeps::{self, SweptChain, SweptStates, Workspace};
use crate::kernel::sheet_sweeps::{SheetSweeps, SweepPlan};
use crate::method::{Integrator, StepReport};
use crate::named::OptionInfo;

/// Minimum s·r/l² of a rod that can be corrected.
pub(crate) const MIN_ALONG: f64 = 1e-6;

/// Option of methods with a fixed number of sweeps over the springs.
pub(super) const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    summary: "number of passes over all springs per step",
    default: "10",
    range: "a whole number of at least 1",
    common: &["1", "2", "3", "4", "5", "6", "7", "8", "15", "16", "20", "30", "32", "50"],
    ..OptionInfo::PLAIN
};

/// Inverse mass of each node, 0 for pins.
pub(super) fn weights(model: &Model) -> Vec<f64> {
    let nodes = model.mass.iter().zip(&model.pinned);
    nodes.map(|(mass, &is_pinned)| if is_pinned { 0.0 } else { 1.0 / mass }).collect()
}

/// Indices of the held springs in the order of a sweep. The sweep starts at the first spring, or at
/// the last spring if only that end of the body is pinned.
pub(crate) fn sweep(model: &Model) -> impl Iterator<Item = usize> + use<> {
    let (count, from_the_end) = (model.held, is_from_the_end(model));
    (0..count).map(move |step| if from_the_end { count - 1 - step } else { step })
}

/// Whether a sweep runs from the last spring to the first: the last node is pinned and node 0 is
/// not. Other pins have no effect.
pub(super) fn is_from_the_end(model: &Model) -> bool {
    (model.pinned.first(), model.pinned.last()) == (Some(&false), Some(&true))
}

/// Whether spring i joins nodes i and i + 1 for all i.
pub(super) fn is_chain(model: &Model) -> bool {
    let is_next = |(i, spring): (usize, &Spring)| spring.a == i && spring.b == i + 1;
    model.arrangement == Arrangement::Chain
        && model.held + 1 == model.nodes()
        && model.held().iter().enumerate().all(is_next)
}

/// One step of length h, after the prediction and before the final velocities.
pub(super) struct Projection<'a> {
    pub(super) system: &'a System<'a>,
    pub(super) weights: &'a [f64],
    /// Positions before the prediction.
    pub(super) start: &'a [f64],
    pub(super) h: f64,
    /// Time at the end of the step.
    pub(super) t: f64,
}

impl<'a> Projection<'a> {
    /// Returns the unbroken springs of a sweep that have a free end, each with its index and the
    /// sum of the weights of its ends.
    pub(super) fn movable(&self) -> impl Iterator<Item = (usize, &'a Spring, f64)> + use<'a> {
        let (model, memory, weights) = (self.system.model, self.system.springs, self.weights);
        sweep(model).filter(move |&j| !memory.is_broken(j)).filter_map(move |j| {
            let spring = &model.springs[j];
            let weight = weights[spring.a] + weights[spring.b];
            (weight > 0.0).then_some((j, spring, weight))
        })
    }

    /// Moves the ends of a spring by `amount` times their weights: the first along `direction`, the
    /// second against it.
    pub(super) fn shift(
        &self,
        x: &mut [f64],
        spring: &Spring,
        direction: &[f64; 3],
        amount: f64,
        listener: &mut impl Listener,
    ) {
        let (model, weights) = (self.system.model, self.weights);
        let n = model.nodes();
        for (axis, component) in direction.iter().enumerate().take(model.axes) {
            let by_a = weights[spring.a] * amount * component;
            let by_b = weights[spring.b] * amount * component;
            x[axis * n + spring.a] += by_a;
            x[axis * n + spring.b] -= by_b;
            report_pin_motion(model, axis, spring, by_a, -by_b, listener);
        }
    }
}

/// Corrections of lengths by a method, with the memory that they need.
pub(super) trait Correction: Send {
    /// Number of equal steps within each step, at least 1.
    fn substeps(&self) -> u32 {
        1
    }

    /// Corrects the predicted positions `x`. Returns whether all springs meet the requested
    /// accuracy.
    fn correct(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> bool;

    /// Inputs of kernels; `None` if kernels do not support these corrections.
    fn sweeps(&mut self) -> Option<Sweeps<'_>> {
        None
    }

    /// Tension of each held spring in the last substep, if the method solves for it.
    fn tensions(&self) -> Option<&[f64]> {
        None
    }

    /// Whether a run starts with half a kick. From then on, the velocity in the state belongs to
    /// the middle of a step. The initial velocity belongs to the start of the first step.
    fn starts_with_half_kick(&self) -> bool {
        false
    }
}

/// Parameters of corrections.
pub(super) struct Sweeps<'a> {
    pub(super) iterations: u32,
    pub(super) law: Law<'a>,
    /// Output for the tensions of the last substep; empty if the method does not solve for
    /// tensions.
    pub(super) tension: &'a mut [f64],
}

/// The state of a method that predicts without springs and then corrects.
pub(super) struct ProjectionState<C> {
    correction: C,
    weights: Vec<f64>,
    start: Vec<f64>,
    a: Vec<f64>,
    report: StepReport,
    reactions: Option<Reactions>,
    /// Whether a step of the method has set the velocity in the state.
    has_begun: bool,
    /// Whether the springs join each node to the next.
    is_chain: bool,
    workspace: Workspace,
    /// Kernel for cloths; `None` for other bodies.
    sheet: Option<SheetSweeps>,
}

impl<C: Correction> ProjectionState<C> {
    pub(super) fn new(mut correction: C, model: &Model) -> Self {
        let zeros = vec![0.0; model.axes * model.nodes()];
        let (weights, is_reversed) = (weights(model), is_from_the_end(model));
        let sheet = correction
            .sweeps()
            .and_then(|sweeps| SheetSweeps::new(model, &weights, is_reversed, sweeps.law));
        Self {
            has_begun: !correction.starts_with_half_kick(),
            correction,
            weights,
            start: zeros.clone(),
            a: zeros,
            report: StepReport::none(),
            reactions: None,
            is_chain: is_chain(model),
            workspace: Workspace::default(),
            sheet,
        }
    }

    /// Takes one step of h. Returns whether all springs meet the requested accuracy.
    fn inner(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        h: f64,
        listener: &mut impl Listener,
    ) -> bool {
        self.start.copy_from_slice(&state.x);
        let kick = self.kick(h);
        self.has_begun = true;
        predict(system, state, &mut self.a, Times { step: h, kick });
        let by_kernel = match listener.needs_reports() {
            true => None,
            false => self.sweep_by_kernel(system, &mut state.x, h),
        };
        let Self { correction, weights, start, .. } = self;
        let is_exact = by_kernel.unwrap_or_else(|| {
            let projection = Projection { system, weights, start, h, t: state.t };
            correction.correct(&projection, &mut state.x, listener)
        });
        velocities(system.model, start, state, h);
        is_exact
    }

    /// Time for which the forces of the next step of length h act on velocities.
    fn kick(&self, h: f64) -> f64 {
        if self.has_begun { h } else { 0.5 * h }
    }

    /// Length of the equal steps within a step of dt.
    fn inner_step(&self, dt: f64) -> f64 {
        dt / f64::from(self.correction.substeps())
    }

    /// Corrects the predicted positions in a kernel. Returns whether all springs meet the requested
    /// accuracy; `None` if no kernel supports the body.
    fn sweep_by_kernel(&mut self, system: &System<'_>, x: &mut [f64], h: f64) -> Option<bool> {
        let (set, model) = (Instructions::best(), system.model);
        if system.length_changes() > 0 || held(system).next().is_some() {
            return None;
        }
        let Sweeps { iterations, law, tension } = self.correction.sweeps()?;
        if let Some(sheet) = &mut self.sheet {
            let (broken, plan) = (&system.springs.broken, SweepPlan { law, h, iterations });
            return Some(sheet.sweep(set, model, broken, plan, x, tension));
        }
        if !self.is_chain || !system.springs.is_whole() {
            return None;
        }
        let chain = SweptChain {
            model,
            weights: &self.weights,
            is_reversed: is_from_the_end(model),
            iterations: iterations as usize,
            law,
            terms: &[],
            h,
        };
        chain_sweeps::sweep(set, &chain, x, tension, &mut self.workspace)
    }
}

impl<C: Correction> Corrector for ProjectionState<C> {
    fn advance(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
        listener: &mut impl Listener,
    ) {
        let h = self.inner_step(dt);
        let mut report = StepReport::many(h, u64::from(self.correction.substeps()));
        for _ in 0..self.correction.substeps() {
            let is_exact = self.inner(system, state, h, listener);
            report.unconverged += u64::from(!is_exact);
        }
        self.report = report;
    }

    fn kept(&mut self) -> &mut Option<Reactions> {
        &mut self.reactions
    }

    fn times(&self, dt: f64) -> Times {
        let step = self.inner_step(dt);
        Times { step, kick: self.kick(step) }
    }
}

impl<C: Correction> Integrator for ProjectionState<C> {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        reaction::step(self, system, state, dt);
    }

    /// Computes the steps of unbroken chains as a wavefront. The plain loop takes the steps that
    /// remain after full lanes.
    fn burst(
        &mut self,
        system: &System<'_>,
        start: &State,
        end: &mut State,
        dt: f64,
        count: u64,
    ) -> bool {
        if !self.is_chain || self.reactions.is_some() || !system.springs.is_whole() {
            return false;
        }
        let terms: Option<Vec<Term<'_>>> = system.external_terms().collect();
        let h = self.inner_step(dt);
        let steps = count.saturating_mul(u64::from(self.correction.substeps()));
        let (Some(terms), Some(sweeps)) = (terms, self.correction.sweeps()) else { return false };
        let chain = SweptChain {
            model: system.model,
            weights: &self.weights,
            is_reversed: is_from_the_end(system.model),
            iterations: sweeps.iterations as usize,
            law: sweeps.law,
            terms: &terms,
            h,
        };
        let motion = SweptStates {
            start: Some([&start.x, &start.v]),
            end: [&mut end.x, &mut end.v],
            tension: sweeps.tension,
        };
        let (set, workspace) = (Instructions::best(), &mut self.workspace);
        let Some(done) = chain_sweeps::advance(set, &chain, motion, workspace, steps) else {
            return false;
        };
        self.report = StepReport { unconverged: done.unconverged, ..StepReport::many(h, steps) };
        for _ in done.steps..steps {
            let is_exact = self.inner(system, end, h, &mut ());
            self.report.unconverged += u64::from(!is_exact);
        }
        true
    }

    fn report(&self) -> Option<StepReport> {
        Some(self.report)
    }

    fn tensions(&self) -> Option<&[f64]> {
        let recorded = self.reactions.as_ref().map(Reactions::tensions);
        let has_stepped = self.report != StepReport::none();
        let solved = self.correction.tensions();
        solved.map(|solved| if has_stepped { solved } else { &[] }).or(recorded)
    }

    /// Returns 1: the method uses only the forces at the start of the step.
    fn share_of_start(&self) -> f64 {
        1.0
    }

    fn keep_reactions(&mut self) {
        self.reactions = Some(Reactions::default());
    }

    fn reactions(&self) -> Option<&[f64]> {
        self.reactions.as_ref().map(Reactions::impulses)
    }

    fn resume(&mut self) {
        self.has_begun = true;
    }

    fn take_over(&mut self, memory: &[f64], _model: &Model, _anew: &[usize]) {
        self.restore(memory);
    }

    fn save(&self, memory: &mut Vec<f64>) {
        if self.correction.starts_with_half_kick() {
            memory.push(f64::from(u8::from(self.has_begun)));
        }
    }

    fn restore(&mut self, memory: &[f64]) {
        if self.correction.starts_with_half_kick() {
            self.has_begun = memory.first().is_none_or(|has_begun| *has_begun != 0.0);
        }
    }
}

/// Moves free nodes without held springs: v' = v + a kick, x' = x + v' dt. Pins move to their
/// positions at the end of the step. `a` receives the accelerations.
fn predict(system: &System<'_>, state: &mut State, a: &mut [f64], times: Times) {
    let Times { step: dt, kick } = times;
    system.external_accelerations(state, a);
    for ((x, v), a) in state.x.iter_mut().zip(&mut state.v).zip(&*a) {
        *v += a * kick;
        *x += *v * dt;
    }
    state.t += dt;
    system.hold(state);
}

/// Sets v' = (x' - start)/dt of free nodes. Pins keep the velocity of their anchor.
fn velocities(model: &Model, start: &[f64], state: &mut State, dt: f64) {
    let n = model.nodes();
    for (index, (v, x)) in state.v.iter_mut().zip(&state.x).enumerate() {
        if !model.pinned[index % n] {
            *v = (x - start[index]) / dt;
        }
    }
}

/// Reports the displacement of the ends of a spring along an axis, if one of them is a pin.
pub(super) fn report_pin_motion(
    model: &Model,
    axis: usize,
    &Spring { a, b, .. }: &Spring,
    by_a: f64,
    by_b: f64,
    listener: &mut impl Listener,
) {
    match (model.pinned[a], model.pinned[b]) {
        (true, false) => listener.moved(model, axis, a, b, by_b),
        (false, true) => listener.moved(model, axis, b, a, by_a),
        _ => {}
    }
}

/// Returns the routes that methods hold as constraints.
pub(crate) fn held<'a>(system: &System<'a>) -> impl Iterator<Item = &'a Route> + use<'a> {
    system.forces().iter().filter(|force| force.is_held()).filter_map(|force| force.route())
}
