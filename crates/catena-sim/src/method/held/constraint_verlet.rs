//! Verlet integration with held lengths. A projection corrects all springs in order to their rest
//! length, `iterations` times. Then x' = x + (1 - d)(x - x_last) + g dt², where g is the sum of all
//! non-elastic forces divided by the mass. With `projection: Last`, the projection follows the
//! extrapolation, as in Jakobsen's paper, so springs have their corrected length in every frame.
//!
//! A correction moves the ends of a spring towards each other by its excess, shared by inverse
//! mass. If the masses are equal, each end gets half of the excess. If one end is pinned, the free
//! end gets all of it. This conserves momentum. Each correction includes the effect of earlier
//! ones. One sweep per long step leaves the upper springs stretched; more substeps reduce the
//! stretch. The projection removes energy, so the rope comes to rest even with d = 0.
//!
//! The options `correction` and `damping_of` give variants that are common in programs and lecture
//! notes. `correction` leaves a part of each error, so the body is longer at rest. `damping_of`
//! also damps g dt², so the body falls more slowly.
//!
//! The method has no order and no stability limit, and ignores stiffness. With `tethers`, nodes too
//! far from their pins are moved back at the end of the step. The reported velocity is the
//! displacement over the whole step, projection included, divided by dt. Sources: Jakobsen 2001,
//! "Advanced Character Physics"; GAMES101 assignment 8.

use super::{
    correction::{CORRECTION, LengthCorrection},
    projection,
    reaction::{self, Corrector, Listener, Reactions},
    routes,
    tether::{TETHERS, Tethers},
};
use crate::body::{Model, State};
use crate::budget::{Cost, Item, Sweeping};
use crate::force::{System, Term};
use crate::instructions::Instructions;
use crate::kernel::ShareFactors;
use crate::kernel::chain_lanes::{ChainLane, Push};
use crate::kernel::chain_projection::{self, BurstStates, ProjectedChain, Workspace};
use crate::method::verlet::classroom::{self, Damping, DampingOf};
use crate::method::{Displaced, Integrator, Method, MethodInfo, SideBySide};
use crate::named::{BadOption, OptionInfo, OptionKind};
use serde::Deserialize;

/// The method and its options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConstraintVerlet {
    /// Number of sweeps over the springs per step, at least 1.
    pub iterations: u32,
    /// Place of the projection in a step.
    pub projection: ProjectionPlace,
    /// d, fraction of the last displacement that each step removes, 0 to 1.
    pub damping: f64,
    /// Part of a step that the damping reduces.
    pub damping_of: DampingOf,
    /// Fraction of a spring's error that each correction removes.
    pub correction: LengthCorrection,
    /// Whether long-range tethers hold nodes to their pins at the end of each step.
    pub tethers: bool,
}
crate::identity!(ConstraintVerlet {
    iterations,
    projection,
    damping,
    damping_of,
    correction,
    tethers
});

impl Default for ConstraintVerlet {
    fn default() -> Self {
        Self {
            iterations: 1,
            projection: ProjectionPlace::default(),
            damping: 0.0,
            damping_of: DampingOf::default(),
            correction: LengthCorrection::default(),
            tethers: false,
        }
    }
}

/// Place of the projection in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum ProjectionPlace {
    /// Before the extrapolation, as in GAMES101.
    #[default]
    First,
    /// After the extrapolation, as in Jakobsen 2001.
    Last,
}
crate::identity!(
    enum ProjectionPlace {
        First,
        Last,
    }
);

const PROJECTION: OptionInfo = OptionInfo {
    name: "projection",
    summary: "First: each step corrects springs, then extrapolates, so the frames show the extrapolated lengths; Last: each step extrapolates, then corrects springs, so the frames show the corrected lengths",
    default: "First",
    range: "First or Last",
    kind: OptionKind::Words(&["First", "Last"]),
    ..OptionInfo::PLAIN
};

const ITERATIONS: OptionInfo =
    OptionInfo { default: "1", common: &["2", "10"], ..projection::ITERATIONS };

impl ConstraintVerlet {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "ConstraintVerlet",
        title: "Constraint Verlet",
        summary: "corrects springs to their rest length, by default in one pass, then extrapolates from the last two positions",
        order: None,
        damped_order: None,
        limit: None,
        holds_lengths: true,
        velocity_carries: false,
        options: &[
            ITERATIONS,
            PROJECTION,
            classroom::DAMPING,
            classroom::DAMPING_OF,
            CORRECTION,
            TETHERS,
        ],
    };

    fn damped(&self) -> Damping {
        Damping { share: self.damping, of: self.damping_of }
    }

    /// Whether kernels support these options: one sweep before the extrapolation, without tethers.
    pub(crate) fn has_kernel(&self) -> bool {
        self.iterations == 1 && self.projection == ProjectionPlace::First && !self.tethers
    }
}

