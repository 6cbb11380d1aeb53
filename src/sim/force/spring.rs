//! Hooke's law: on node a, F = k (|d| - l) d/|d| with d = x_b - x_a; on node b the opposite.
//!
//! A spring whose two nodes lie on one point has no direction and pulls at nothing.

use super::Force;
use crate::sim::{Model, State};

/// The springs of the model, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HookeSpring;

impl Force for HookeSpring {
    fn add_to(&self, model: &Model, state: &State, f: &mut [f64]) {
        let n = model.nodes();
        for spring in &model.springs {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 {
                continue;
            }
            let pull = spring.stiffness * (length - spring.rest_length);
            for (axis, component) in d.iter().enumerate().take(model.axes) {
                let force = pull * (component / length);
                f[axis * n + spring.a] += force;
                f[axis * n + spring.b] -= force;
            }
        }
    }

    fn is_elastic(&self) -> bool {
        true
    }
}
