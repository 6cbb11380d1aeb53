//! Checks whether a frame is valid. A quick test reads positions and velocities in order, without
//! square roots or divisions. If this test cannot confirm that the frame is valid, each spring is
//! checked.

use super::Setup;
use crate::body::{SpringMemory, State, measure};
use crate::force::Force;
use crate::instructions::Instructions;
use pulp::NullaryFnOnce;
use std::sync::Arc;

/// Springs with consecutive nodes: spring i of the run joins nodes `a` + i and `b` + i.
#[derive(Debug)]
struct SpringRun {
    a: usize,
    b: usize,
    springs: usize,
    rest_length: f64,
    /// Maximum square of their length within the strain limit.
    maximum: f64,
}

/// Precomputed bounds on the springs of a setup.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Runs of springs; empty if springs are not consecutive or lengths have no bound.
    runs: Vec<SpringRun>,
    /// Maximum strain of each route; `None` for other forces. Empty if there are no routes.
    routes: Vec<Option<f64>>,
}

/// Relative reduction of a bound to cover rounding errors.
const MARGIN: f64 = 1e-9;

impl Watch {
    pub(crate) fn new(setup: &Setup) -> Self {
        let (model, strain_limit) = (&setup.model, setup.strain_limit);
        let mut runs: Vec<SpringRun> = Vec::new();
        for spring in &model.springs {
            let follows = |run: &SpringRun| (run.a + run.springs, run.b + run.springs);
            match runs.last_mut() {
                Some(run) if follows(run) == (spring.a, spring.b) => {
                    run.springs += 1;
                    run.rest_length = run.rest_length.min(spring.rest_length);
                }
                _ => {
                    let (a, b, rest_length) = (spring.a, spring.b, spring.rest_length);
                    runs.push(SpringRun { a, b, springs: 1, rest_length, maximum: 0.0 });
                }
            }
        }
        for run in &mut runs {
            let length = run.rest_length * (1.0 + strain_limit) * (1.0 - MARGIN);
            run.maximum = length * length;
        }
        let is_bounded = |run: &SpringRun| run.rest_length > 0.0 && run.maximum.is_normal();
        // Checking springs one by one is faster than many short runs.
        let is_quick = runs.len() <= 1 + model.springs.len() / 4;
        if !(strain_limit > 0.0 && is_quick && runs.iter().all(is_bounded)) {
            runs.clear();
        }
        runs.shrink_to_fit();
        let routes = match setup.has_routes() {
            true => {
                let limit = |force: &Arc<dyn Force>| Some(setup.route_limit(force.route()?));
                setup.forces.iter().map(limit).collect()
            }
            false => Vec::new(),
        };
        Self { runs, routes }
    }

    /// Whether a spring or a route is strained beyond the limit, a number is not finite, or a route
    /// has no path.
    pub(crate) fn is_out_of_order(
        &self,
        setup: &Setup,
        springs: &SpringMemory,
        state: &State,
    ) -> bool {
        let is_lost = |(force, limit): (&Arc<dyn Force>, &Option<f64>)| {
            let route = force.route().zip(*limit);
            route.is_some_and(|(route, limit)| route.is_lost(springs, limit))
        };
        if setup.forces.iter().zip(&self.routes).any(is_lost) {
            return true;
        }
        if self.is_calm(setup.model.axes, state) {
            return false;
        }
        let strain = measure::greatest_strain(&setup.model, springs, &state.x);
        let is_strained = strain > setup.strain_limit && strain > setup.strain_limit_at(state.t);
        strain.is_nan() || is_strained || !state.is_finite()
    }

    /// Whether the quick test confirms that the state is valid.
    fn is_calm(&self, axes: usize, state: &State) -> bool {
        match axes {
            _ if self.runs.is_empty() => false,
            2 => Instructions::best().run(StrainCheck::<2> { runs: &self.runs, state }),
            3 => Instructions::best().run(StrainCheck::<3> { runs: &self.runs, state }),
            _ => false,
        }
    }
}

struct StrainCheck<'a, const A: usize> {
    runs: &'a [SpringRun],
    state: &'a State,
}

impl<const A: usize> NullaryFnOnce for StrainCheck<'_, A> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Self { runs, state: State { x, v, .. } } = self;
        let n = x.len() / A;
        let mut is_calm = true;
        for number in x {
            is_calm &= number.abs() <= f64::MAX;
        }
        for number in v {
            is_calm &= number.abs() <= f64::MAX;
        }
        for &SpringRun { a, b, springs, maximum, .. } in runs {
            let (mut from, mut to) = ([&x[..0]; A], [&x[..0]; A]);
            for axis in 0..A {
                from[axis] = &x[axis * n + a..][..springs];
                to[axis] = &x[axis * n + b..][..springs];
            }
            for i in 0..springs {
                let mut square = 0.0;
                for axis in 0..A {
                    let d = to[axis][i] - from[axis][i];
                    square += d * d;
                }
                is_calm &= square <= maximum;
            }
        }
        is_calm
    }
}
