//! Uniform gravity: F = m g.

use super::formula::weight;
use super::{Blocks, Force, ForceEnergy, Known, Potential, Store};
use crate::body::{Body, Model, State};
use crate::named::{BadOption, OptionInfo};
use std::sync::Arc;

/// A constant acceleration of every node.
#[derive(Clone, Debug, PartialEq)]
pub struct Gravity {
    /// Acceleration, one number per axis.
    pub acceleration: Vec<f64>,
}
crate::identity!(Gravity { acceleration });

const ACCELERATION: OptionInfo = OptionInfo {
    name: "acceleration",
    summary: "acceleration of gravity",
    default: OptionInfo::NEEDED,
    range: "a finite number per axis",
    ..OptionInfo::PLAIN
};

impl Force for Gravity {
    fn add_to(&self, body: &Body<'_>, _state: &State, f: &mut [f64]) {
        let model = body.model;
        for (axis, g) in f.chunks_exact_mut(model.nodes()).zip(&self.acceleration) {
            for (value, mass) in axis.iter_mut().zip(&model.mass) {
                *value = weight(*value, *mass, *g);
            }
        }
    }

    /// Adds nothing: the force does not depend on positions or velocities.
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    fn known(&self) -> Option<Known<'_>> {
        Some(Known::Gravity { acceleration: &self.acceleration })
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Stored(self)
    }

    fn check(&self) -> Result<(), BadOption> {
        ACCELERATION.check(self.acceleration.iter().all(|component| component.is_finite()))
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        ACCELERATION.check(self.acceleration.len() == axes)
    }

    fn with_gravity(&self, acceleration: &[f64]) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { acceleration: acceleration.to_vec() }))
    }

    fn load(&self, model: &Model) -> f64 {
        let g = self.acceleration.iter().map(|component| component * component).sum::<f64>().sqrt();
        model.mass.iter().sum::<f64>() * g
    }
}

impl Potential for Gravity {
    fn store(&self) -> Store {
        Store::Gravitational
    }

    /// Returns -Σ m g·x.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        let model = body.model;
        let axes = state.x.chunks_exact(model.nodes()).zip(&self.acceleration);
        axes.map(|(x, g)| -g * x.iter().zip(&model.mass).map(|(x, m)| m * x).sum::<f64>()).sum()
    }
}
