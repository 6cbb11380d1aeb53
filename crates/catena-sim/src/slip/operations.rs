//! The two Verlet methods of GAMES101 with every operation in 24 bits, in the order of common
//! programs.
//!
//! Rounding once per step does not describe methods whose velocity is the difference of two
//! positions. Here the order of the sums decides whether damping or a part of gravity is lost in
//! every step. A program with the same order of operations has bit-identical results.

use super::slipped::SlippedSteps;
use crate::body::{Body, Model, State};
use crate::force::{Part, System};
use crate::kernel::ShareFactors;
use crate::method::verlet::classroom::{self, Damping, DampingOf};
use crate::method::{
    ConstraintVerlet, Displaced, ForceVerlet, Integrator, Method, ProjectionPlace,
};
use serde::Deserialize;
use std::sync::Arc;

/// Steps of ForceVerlet or ConstraintVerlet in 24 bits.
#[derive(Debug)]
pub(super) struct InOperations {
    operations: Operations,
    damping: f64,
    damping_of: DampingOf,
    /// Correction of springs. `None` integrates springs.
    held: Option<HeldLengths>,
}
crate::identity!(InOperations { operations, damping, damping_of, held });

/// Correction of springs to their rest length in each step.
#[derive(Clone, Copy, Debug)]
struct HeldLengths {
    /// Factors on the correction of a spring, without and with a pinned end.
    factors: [f64; 2],
    iterations: u32,
    projection: ProjectionPlace,
}
crate::identity!(HeldLengths { factors, iterations, projection });

impl InOperations {
    /// Creates the steps. `None` if the method is neither ForceVerlet nor ConstraintVerlet.
    pub(super) fn of(operations: Operations, method: &Arc<dyn Method>) -> Option<Self> {
        let any = method.as_any()?;
        if let Some(force) = any.downcast_ref::<ForceVerlet>() {
            let ForceVerlet { damping, damping_of } = *force;
            return Some(Self { operations, damping, damping_of, held: None });
        }
        let verlet = any.downcast_ref::<ConstraintVerlet>().filter(|held| !held.tethers)?;
        let ConstraintVerlet { iterations, projection, damping, damping_of, .. } = *verlet;
        let ShareFactors { free, at_pin } = verlet.correction.factors();
        let held = HeldLengths { factors: [free, at_pin], iterations, projection };
        Some(Self { operations, damping, damping_of, held: Some(held) })
    }
}

impl SlippedSteps for InOperations {
    fn start(
        &self,
        _original: &Arc<dyn Method>,
        _model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        let last = classroom::positions_before(initial, single(dt));
        Box::new(OperationSteps {
            operations: self.operations,
            damping: Damping { share: self.damping, of: self.damping_of },
            held: self.held,
            a: vec![0.0; last.len()],
            start: last.clone(),
            last: last.into_iter().map(single).collect(),
        })
    }
}

/// Rounds a number to single precision.
fn single(value: f64) -> f64 {
    f64::from(value as f32)
}

struct OperationSteps {
    operations: Operations,
    damping: Damping,
    held: Option<HeldLengths>,
    last: Vec<f64>,
    start: Vec<f64>,
    a: Vec<f64>,
}

/// Vector from one end of a spring to the other, and its length.
fn span(model: &Model, x: &[f64], ends: [usize; 2]) -> ([f32; 3], f32) {
    let (n, [a, b]) = (model.nodes(), ends);
    let (mut d, mut square) = ([0.0_f32; 3], 0.0_f32);
    for (axis, component) in d.iter_mut().enumerate().take(model.axes) {
        *component = x[axis * n + b] as f32 - x[axis * n + a] as f32;
        square += *component * *component;
    }
    (d, square.sqrt())
}

/// Adds the forces of linear springs to `f`.
pub(super) fn pull(body: &Body<'_>, part: Part, x: &[f64], f: &mut [f64]) {
    let model = body.model;
    let n = model.nodes();
    for j in part.springs(model).filter(|j| !body.springs.is_broken(*j)) {
        let spring = &model.springs[j];
        let (d, length) = span(model, x, [spring.a, spring.b]);
        if length == 0.0 {
            continue;
        }
        let tension = spring.stiffness as f32 * (length - spring.rest_length as f32);
        for (axis, component) in d.iter().enumerate().take(model.axes) {
            let force = component / length * tension;
            let mut add = |node: usize, force: f32| {
                let sum = &mut f[axis * n + node];
                *sum = f64::from(*sum as f32 + force);
            };
            add(spring.a, force);
            add(spring.b, -force);
        }
    }
}

