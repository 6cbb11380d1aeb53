//! Friction inside a spring, along its direction: the force on node a is F = c ((v_b - v_a)·u) u
//! with u = d/|d|, and the opposite on node b. The friction resists stretching but not rotation.

use super::formula::{directed, parting_speed};
use super::jacobian::directional;
use super::{Account, Blocks, Force, ForceEnergy, Known, SpringCoefficient, SpringForce};
use crate::body::{Body, Model, State, vector::sub};
use crate::named::BadOption;

/// Damps changes of length of every spring.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringDamping {
    /// c, force per speed of stretching.
    pub coefficient: SpringCoefficient,
}
crate::identity!(SpringDamping { coefficient });

impl Force for SpringDamping {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let model = body.model;
        let n = model.nodes();
        for (coefficient, spring) in self.coefficient.springs(body) {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 {
                continue;
            }
            let relative = sub(state.velocity(n, spring.b), state.velocity(n, spring.a));
            let size = coefficient * parting_speed(d, length, relative);
            let forces = directed(d, length, size, false);
            for (axis, force) in forces.into_iter().enumerate().take(model.axes) {
                f[axis * n + spring.a] += force;
                f[axis * n + spring.b] -= force;
            }
        }
    }

    /// Adds the exact derivative with respect to velocity. The dependence of the direction on
    /// position is omitted, as is usual (Baraff and Witkin 1998).
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let model = body.model;
        for (coefficient, spring) in self.coefficient.springs(body) {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 {
                continue;
            }
            let u = d.map(|component| component / length);
            let by_v = directional(model.axes, &u, coefficient, 0.0);
            blocks.add_pair(spring.a, spring.b, [[0.0; 3]; 3], by_v);
        }
    }

    /// Returns 0: friction only responds to motion.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn known(&self) -> Option<Known<'_>> {
        Some(Known::Springs(SpringForce::Damping(&self.coefficient)))
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Damping)
    }

    fn check(&self) -> Result<(), BadOption> {
        self.coefficient.check()
    }
}