impl Method for ConstraintVerlet {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        let has_kernel = self.has_kernel();
        let sweeps = u64::from(self.iterations) + u64::from(self.tethers);
        Cost {
            rope_kernel: has_kernel.then_some(Item::KernelSweepNumber),
            ..Cost::sweeps(sweeps, Sweeping::Corrections)
        }
    }

    fn check(&self) -> Result<(), BadOption> {
        ITERATIONS.check(self.iterations >= 1)?;
        self.damped().check()
    }

    fn drag_rate(&self, dt: f64) -> f64 {
        self.damped().drag_rate(dt)
    }

    fn side_by_side(&self) -> SideBySide {
        SideBySide::Lanes
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator> {
        let last = classroom::positions_before(initial, dt);
        let zeros = vec![0.0; last.len()];
        let tethers = self.tethers.then(|| Tethers::new(model));
        Box::new(ConstraintVerletState {
            iterations: self.iterations,
            projection: self.projection,
            has_kernel: self.has_kernel(),
            damping: self.damped(),
            factors: self.correction.factors(),
            tethers,
            last,
            other_last: Vec::new(),
            start: Vec::new(),
            a: zeros,
            is_known: None,
            workspace: Workspace::default(),
            reactions: None,
        })
    }
}

struct ConstraintVerletState {
    /// Number of sweeps per step.
    iterations: u32,
    projection: ProjectionPlace,
    /// Whether kernels support the options.
    has_kernel: bool,
    damping: Damping,
    factors: ShareFactors,
    tethers: Option<Tethers>,
    last: Vec<f64>,
    /// Value of `last` before the last burst; the next burst overwrites it.
    other_last: Vec<f64>,
    /// Positions at the start of a step; empty while kernels take the steps.
    start: Vec<f64>,
    a: Vec<f64>,
    /// Whether kernels support the body and its forces, which are constant in a run; `None` before
    /// the first query.
    is_known: Option<bool>,
    workspace: Workspace,
    reactions: Option<Reactions>,
}

/// Performs one sweep over all held springs, in order. A spring of length 0 has no direction and is
/// skipped.
fn project(
    system: &System<'_>,
    factors: ShareFactors,
    x: &mut [f64],
    listener: &mut impl Listener,
) {
    let model = system.model;
    let n = model.nodes();
    for j in projection::sweep(model) {
        let spring = &model.springs[j];
        let (d, length) = model.span(x, spring);
        let Some((share_a, share_b)) = factors.shares(model, spring.a, spring.b) else { continue };
        if length == 0.0 || system.springs.is_broken(j) {
            continue;
        }
        let excess = length - spring.rest_length;
        for (axis, component) in d.iter().enumerate().take(model.axes) {
            let shift = component / length * excess;
            let (by_a, by_b) = (share_a * shift, share_b * shift);
            x[axis * n + spring.a] += by_a;
            x[axis * n + spring.b] -= by_b;
            projection::report_pin_motion(model, axis, spring, by_a, -by_b, listener);
        }
        if listener.needs_reports() {
            // Each end moves by `mass` times the correction, divided by its own mass.
            let mass = if share_a > 0.0 {
                share_a * model.mass[spring.a]
            } else {
                share_b * model.mass[spring.b]
            };
            listener.pulled(j, mass * excess);
        }
    }
}

/// Whether all forces except spring forces are uniform and constant.
fn is_uniform(system: &System<'_>) -> bool {
    system.external_terms().all(|term| matches!(term, Some(Term::Gravity { .. })))
}

/// Returns gravity and drag in order. `None` if forces other than these and springs act, or if a
/// spring is broken.
fn dragging_terms<'a>(system: &System<'a>) -> Option<Vec<Term<'a>>> {
    let is_known = |term: &Term<'_>| matches!(term, Term::Gravity { .. } | Term::Drag { .. });
    let known = system.external_terms().map(|term| term.filter(is_known));
    system.springs.is_whole().then(|| known.collect())?
}

impl ConstraintVerletState {
    /// Whether kernels support the options and the arrangement of the body.
    fn can_use_kernels(&self, system: &System<'_>) -> bool {
        self.has_kernel && projection::is_chain(system.model)
    }

    /// Corrects all springs `iterations` times, and then the lengths along routes.
    fn correct(&self, system: &System<'_>, state: &mut State, listener: &mut impl Listener) {
        for _ in 0..self.iterations {
            project(system, self.factors, &mut state.x, listener);
        }
        if projection::held(system).next().is_some() {
            routes::hold_rigid(system, &projection::weights(system.model), state, listener);
        }
    }

