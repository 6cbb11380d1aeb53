//! Implicit (backward) Euler, with one linearised solve per step: (M - h D - h² K) Δv = h (f + h K
//! v). Then v' = v + Δv and x' = x + h v'. K = ∂f/∂x and D = ∂f/∂v are derivatives at the start of
//! the step. Forces that depend on time are evaluated at the end of the step.
//!
//! Order 1, stable at any step size. An undamped oscillator shrinks by 1/√(1 + ω²h²) per step, so
//! large steps damp strongly. K omits the transverse stiffness of compressed springs, which would
//! make the matrix indefinite; the order is still 1. A pinned node moves with its anchor, and its
//! effect on its neighbours is on the right side: K Δx + D Δv. Sources: Baraff and Witkin 1998,
//! "Large Steps in Cloth Simulation"; Choi and Ko 2002 on compression.

use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::{Force, System};
use crate::instructions::Instructions;
use crate::kernel::chain_implicit::ChainImplicit;
use crate::linear::{Kind, Limits, LinearSystem, Motion, Weights};
use crate::method::{Integrator, Method, MethodInfo, SideBySide, StepReport};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;
use std::sync::Arc;

/// The method, with the limits of an iterative linear solver.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImplicitEuler {
    /// Maximum residual of conjugate gradients, relative to the right side; 1e-15 to 0.1.
    pub tolerance: f64,
    /// Maximum number of iterations of conjugate gradients per step, 1 to 1000000.
    pub iterations: u64,
}
crate::identity!(ImplicitEuler { tolerance, iterations });

impl Default for ImplicitEuler {
    fn default() -> Self {
        Self { tolerance: 1e-9, iterations: 1000 }
    }
}

const TOLERANCE: OptionInfo = OptionInfo {
    name: "tolerance",
    summary: "relative residual at which conjugate gradients stop; not used for ropes",
    default: "1e-9",
    range: "a number from 1e-15 to 0.1",
    ..OptionInfo::PLAIN
};

const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    summary: "maximum number of conjugate gradient iterations per step; not used for ropes",
    default: "1000",
    range: "a whole number from 1 to 1000000",
    ..OptionInfo::PLAIN
};

impl ImplicitEuler {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "ImplicitEuler",
        title: "Implicit Euler",
        summary: "solves for the velocity at the end of the step; stable at every step size, with strong damping at large steps",
        order: Some(1),
        damped_order: Some(1),
        limit: Some(f64::INFINITY),
        holds_lengths: false,
        velocity_carries: true,
        options: &[TOLERANCE, ITERATIONS],
    };
}

impl Method for ImplicitEuler {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost { solutions: 1, is_open: true, ..Cost::evaluations(1) }
    }

    fn check(&self) -> Result<(), BadOption> {
        TOLERANCE.check((1e-15..=0.1).contains(&self.tolerance))?;
        ITERATIONS.check((1..=1_000_000).contains(&self.iterations))
    }

    fn side_by_side(&self) -> SideBySide {
        SideBySide::Solved
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }

    fn start(&self, model: &Model, _initial: &State, dt: f64) -> Box<dyn Integrator> {
        let limits = Limits { tolerance: self.tolerance, iterations: self.iterations };
        let chain = ChainImplicit::new(model);
        Box::new(ImplicitEulerState { limits, chain, general: None, report: StepReport::one(dt) })
    }
}

struct ImplicitEulerState {
    limits: Limits,
    /// Kernel for chains under the most common forces, with identical results; `None` for other
    /// bodies.
    chain: Option<ChainImplicit>,
    /// Solver for other bodies and forces; created on first use.
    general: Option<GeneralSolver>,
    report: StepReport,
}

/// Vectors and matrix of a step for any body and forces.
struct GeneralSolver {
    linear: LinearSystem,
    /// The state with pinned nodes at their positions at the end of the step.
    held: State,
    /// Displacements if free nodes keep their velocity, h v; actual displacements for pinned nodes.
    displacement: Vec<f64>,
    /// Δv: of pinned nodes before the solution, of all nodes after it.
    change: Vec<f64>,
    rhs: Vec<f64>,
    a: Vec<f64>,
}

