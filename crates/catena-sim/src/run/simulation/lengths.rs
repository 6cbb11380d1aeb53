//! Rest lengths of the springs in each step, and measurement of their lengths at its end, several
//! at a time, with the update of the plastic strain.

use super::Simulation;
use crate::body::{Model, Spring, State};
use crate::force::{Account, SpringLaw, law::Tensions};
use crate::instructions::Instructions;
use crate::run::watch::Watch;
use pulp::NullaryFnOnce;
use std::sync::Arc;

/// Springs with consecutive nodes: spring i of the run joins nodes `a` + i and `b` + i.
struct Run {
    a: usize,
    b: usize,
    springs: usize,
}

/// Springs of a model, and their lengths after a measurement.
pub(super) struct Lengths {
    /// All springs, in order.
    runs: Vec<Run>,
    stiffness: Vec<f64>,
    rest: Vec<f64>,
    length: Vec<f64>,
    /// Lengths before the step; empty if nothing depends on them.
    before: Vec<f64>,
}

impl Lengths {
    pub(super) fn new(model: &Model) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for spring in &model.springs {
            match runs.last_mut() {
                Some(run) if (run.a + run.springs, run.b + run.springs) == (spring.a, spring.b) => {
                    run.springs += 1;
                }
                _ => runs.push(Run { a: spring.a, b: spring.b, springs: 1 }),
            }
        }
        Self {
            runs,
            stiffness: model.springs.iter().map(|spring| spring.stiffness).collect(),
            rest: model.springs.iter().map(|spring| spring.rest_length).collect(),
            length: vec![0.0; model.springs.len()],
            before: Vec::new(),
        }
    }

    /// Measures all springs, bit-identical to [`Model::span`].
    pub(super) fn measure(&mut self, axes: usize, State { x, .. }: &State) {
        let (runs, length) = (&self.runs[..], &mut self.length[..]);
        match axes {
            2 => Instructions::best().run(Measurement::<2> { runs, x, length }),
            _ => Instructions::best().run(Measurement::<3> { runs, x, length }),
        }
    }

    /// Measures all springs before a step, for [`Lengths::flow`].
    pub(super) fn measure_start(&mut self, axes: usize, state: &State) {
        self.measure(axes, state);
        self.before.clone_from(&self.length);
    }

    /// The last measured lengths, in the order of springs.
    pub(super) fn all(&self) -> &[f64] {
        &self.length
    }

    /// Replaces the plastic strain of each spring by its value after a step of `dt` with the last
    /// measured lengths.
    pub(super) fn flow(&self, law: &dyn SpringLaw, plastic: &mut [f64], dt: f64) {
        let Self { stiffness, rest, length, before, .. } = self;
        if law.depends_on_path() {
            let constants = stiffness.iter().zip(rest).zip(before.iter().zip(length));
            for (((stiffness, rest), (from, to)), plastic) in constants.zip(plastic) {
                let spring = Spring { a: 0, b: 0, stiffness: *stiffness, rest_length: *rest };
                *plastic = law.flow_along(&spring, [*from, *to], *plastic, dt);
            }
            return;
        }
        law.flows_on(&Tensions { stiffness, rest, length, plastic: &[] }, plastic, dt);
    }
}

struct Measurement<'a, const A: usize> {
    runs: &'a [Run],
    x: &'a [f64],
    length: &'a mut [f64],
}

impl<const A: usize> NullaryFnOnce for Measurement<'_, A> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { runs, x, mut length } = self;
        let n = x.len() / A;
        for &Run { a, b, springs } in runs {
            let (mut from, mut to) = ([&x[..0]; A], [&x[..0]; A]);
            for axis in 0..A {
                from[axis] = &x[axis * n + a..][..springs];
                to[axis] = &x[axis * n + b..][..springs];
            }
            let (own, others) = length.split_at_mut(springs);
            for (i, length) in own.iter_mut().enumerate() {
                let mut square = 0.0;
                for axis in 0..A {
                    let d = to[axis][i] - from[axis][i];
                    square += d * d;
                }
                *length = square.sqrt();
            }
            length = others;
        }
    }
}

impl Simulation {
    /// Sets the spring lengths for the next step: at a time within the step that the method
    /// chooses, or at its end for methods that hold lengths.
    pub(super) fn lengthen_for_step(&mut self) {
        if self.setup.lengths.is_empty() {
            return;
        }
        let [start, end] = [self.steps, self.steps + 1].map(|steps| self.setup.time_after(steps));
        let t = match self.setup.method.holds_lengths() {
            true => end,
            false => start + self.integrator.share_of_lengths() * (end - start),
        };
        self.change_lengths(t);
        self.book(Account::Anchors);
    }

    /// Sets the spring lengths for the time of the state, at the end of a step.
    pub(super) fn lengthen_to_state(&mut self) {
        if !self.setup.lengths.is_empty() {
            self.change_lengths(self.state.t);
            self.book(Account::Anchors);
        }
    }

    /// Sets the spring lengths for a time, and renews everything that has a copy of these lengths.
    pub(super) fn change_lengths(&mut self, t: f64) {
        if self.setup.lengths.is_empty() {
            return;
        }
        let first = Arc::clone(&self.first_setup);
        let setup = Arc::make_mut(&mut self.setup);
        // Events may have changed the curves.
        setup.lengths.apply(&first.model, t, &mut setup.model);
        self.length_changes += 1;
        (self.sum, self.lengths) = (None, None);
        self.watch = Watch::new(&self.setup);
        if let Some(keeper) = &mut self.keeper {
            keeper.follow(&self.setup);
        }
    }
}
