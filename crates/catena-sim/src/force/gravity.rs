//! Uniform gravity: F = m g.

use super::Store;
use super::{Force, Term};
use crate::body::{Body, Model, State};

/// A constant acceleration of every node.
#[derive(Clone, Debug, PartialEq)]
pub struct Gravity {
    /// Acceleration, one number an axis.
    pub acceleration: Vec<f64>,
}

impl Force for Gravity {
    fn add_to(&self, body: &Body<'_>, _state: &State, f: &mut [f64]) {
        let model = body.model;
        for (axis, g) in f.chunks_exact_mut(model.nodes()).zip(&self.acceleration) {
            for (value, mass) in axis.iter_mut().zip(&model.mass) {
                *value += mass * g;
            }
        }
    }

    /// -Σ m g·x.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        let model = body.model;
        let axes = state.x.chunks_exact(model.nodes()).zip(&self.acceleration);
        axes.map(|(x, g)| -g * x.iter().zip(&model.mass).map(|(x, m)| m * x).sum::<f64>()).sum()
    }

    fn store(&self) -> Option<Store> {
        Some(Store::Gravitational)
    }

    fn term(&self) -> Option<Term<'_>> {
        Some(Term::Gravity { acceleration: &self.acceleration })
    }

    fn load(&self, model: &Model) -> f64 {
        let g = self.acceleration.iter().map(|component| component * component).sum::<f64>().sqrt();
        model.mass.iter().sum::<f64>() * g
    }
}
