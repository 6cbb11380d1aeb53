//! Friction inside a spring, proportional to the whole relative velocity of its ends: F = c (v_b -
//! v_a) acts on node a, and -F on node b. Unlike damping along the spring, it also resists bending
//! and rotation. Source: NeHe, lesson 40.

use super::{Account, Blocks, Force, ForceEnergy, Known, SpringCoefficient, SpringForce, diagonal};
use crate::body::{Body, Model, State};
use crate::named::BadOption;

/// Damps all relative motion between the ends of each spring.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringFriction {
    /// c, force per relative speed.
    pub coefficient: SpringCoefficient,
}
crate::identity!(SpringFriction { coefficient });

impl Force for SpringFriction {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        for (coefficient, spring) in self.coefficient.springs(body) {
            for (f, v) in f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)) {
                let force = coefficient * (v[spring.b] - v[spring.a]);
                f[spring.a] += force;
                f[spring.b] -= force;
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        for (coefficient, spring) in self.coefficient.springs(body) {
            let by_v = diagonal(axes, coefficient);
            blocks.add_pair(spring.a, spring.b, diagonal(axes, 0.0), by_v);
        }
    }

    // The methods below are the same as for `SpringDamping`: both types differ only in the force.

    /// Returns 0: friction only responds to motion.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn known(&self) -> Option<Known<'_>> {
        Some(Known::Springs(SpringForce::Friction(&self.coefficient)))
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Damping)
    }

    fn check(&self) -> Result<(), BadOption> {
        self.coefficient.check()
    }
}
