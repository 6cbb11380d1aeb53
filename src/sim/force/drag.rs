//! Viscous drag of a resting medium: F = -c v.

use super::Force;
use crate::sim::{Model, State};

/// Pulls every node against its velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// c, force per speed, at least 0.
    pub coefficient: f64,
}

impl Force for Drag {
    fn add_to(&self, _model: &Model, state: &State, f: &mut [f64]) {
        for (value, v) in f.iter_mut().zip(&state.v) {
            *value -= self.coefficient * v;
        }
    }
}
