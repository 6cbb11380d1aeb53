//! Euler's methods in one loop over the masses: the force on a mass, then its velocity and
//! position, then the next mass. The springs of the next mass already use the moved position. The
//! forces on the two ends of a spring differ, so momentum is not conserved.

use super::slipped::SlippedSteps;
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::{Integrator, Method};
use serde::Deserialize;
use std::sync::Arc;

/// Moves each mass before the forces on the next mass are computed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InPlace {}
crate::identity!(InPlace {});

impl InPlace {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "InPlace",
        title: "updated in place",
        summary: "each mass moves before the forces on the next one are computed",
        symptom: "a free rope drifts sideways on its own; the result depends on the order of the masses",
        correct: "All forces are computed from one state before any mass moves.",
        options: &[],
    };
}

/// Maximum number of nodes. A step evaluates all forces once per node.
const MAX_NODES: usize = 1024;

impl Slip for InPlace {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.only(slip, &["ExplicitEuler", "SemiImplicitEuler"])?;
        target.needs_fixed_steps(slip)?;
        let nodes = target.model.nodes();
        if nodes > MAX_NODES {
            return Err(format!(
                "{slip} computes all forces once per node: at most {MAX_NODES} nodes, not {nodes}"
            ));
        }
        let is_explicit = target.method.info().name == "ExplicitEuler";
        target.replace_steps(slip, OneByOne { is_explicit, nodes: nodes as u64 })
    }
}

#[derive(Debug)]
struct OneByOne {
    is_explicit: bool,
    nodes: u64,
}
crate::identity!(OneByOne { is_explicit, nodes });

impl SlippedSteps for OneByOne {
    fn cost(&self, original: Cost) -> Cost {
        Cost { evaluations: self.nodes, ..original }
    }

    fn start(
        &self,
        _original: &Arc<dyn Method>,
        _model: &Model,
        initial: &State,
        _dt: f64,
    ) -> Box<dyn Integrator> {
        Box::new(InPlaceState { is_explicit: self.is_explicit, a: vec![0.0; initial.x.len()] })
    }
}

struct InPlaceState {
    is_explicit: bool,
    a: Vec<f64>,
}

impl Integrator for InPlaceState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        let model = system.model;
        let n = model.nodes();
        for node in (0..n).filter(|node| !model.pinned[*node]) {
            system.accelerations(state, &mut self.a);
            for at in (0..model.axes).map(|axis| axis * n + node) {
                let old = state.v[at];
                state.v[at] += dt * self.a[at];
                state.x[at] += dt * if self.is_explicit { old } else { state.v[at] };
            }
        }
    }

    /// Returns 1: the method uses no forces at the end of the step.
    fn share_of_start(&self) -> f64 {
        1.0
    }
}
