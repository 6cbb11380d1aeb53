//! Viscous drag of a resting medium: F = -c v.

use super::Force;
use crate::sim::{Jacobian, State, System, jacobian::diagonal};

/// Pulls every node against its velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// c, force per speed, at least 0.
    pub coefficient: f64,
}

impl Force for Drag {
    fn add_to(&self, _system: &System<'_>, state: &State, f: &mut [f64]) {
        for (value, v) in f.iter_mut().zip(&state.v) {
            *value -= self.coefficient * v;
        }
    }

    fn add_jacobian(&self, system: &System<'_>, _state: &State, jacobian: &mut Jacobian) {
        let axes = system.model.axes;
        for i in 0..system.model.nodes() {
            jacobian.add_own(i, diagonal(axes, 0.0), diagonal(axes, -self.coefficient));
        }
    }
}
