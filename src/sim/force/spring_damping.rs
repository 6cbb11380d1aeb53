//! Friction inside a spring, along its direction: on node a, F = c ((v_b - v_a)·u) u with u = d/|d|;
//! on node b the opposite. It resists stretching and leaves swinging alone.

use super::Force;
use crate::sim::{Model, State};

/// Damps the change of length of every spring.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringDamping {
    /// c, force per speed of stretching, at least 0.
    pub coefficient: f64,
}

impl Force for SpringDamping {
    fn add_to(&self, model: &Model, state: &State, f: &mut [f64]) {
        let n = model.nodes();
        for spring in &model.springs {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 {
                continue;
            }
            let mut closing = 0.0;
            for (axis, component) in d.iter().enumerate().take(model.axes) {
                let relative = state.v[axis * n + spring.b] - state.v[axis * n + spring.a];
                closing += relative * (component / length);
            }
            for (axis, component) in d.iter().enumerate().take(model.axes) {
                let force = self.coefficient * closing * (component / length);
                f[axis * n + spring.a] += force;
                f[axis * n + spring.b] -= force;
            }
        }
    }
}