impl GeneralSolver {
    fn new(model: &Model, state: &State, limits: Limits) -> Self {
        let zeros = vec![0.0; state.x.len()];
        Self {
            linear: LinearSystem::new(model, limits),
            held: state.clone(),
            displacement: zeros.clone(),
            change: zeros.clone(),
            rhs: zeros.clone(),
            a: zeros,
        }
    }

    /// Takes a step without moving pins to their final positions. Returns whether the requested
    /// accuracy was reached.
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) -> bool {
        self.predict(system, state, dt);
        match ahead(system.forces()) {
            Some(forces) => self.assemble(&system.with_forces(&forces), state, dt),
            None => self.assemble(system, state, dt),
        }
        let is_exact = self.linear.solve_for(system, &self.rhs, &mut self.change);
        for ((x, v), change) in state.x.iter_mut().zip(&mut state.v).zip(&self.change) {
            *v += change;
            *x += dt * *v;
        }
        is_exact
    }

    /// Computes `displacement`, and `change` of pinned nodes. `state` holds the time at the end
    /// of the step.
    fn predict(&mut self, system: &System<'_>, state: &State, dt: f64) {
        let model = system.model;
        self.held.clone_from(state);
        system.hold(&mut self.held);
        self.displacement
            .iter_mut()
            .zip(&state.v)
            .for_each(|(displacement, v)| *displacement = dt * v);
        self.change.fill(0.0);
        for node in (0..model.nodes()).filter(|node| model.pinned[*node]) {
            for index in (0..model.axes).map(|axis| axis * model.nodes() + node) {
                self.displacement[index] = self.held.x[index] - state.x[index];
                self.change[index] = self.held.v[index] - state.v[index];
            }
        }
    }

    /// Assembles the matrix, and the right side h (f + K displacement + D change) on free nodes.
    fn assemble(&mut self, system: &System<'_>, state: &State, dt: f64) {
        let Self { linear, displacement, change, rhs, a, .. } = self;
        let model = system.model;
        system.accelerations(state, a);
        let axes = rhs.chunks_exact_mut(model.nodes()).zip(a.chunks_exact(model.nodes()));
        for (rhs, a) in axes {
            for ((rhs, a), mass) in rhs.iter_mut().zip(a).zip(&model.mass) {
                *rhs = dt * mass * a;
            }
        }
        let weights = Weights { by_v: dt, by_x: dt * dt };
        let motion = Motion { displacement, change, right: rhs };
        linear.assemble(system, state, weights, Kind::Definite, Some(motion));
    }
}

/// Returns the forces with [`Force::ahead`] in place of each force that has it; `None` if no force
/// has it.
fn ahead(forces: &[Arc<dyn Force>]) -> Option<Vec<Arc<dyn Force>>> {
    let tangents: Vec<_> = forces.iter().map(|force| force.ahead()).collect();
    let own = || tangents.iter().zip(forces).map(|(one, force)| one.as_ref().unwrap_or(force));
    tangents.iter().any(Option::is_some).then(|| own().cloned().collect())
}

impl Integrator for ImplicitEulerState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        state.t += dt;
        let set = Instructions::best();
        let fast = self.chain.as_mut().and_then(|chain| chain.step(set, system, state, dt));
        let is_exact = fast.unwrap_or_else(|| {
            let new = || GeneralSolver::new(system.model, state, self.limits);
            self.general.get_or_insert_with(new).step(system, state, dt)
        });
        self.report = StepReport { unconverged: u64::from(!is_exact), ..StepReport::one(dt) };
        system.hold(state);
    }

    /// Returns 0: the method uses the forces at the end of the step.
    fn share_of_start(&self) -> f64 {
        0.0
    }

    fn report(&self) -> Option<StepReport> {
        Some(self.report)
    }
}
