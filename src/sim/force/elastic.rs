//! Elastic springs: on node a, F = T(|d|) d/|d| with d = x_b - x_a; on node b the opposite. T is the law's tension.
//!
//! A spring whose two nodes lie on one point has no direction and pulls at nothing; a broken one pulls no more.

use super::Force;
use crate::sim::{Jacobian, State, System, jacobian::directional, law::SpringLaw};

/// The springs of the model, in its order, all of one law.
#[derive(Debug)]
pub struct ElasticSprings {
    /// Tension by length.
    pub law: Box<dyn SpringLaw>,
}

impl Force for ElasticSprings {
    fn add_to(&self, system: &System<'_>, state: &State, f: &mut [f64]) {
        let model = system.model;
        let n = model.nodes();
        for (j, spring) in model.springs.iter().enumerate() {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 || system.springs.is_broken(j) {
                continue;
            }
            let pull = self.law.tension(spring, length, system.springs.plastic(j));
            for (axis, component) in d.iter().enumerate().take(model.axes) {
                let force = pull * (component / length);
                f[axis * n + spring.a] += force;
                f[axis * n + spring.b] -= force;
            }
        }
    }

    /// ∂f_a/∂d = T' u uᵀ + T/|d| (1 - u uᵀ).
    fn add_jacobian(&self, system: &System<'_>, state: &State, jacobian: &mut Jacobian) {
        let model = system.model;
        for (j, spring) in model.springs.iter().enumerate() {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 || system.springs.is_broken(j) {
                continue;
            }
            let plastic = system.springs.plastic(j);
            let along = self.law.slope(spring, length, plastic);
            let across = self.law.tension(spring, length, plastic) / length;
            let u = d.map(|component| component / length);
            let by_x = directional(model.axes, &u, along, across);
            jacobian.add_pair(spring.a, spring.b, by_x, [[0.0; 3]; 3]);
        }
    }

    fn potential(&self, system: &System<'_>, state: &State) -> f64 {
        let model = system.model;
        let springs = model.springs.iter().enumerate();
        springs
            .filter(|(j, _)| !system.springs.is_broken(*j))
            .map(|(j, spring)| {
                let length = model.span(&state.x, spring).1;
                self.law.energy(spring, length, system.springs.plastic(j))
            })
            .sum()
    }

    fn is_elastic(&self) -> bool {
        true
    }
}
