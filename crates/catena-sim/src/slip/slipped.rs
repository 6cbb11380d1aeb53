//! A method with a slip: it has all properties of the original except the steps.
//!
//! A method with a slip is not in the table of methods. No kernel and no group of runs accepts it,
//! because [`Method::side_by_side`], [`Integrator::burst`] and [`Integrator::lane`] keep their
//! defaults.

use crate::body::{Model, Spring, State};
use crate::budget::Cost;
use crate::force::System;
use crate::identity::Identity;
use crate::method::{Displaced, Integrator, Method, MethodInfo, StepReport};
use crate::named::BadOption;
use std::{fmt::Debug, sync::Arc};

/// Steps of a method with a slip.
pub(super) trait SlippedSteps: Debug + Identity + Send + Sync {
    /// Cost of a step, from the cost of the original.
    fn cost(&self, original: Cost) -> Cost {
        original
    }

    /// Drag c/m of the steps, as for [`Method::drag_rate`].
    fn drag_rate(&self, original: &Arc<dyn Method>, dt: f64) -> f64 {
        original.drag_rate(dt)
    }

    /// Starts a run, like [`Method::start`].
    fn start(
        &self,
        original: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator>;
}

/// A method with other steps than the original.
#[derive(Debug)]
pub(super) struct SlippedMethod<S> {
    pub(super) original: Arc<dyn Method>,
    pub(super) steps: S,
}
crate::identity!([S: Identity] SlippedMethod[S] { original, steps });

impl<S: SlippedSteps> Method for SlippedMethod<S> {
    fn info(&self) -> MethodInfo {
        self.original.info()
    }

    fn check(&self) -> Result<(), BadOption> {
        self.original.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.original.fits(axes, nodes)
    }

    fn holds_lengths(&self) -> bool {
        self.original.holds_lengths()
    }

    fn chooses_steps(&self) -> bool {
        self.original.chooses_steps()
    }

    fn inner_steps(&self) -> u32 {
        self.original.inner_steps()
    }

    fn stiffness_of(&self, spring: &Spring) -> f64 {
        self.original.stiffness_of(spring)
    }

    fn drag_rate(&self, dt: f64) -> f64 {
        self.steps.drag_rate(&self.original, dt)
    }

    fn caution(&self, model: &Model) -> Option<String> {
        self.original.caution(model)
    }

    fn cost(&self) -> Cost {
        let original = Cost { rope_kernel: None, sheet_kernel: None, ..self.original.cost() };
        self.steps.cost(original)
    }

    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator> {
        self.steps.start(&self.original, model, initial, dt)
    }
}

/// Work around the steps of any method.
pub(super) trait AroundSteps: Send {
    /// Takes a step with the method.
    fn step(
        &mut self,
        method: &mut dyn Integrator,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
    );

    /// Values that the slip remembers between steps. The number of values is constant.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Restores the result of [`AroundSteps::memory`].
    fn remember(&mut self, _memory: &[f64]) {}
}

/// A run of any method with work around its steps.
pub(super) struct Around<A> {
    pub(super) method: Box<dyn Integrator>,
    pub(super) slip: A,
}

impl<A: AroundSteps> Around<A> {
    /// Restores the slip from its part of the memory, and returns the method's part.
    fn split<'m>(&mut self, memory: &'m [f64]) -> &'m [f64] {
        let own = self.slip.memory().len().min(memory.len());
        let (own, of_method) = memory.split_at(own);
        self.slip.remember(own);
        of_method
    }
}

impl<A: AroundSteps> Integrator for Around<A> {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        self.slip.step(self.method.as_mut(), system, state, dt);
    }

    fn report(&self) -> Option<StepReport> {
        self.method.report()
    }

    fn tensions(&self) -> Option<&[f64]> {
        self.method.tensions()
    }

    fn keep_reactions(&mut self) {
        self.method.keep_reactions();
    }

    fn reactions(&self) -> Option<&[f64]> {
        self.method.reactions()
    }

    fn share_of_start(&self) -> f64 {
        self.method.share_of_start()
    }

    fn share_of_lengths(&self) -> f64 {
        self.method.share_of_lengths()
    }

    fn displaced(&mut self, what: &Displaced<'_>, dt: f64) {
        self.method.displaced(what, dt);
    }

    fn take_over(&mut self, memory: &[f64], model: &Model, anew: &[usize]) {
        let of_method = self.split(memory);
        self.method.take_over(of_method, model, anew);
    }

    fn resume(&mut self) {
        self.method.resume();
    }

    fn save(&self, memory: &mut Vec<f64>) {
        memory.extend(self.slip.memory());
        self.method.save(memory);
    }

    fn restore(&mut self, memory: &[f64]) {
        let of_method = self.split(memory);
        self.method.restore(of_method);
    }
}