    /// Writes the accelerations that a kernel needs to `a`. Returns whether a kernel can take
    /// steps. Kernels support unbroken chains under constant accelerations.
    fn prepare_kernel(&mut self, system: &System<'_>, state: &State) -> bool {
        let is_known =
            self.is_known.unwrap_or_else(|| self.can_use_kernels(system) && is_uniform(system));
        if is_known && self.is_known.is_none() {
            system.external_accelerations(state, &mut self.a);
        }
        self.is_known = Some(is_known);
        is_known && system.springs.is_whole()
    }
}

impl Corrector for ConstraintVerletState {
    fn advance(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
        listener: &mut impl Listener,
    ) {
        self.start.clone_from(&state.x);
        let is_first = self.projection == ProjectionPlace::First;
        if is_first {
            self.correct(system, state, listener);
        }
        system.external_accelerations(state, &mut self.a);
        classroom::advance(system.model, &mut state.x, &mut self.last, &self.a, self.damping, dt);
        if !is_first || self.tethers.is_some() {
            state.t += dt;
            system.hold(state);
        }
        if !is_first {
            self.correct(system, state, listener);
        }
        if let Some(tethers) = &mut self.tethers {
            tethers.apply(system, &mut state.x, listener);
        }
        classroom::report_velocity(&self.start, state, dt);
    }
    fn kept(&mut self) -> &mut Option<Reactions> {
        &mut self.reactions
    }
}

impl Integrator for ConstraintVerletState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        reaction::step(self, system, state, dt);
    }

    fn keep_reactions(&mut self) {
        self.reactions = Some(Reactions::default());
    }

    fn reactions(&self) -> Option<&[f64]> {
        self.reactions.as_ref().map(Reactions::impulses)
    }

    fn tensions(&self) -> Option<&[f64]> {
        self.reactions.as_ref().map(Reactions::tensions)
    }

    /// Returns 1: the method uses only the forces at the start of the step.
    fn share_of_start(&self) -> f64 {
        1.0
    }

    fn burst(
        &mut self,
        system: &System<'_>,
        start: &State,
        end: &mut State,
        dt: f64,
        count: u64,
    ) -> bool {
        // Kernels do not report their corrections.
        if self.reactions.is_some() || !self.prepare_kernel(system, start) {
            return false;
        }
        let chain = ProjectedChain {
            model: system.model,
            is_reversed: projection::is_from_the_end(system.model),
            accelerations: &self.a,
            damping: self.damping.share,
            push_factor: self.damping.push_factor(),
            factors: self.factors,
            dt,
        };
        self.other_last.resize(self.last.len(), 0.0);
        let motion = BurstStates {
            start: [&start.x, &self.last],
            end: [&mut end.x, &mut self.other_last],
            v: &mut end.v,
        };
        let set = Instructions::best();
        let is_done = chain_projection::advance(set, &chain, motion, &mut self.workspace, count);
        if is_done {
            std::mem::swap(&mut self.last, &mut self.other_last);
        }
        is_done
    }

    fn undo_burst(&mut self) {
        std::mem::swap(&mut self.last, &mut self.other_last);
    }

    fn lane<'a>(&'a mut self, system: &System<'a>, state: &State) -> Option<ChainLane<'a>> {
        let push = if self.reactions.is_some() {
            return None;
        } else if self.prepare_kernel(system, state) {
            Push::Constant(&self.a)
        } else if self.can_use_kernels(system) {
            Push::Terms(dragging_terms(system)?)
        } else {
            return None;
        };
        let is_reversed = projection::is_from_the_end(system.model);
        Some(ChainLane {
            last: &self.last,
            push,
            damping: self.damping.share,
            push_factor: self.damping.push_factor(),
            factors: self.factors,
            is_reversed,
        })
    }

    fn displaced(&mut self, what: &Displaced<'_>, dt: f64) {
        classroom::add_velocity_changes(&mut self.last, what, dt);
    }

    /// Restores the last positions, because the velocity in the state includes the projection. A
    /// node that was pinned or released continues with the velocity of its anchor.
    fn take_over(&mut self, memory: &[f64], model: &Model, anew: &[usize]) {
        classroom::take_over(&mut self.last, memory, model.nodes(), anew);
    }

    fn save(&self, memory: &mut Vec<f64>) {
        memory.extend_from_slice(&self.last);
    }

    fn restore(&mut self, memory: &[f64]) {
        classroom::restore(&mut self.last, memory);
    }
}
