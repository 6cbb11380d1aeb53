//! Position based dynamics: v' = v + a dt, x' = x + v' dt without springs; then all springs in order are put back
//! towards their rest length, `iterations` times; then v' = (x' - x)/dt.
//!
//! A spring of length L moves its ends towards each other by s' (L - l) in all, shared by inverse mass, and sees what the
//! spring before it did. s' = 1 - (1 - s)^(1/iterations), so that a single spring keeps a share 1 - s of its
//! excess whatever the iterations. A body of several springs is another matter: how far it stretches under its weight
//! depends on the iterations and on dt. The spring's own stiffness does not enter. There is no order and no stability limit;
//! the projection takes energy out.
//! Source: Müller, Heidelberger, Hennix, Ratcliff 2007, "Position Based Dynamics".

use super::projection;
use super::{
    reaction::{Listener, Reactions},
    tether::{TETHERS, Tethers},
};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;

/// The method and its options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pbd {
    /// Sweeps a step, at least 1.
    pub iterations: u32,
    /// s, the share of its excess that a single spring loses in a step, 0 to 1.
    pub stiffness: f64,
    /// Whether long-range tethers hold nodes to their pins.
    pub tethers: bool,
}

impl Default for Pbd {
    fn default() -> Self {
        Self { iterations: 10, stiffness: 1.0, tethers: false }
    }
}

const STIFFNESS: OptionInfo = OptionInfo {
    name: "stiffness",
    summary: "s: share of its excess that a single spring loses in a step",
    default: "1",
    range: "a number from 0 to 1",
};

impl Pbd {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "Pbd",
        title: "PBD",
        summary: "moves on without springs, then puts them back; how far it stretches depends on iterations and dt",
        order: None,
        damped_order: None,
        limit: None,
        holds_lengths: true,
        velocity_carries: true,
        options: &[projection::ITERATIONS, STIFFNESS, TETHERS],
    };
}

impl Method for Pbd {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::sweeps(u64::from(self.iterations) * (1 + u64::from(self.tethers)))
    }

    fn check(&self) -> Result<(), BadOption> {
        projection::ITERATIONS.check(self.iterations >= 1)?;
        STIFFNESS.check((0.0..=1.0).contains(&self.stiffness))
    }

    fn start(&self, model: &Model, initial: &State, _dt: f64) -> Box<dyn Integrator> {
        let zeros = vec![0.0; initial.x.len()];
        Box::new(Run {
            iterations: self.iterations,
            share: 1.0 - libm::pow(1.0 - self.stiffness, 1.0 / f64::from(self.iterations)),
            tethers: self.tethers.then(|| Tethers::new(model)),
            weights: projection::weights(model),
            start: zeros.clone(),
            a: zeros,
            reactions: None,
        })
    }
}

struct Run {
    iterations: u32,
    /// s' of the module's head.
    share: f64,
    tethers: Option<Tethers>,
    weights: Vec<f64>,
    start: Vec<f64>,
    a: Vec<f64>,
    reactions: Option<Reactions>,
}

impl Run {
    /// One sweep over all springs. A spring without length has no direction and is left alone.
    fn sweep(&self, system: &System<'_>, x: &mut [f64], listener: &mut impl Listener) {
        for (_, spring, weight) in projection::movable(system, &self.weights) {
            let (d, length) = system.model.span(x, spring);
            if length > 0.0 {
                let amount = self.share * (length - spring.rest_length) / (weight * length);
                projection::shift((system.model, &self.weights), x, spring, &d, amount, listener);
            }
        }
    }

    fn advance(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
        listener: &mut impl Listener,
    ) {
        self.start.copy_from_slice(&state.x);
        projection::predict(system, state, &mut self.a, dt);
        for _ in 0..self.iterations {
            self.sweep(system, &mut state.x, listener);
            if let Some(tethers) = &mut self.tethers {
                tethers.apply(system, &mut state.x, listener);
            }
        }
        projection::velocities(system.model, &self.start, state, dt);
    }
}

impl Integrator for Run {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        match self.reactions.take() {
            None => self.advance(system, state, dt, &mut ()),
            Some(mut reactions) => {
                reactions.begin(system.model, dt);
                self.advance(system, state, dt, &mut reactions);
                self.reactions = Some(reactions);
            }
        }
    }

    fn keep_reactions(&mut self) {
        self.reactions = Some(Reactions::default());
    }

    fn reactions(&self) -> Option<&[f64]> {
        self.reactions.as_ref().map(Reactions::impulses)
    }
}
