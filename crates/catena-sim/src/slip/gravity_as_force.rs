//! Gravity as a force that does not depend on mass: F = g instead of F = m g.

use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Arrangement, Body, Model, State};
use crate::force::{Account, Blocks, Derivative, Force, ForceEnergy, Potential, Store};
use crate::named::BadOption;
use serde::Deserialize;
use std::sync::Arc;

/// Adds g to the forces, so that a node of mass m falls with g/m.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GravityAsForce {}
crate::identity!(GravityAsForce {});

impl GravityAsForce {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "GravityAsForce",
        title: "gravity as a force",
        summary: "forces += gravity, so that heavy nodes fall slowly and light ones fast",
        symptom: "changing the mass changes how fast my rope falls; a heavy rope floats",
        correct: "The weight of a node is its mass times gravity: forces += mass * gravity.",
        options: &[],
    };
}

impl Slip for GravityAsForce {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        if target.model.mass.iter().all(|mass| *mass == 1.0) {
            return Err("with masses of 1, gravity as a force changes nothing: \
                        set another mass, such as rope.mass: 2"
                .into());
        }
        let is_weight = |force: &Arc<dyn Force>| force.with_gravity(&[0.0; 3]).is_some();
        for force in target.forces.iter_mut().filter(|force| is_weight(force)) {
            *force = Arc::new(MasslessGravity::new(Arc::clone(force), target.model));
        }
        Ok(())
    }

    /// Returns `true`: a constant force changes no frequency.
    fn keeps_limit(&self) -> bool {
        true
    }
}

/// A gravity that takes every node as one of mass 1.
#[derive(Debug)]
struct MasslessGravity {
    weight: Arc<dyn Force>,
    /// Nodes of mass 1, without springs.
    unit: Model,
}
crate::identity!(MasslessGravity { weight, unit });

impl MasslessGravity {
    fn new(weight: Arc<dyn Force>, model: &Model) -> Self {
        let unit = Model {
            axes: model.axes,
            mass: vec![1.0; model.nodes()],
            pinned: model.pinned.clone(),
            arrangement: Arrangement::Parts,
            ..Model::default()
        };
        Self { weight, unit }
    }

    fn body<'a>(&'a self, body: &Body<'a>) -> Body<'a> {
        Body { model: &self.unit, springs: body.springs }
    }
}

impl Force for MasslessGravity {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        self.weight.add_to(&self.body(body), state, f);
    }

    /// Adds nothing: the force does not depend on positions or velocities.
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    fn derivative(&self, _t: f64) -> Option<Derivative<'_>> {
        Some(Derivative::Nothing)
    }

    fn load(&self, _model: &Model) -> f64 {
        self.weight.load(&self.unit)
    }

    fn energy(&self) -> ForceEnergy<'_> {
        match self.weight.energy() {
            ForceEnergy::Stored(_) => ForceEnergy::Stored(self),
            _ => ForceEnergy::Booked(Account::External),
        }
    }

    fn check(&self) -> Result<(), BadOption> {
        self.weight.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.weight.fits(axes, nodes)
    }

    fn nominal_gravity(&self) -> Option<&[f64]> {
        self.weight.nominal_gravity()
    }

    fn uniform_acceleration(&self) -> f64 {
        self.weight.uniform_acceleration()
    }

    fn with_gravity(&self, acceleration: &[f64]) -> Option<Arc<dyn Force>> {
        let weight = self.weight.with_gravity(acceleration)?;
        Some(Arc::new(Self { weight, unit: self.unit.clone() }))
    }
}

impl Potential for MasslessGravity {
    fn store(&self) -> Store {
        Store::Gravitational
    }

    /// Returns -Σ g·x.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        self.weight.energy().potential(&self.body(body), state)
    }
}
