//! Position based dynamics. First v' = v + a dt, x' = x + v' dt without springs. Then `iterations`
//! sweeps move all springs in order towards their rest length. Finally v' = (x' - x)/dt.
//!
//! A correction moves the ends of a spring of length L and rest length l towards each other by
//! s' (L - l) in total, shared by inverse mass. Each correction includes the effect of earlier
//! ones. With s' = 1 - (1 - s)^(1/iterations), a single spring keeps a fraction 1 - s of its excess
//! for any number of iterations. The stretch of a body of several springs under its weight depends
//! on the iterations and on dt. The spring's own stiffness has no effect. The method has no order
//! and no stability limit; the projection removes energy.
//!
//! With `stiffness_per: Iteration`, s' = s, as in many programs. n iterations then leave (1 - s)^n
//! of a single spring's excess, so more iterations make the spring stiffer. `correction` gives
//! variants that remove half of an error, or twice the error. Source: Müller, Heidelberger, Hennix,
//! Ratcliff 2007, "Position Based Dynamics".

use super::{
    correction::{CORRECTION, LengthCorrection},
    projection::{Correction, ITERATIONS, Projection, ProjectionState, Sweeps},
    reaction::Listener,
    routes::{self, Hold},
    tether::{TETHERS, Tethers},
};
use crate::body::{Model, State};
use crate::budget::{Cost, Sweeping};
use crate::kernel::{Law, ShareFactors};
use crate::method::{Integrator, Method, MethodInfo};
use crate::named::{BadOption, OptionInfo, OptionKind};
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
    /// Unit to which the stiffness belongs.
    pub stiffness_per: StiffnessPer,
    /// Fraction of a spring's error that each correction removes.
    pub correction: LengthCorrection,
    /// Whether long-range tethers hold nodes to their pins.
    pub tethers: bool,
}
crate::identity!(Pbd { iterations, stiffness, stiffness_per, correction, tethers });

impl Default for Pbd {
    fn default() -> Self {
        Self {
            iterations: 10,
            stiffness: 1.0,
            stiffness_per: StiffnessPer::default(),
            correction: LengthCorrection::default(),
            tethers: false,
        }
    }
}

/// Unit to which the stiffness of PBD belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum StiffnessPer {
    /// All iterations of a step together: s' = 1 - (1 - s)^(1/iterations).
    #[default]
    Solve,
    /// Each iteration: s' = s, as in many programs. The correct form is [`Solve`](Self::Solve),
    /// whose stiffness does not depend on the number of iterations.
    Iteration,
}
crate::identity!(
    enum StiffnessPer {
        Solve,
        Iteration,
    }
);

const STIFFNESS: OptionInfo = OptionInfo {
    name: "stiffness",
    summary: "fraction s of its excess length that a single spring loses per step",
    default: "1",
    range: "a number from 0 to 1",
    ..OptionInfo::PLAIN
};

const STIFFNESS_PER: OptionInfo = OptionInfo {
    name: "stiffness_per",
    summary: "Solve: s belongs to all iterations together, as 1 - (1 - s)^(1/iterations), which is correct; Iteration: every iteration multiplies by s, as programs print it, so more iterations make springs stiffer",
    default: "Solve",
    range: "Solve or Iteration",
    kind: OptionKind::Words(&["Solve", "Iteration"]),
    ..OptionInfo::PLAIN
};

impl Pbd {
    pub(crate) const INFO: MethodInfo = MethodInfo {
        name: "Pbd",
        title: "PBD",
        summary: "moves nodes without springs, then corrects springs; the stretch depends on iterations and dt",
        order: None,
        damped_order: None,
        limit: None,
        holds_lengths: true,
        velocity_carries: true,
        options: &[ITERATIONS, STIFFNESS, STIFFNESS_PER, CORRECTION, TETHERS],
    };
}

impl Method for Pbd {
    fn info(&self) -> MethodInfo {
        Self::INFO
    }

    fn cost(&self) -> Cost {
        Cost::sweeps(
            u64::from(self.iterations) * (1 + u64::from(self.tethers)),
            Sweeping::Iterations,
        )
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
        let share = match self.stiffness_per {
            StiffnessPer::Solve => {
                1.0 - libm::pow(1.0 - self.stiffness, 1.0 / f64::from(self.iterations))
            }
            StiffnessPer::Iteration => self.stiffness,
        };
        let ShareFactors { free, at_pin } = self.correction.factors();
        let correction = PbdCorrection {
            iterations: self.iterations,
            share: free * share,
            at_pin: at_pin * share,
            tethers: self.tethers.then(|| Tethers::new(model)),
        };
        Box::new(ProjectionState::new(correction, model))
    }
}

struct PbdCorrection {
    iterations: u32,
    /// s' in the module's documentation, for springs between free nodes.
    share: f64,
    /// s' for springs with a pinned end.
    at_pin: f64,
    tethers: Option<Tethers>,
}

impl Correction for PbdCorrection {
    /// Returns `None` also if springs with a pinned end have a different share, because kernels
    /// have one share for all springs.
    fn sweeps(&mut self) -> Option<Sweeps<'_>> {
        let (iterations, law) = (self.iterations, Law::Share(self.share));
        let is_plain = self.tethers.is_none() && self.share == self.at_pin;
        is_plain.then_some(Sweeps { iterations, law, tension: &mut [] })
    }

    /// Skips springs of length 0, which have no direction.
    fn correct(
        &mut self,
        projection: &Projection<'_>,
        x: &mut [f64],
        listener: &mut impl Listener,
    ) -> bool {
        let system = projection.system;
        let pinned = &system.model.pinned;
        for _ in 0..self.iterations {
            for (j, spring, weight) in projection.movable() {
                let (d, length) = system.model.span(x, spring);
                if length > 0.0 {
                    let is_at_pin = pinned[spring.a] || pinned[spring.b];
                    let share = if is_at_pin { self.at_pin } else { self.share };
                    let amount = share * (length - spring.rest_length) / (weight * length);
                    projection.shift(x, spring, &d, amount, listener);
                    listener.pulled(j, amount * length);
                }
            }
            if let Some(tethers) = &mut self.tethers {
                tethers.apply(system, x, listener);
            }
            routes::hold(projection, x, &mut Hold::Rigid, listener);
        }
        true
    }
}
