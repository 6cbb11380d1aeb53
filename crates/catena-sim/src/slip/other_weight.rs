//! Weight for masses that differ from the masses of the body.

use crate::body::{Arrangement, Body, Model, State};
use crate::force::{Account, Blocks, Derivative, Force, ForceEnergy, Potential, Store};
use crate::named::BadOption;
use std::sync::Arc;

/// Gravity that acts on nodes as if they had other masses.
#[derive(Debug)]
pub(super) struct OtherWeight {
    weight: Arc<dyn Force>,
    /// Nodes with the other masses, without springs.
    other: Model,
}
crate::identity!(OtherWeight { weight, other });

impl OtherWeight {
    /// Whether a force is a weight.
    pub(super) fn may_replace(force: &dyn Force) -> bool {
        force.with_gravity(&[0.0; 3]).is_some()
    }

    pub(super) fn new(weight: Arc<dyn Force>, model: &Model, mass: Vec<f64>) -> Self {
        let other = Model {
            axes: model.axes,
            mass,
            pinned: model.pinned.clone(),
            arrangement: Arrangement::Parts,
            ..Model::default()
        };
        Self { weight, other }
    }

    fn body<'a>(&'a self, body: &Body<'a>) -> Body<'a> {
        Body { model: &self.other, springs: body.springs }
    }
}

impl Force for OtherWeight {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        self.weight.add_to(&self.body(body), state, f);
    }

    /// Adds nothing: the force does not depend on positions or velocities.
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    fn derivative(&self, _t: f64) -> Option<Derivative<'_>> {
        Some(Derivative::Nothing)
    }

    fn load(&self, _model: &Model) -> f64 {
        self.weight.load(&self.other)
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
        let gravity = self.weight.nominal_gravity().unwrap_or_default();
        let gravity = gravity.iter().map(|it| it * it).sum::<f64>().sqrt();
        // The sum over forces already counts gravity once for mass 1.
        let maximum = self.other.mass.iter().copied().fold(1.0, f64::max) - 1.0;
        self.weight.uniform_acceleration() + maximum * gravity
    }

    fn with_gravity(&self, acceleration: &[f64]) -> Option<Arc<dyn Force>> {
        let weight = self.weight.with_gravity(acceleration)?;
        Some(Arc::new(Self { weight, other: self.other.clone() }))
    }
}

impl Potential for OtherWeight {
    fn store(&self) -> Store {
        Store::Gravitational
    }

    /// Returns -Σ m g·x with the other masses.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        self.weight.energy().potential(&self.body(body), state)
    }
}