impl OperationSteps {
    /// Corrects all held springs in order, once per iteration.
    fn project(&self, system: &System<'_>, held: HeldLengths, x: &mut [f64]) {
        for _ in 0..held.iterations {
            self.sweep(system, held, x);
        }
    }

    /// Corrects all held springs in order.
    fn sweep(&self, system: &System<'_>, held: HeldLengths, x: &mut [f64]) {
        let [free, at_pin] = held.factors;
        let factors = ShareFactors { free, at_pin };
        let (model, is_unit) = (system.model, self.operations.is_unit());
        let n = model.nodes();
        for j in crate::method::held_sweep(model) {
            let spring = &model.springs[j];
            let (d, length) = span(model, x, [spring.a, spring.b]);
            let shares = factors.shares(model, spring.a, spring.b);
            let Some((of_a, of_b)) = shares.filter(|_| length > 0.0) else { continue };
            if system.springs.is_broken(j) {
                continue;
            }
            let excess = length - spring.rest_length as f32;
            for (axis, component) in d.iter().enumerate().take(model.axes) {
                let by = |share: f64| match is_unit {
                    true => component / length * excess * share as f32,
                    false => component * (excess / length * share as f32),
                };
                let mut shift = |node: usize, by: f32| {
                    let place = &mut x[axis * n + node];
                    *place = f64::from(*place as f32 + by);
                };
                if of_a > 0.0 {
                    shift(spring.a, by(of_a));
                }
                if of_b > 0.0 {
                    shift(spring.b, -by(of_b));
                }
            }
        }
    }

    /// Position of a node after a step.
    fn next(&self, x: f32, last: f32, a: f32, dt: f32) -> f32 {
        let (share, push) = (self.damping.share as f32, a * dt * dt);
        let sum = |moved: f32| match self.operations.is_sum_first() {
            true => x + (moved + push),
            false => x + moved + push,
        };
        match self.damping.of {
            DampingOf::Displacement => sum((1.0 - share) * (x - last)),
            DampingOf::Step => (1.0 - share) * sum(x - last) + share * x,
        }
    }
}

impl Integrator for OperationSteps {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let n = system.model.nodes();
        state.x.iter_mut().for_each(|x| *x = single(*x));
        self.start.clone_from(&state.x);
        match self.held {
            Some(held) => {
                if held.projection == ProjectionPlace::First {
                    self.project(system, held, &mut state.x);
                }
                system.external_accelerations(state, &mut self.a);
            }
            None => system.accelerations(state, &mut self.a),
        }
        for (index, x) in state.x.iter_mut().enumerate() {
            if system.model.pinned[index % n] {
                continue;
            }
            let [now, last, a] = [*x, self.last[index], self.a[index]].map(|it| it as f32);
            self.last[index] = *x;
            *x = f64::from(self.next(now, last, a, dt as f32));
        }
        if let Some(held) = self.held.filter(|held| held.projection == ProjectionPlace::Last) {
            state.t += dt;
            system.hold(state);
            self.project(system, held, &mut state.x);
        }
        classroom::report_velocity(&self.start, state, dt);
        state.v.iter_mut().for_each(|v| *v = single(*v));
    }

    /// Returns 1: the methods use only the forces at the start of the step.
    fn share_of_start(&self) -> f64 {
        1.0
    }

    fn displaced(&mut self, what: &Displaced<'_>, dt: f64) {
        classroom::add_velocity_changes(&mut self.last, what, dt);
    }

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

/// Operations that are rounded to single precision, and their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Operations {
    /// State and sums of forces are rounded once per step.
    #[default]
    Step,
    /// All operations are rounded, with the unit vector first, d / |d| (|d| - L), and sums from the
    /// left: x + (x - x_last) + a dt².
    Unit,
    /// All operations are rounded, with the unit vector first and the displacement as one sum: x +
    /// ((x - x_last) + a dt²).
    UnitSum,
    /// All operations are rounded, with the ratio first, d ((|d| - L) / |d|), and sums from the
    /// left.
    Ratio,
    /// All operations are rounded, with the ratio first and the displacement as one sum.
    RatioSum,
}

impl Operations {
    /// Whether a vector is divided by its length before any multiplication.
    pub(crate) fn is_unit(self) -> bool {
        matches!(self, Self::Unit | Self::UnitSum)
    }

    /// Whether the displacement of a step is summed before it is added to the position.
    pub(crate) fn is_sum_first(self) -> bool {
        matches!(self, Self::UnitSum | Self::RatioSum)
    }
}
