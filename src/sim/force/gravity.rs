//! Uniform gravity: F = m g.

use super::Force;
use crate::sim::{Model, State};

/// A constant acceleration of every node.
#[derive(Clone, Debug, PartialEq)]
pub struct Gravity {
    /// Acceleration, one number an axis.
    pub acceleration: Vec<f64>,
}

impl Force for Gravity {
    fn add_to(&self, model: &Model, _state: &State, f: &mut [f64]) {
        for (axis, g) in f.chunks_exact_mut(model.nodes()).zip(&self.acceleration) {
            for (value, mass) in axis.iter_mut().zip(&model.mass) {
                *value += mass * g;
            }
        }
    }
}
