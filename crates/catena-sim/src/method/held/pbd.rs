//! Position based dynamics. First v' = v + a dt, x' = x + v' dt without springs. Then `iterations`
//! sweeps move all springs in order towards their rest length. Finally v' = (x' - x)/dt.
//!
//! A correction moves the ends of a spring of length L towards each other by s' (L - l) in total,
//! shared by inverse mass. Each correction includes the effect of earlier ones. With s' = 1 - (1 -
//! s)^(1/iterations), a single spring keeps a fraction 1 - s of its excess for any number of
//! iterations. The stretch of a body of several springs under its weight depends on the iterations
//! and on dt. The spring's own stiffness has no effect. The method has no order and no stability
//! limit; the projection removes energy. Source: Müller, Heidelberger, Hennix, Ratcliff 2007,
//! "Position Based Dynamics".

use super::{
    projection::{Correction, ITERATIONS, Projection, ProjectionState, Sweeps},
    reaction::Listener,
    tether::{TETHERS, Tethers},
};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::kernel::Law;
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo};
use serde::Deserialize;
use std::sync::Arc;

/// The method and its options.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pbd {
    /// Number of sweeps per step, at least 1.
    pub iterations: u32,
    /// s, fraction of its excess that a single spring loses per step, 0 to 1.
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
    ..OptionInfo::PLAIN
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
        options: &[ITERATIONS, STIFFNESS, TETHERS],
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
        ITERATIONS.check(self.iterations >= 1)?;
        STIFFNESS.check((0.0..=1.0).contains(&self.stiffness))
    }

    fn iterations(&self) -> Option<u32> {
        Some(self.iterations)
    }

    fn with_iterations(&self, iterations: u32) -> Option<Arc<dyn Method>> {
        Some(Arc::new(Self { iterations, ..self.clone() }))
    }

    fn start(&self, model: &Model, _initial: &State, _dt: f64) -> Box<dyn Integrator> {
        let correction = PbdCorrection {
            iterations: self.iterations,
            share: 1.0 - libm::pow(1.0 - self.stiffness, 1.0 / f64::from(self.iterations)),
            tethers: self.tethers.then(|| Tethers::new(model)),
        };
        Box::new(ProjectionState::new(correction, model))
    }
}

struct PbdCorrection {
    iterations: u32,
    /// s' in the module's documentation.
    share: f64,
    tethers: Option<Tethers>,
}

impl Correction for PbdCorrection {
    fn sweeps(&mut self) -> Option<Sweeps<'_>> {
        let (iterations, law) = (self.iterations, Law::Share(self.share));
        self.tethers.is_none().then_some(Sweeps { iterations, law, tension: &mut [] })
    }

    /// Skips springs of length 0, which have no direction.
    fn correct(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> bool {
        let system = projection.system;
        for _ in 0..self.iterations {
            for (j, spring, weight) in projection.movable() {
                let (d, length) = system.model.span(x, spring);
                if length > 0.0 {
                    let amount = self.share * (length - spring.rest_length) / (weight * length);
                    projection.shift(x, spring, &d, amount, listener);
                    listener.pulled(j, amount * length);
                }
            }
            if let Some(tethers) = &mut self.tethers {
                tethers.apply(system, x, listener);
            }
        }
        true
    }
}
