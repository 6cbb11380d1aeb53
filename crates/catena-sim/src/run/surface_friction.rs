//! Friction on colliders as course notes print it: F = -c v_t on every node that touches one, with
//! the velocity v_t along the surface, relative to it. Source: NeHe, lesson 40.
//!
//! The force does not depend on the contact pressure of the node. On a slope a node therefore
//! always slides, and finally reaches the speed m g sin θ/c. Coulomb friction, an option of
//! colliders, is the correct form for dry surfaces: its limit is μ times the normal force, and it
//! holds a node on a slope below tan θ = μ.
//!
//! A node that its weight would bring to the surface within a step counts as touching, because
//! stages of a method lift a resting node off the surface.

use crate::body::vector::{Vec3, along, dot, greatest, sub};
use crate::body::{Body, Model, State};
use crate::contact::Contacts;
use crate::contact::collider::Collider;
use crate::contact::drawn::DEPTH;
use crate::drive::track::Extent;
use crate::force::{Account, AtRest, Blocks, Force, ForceEnergy, diagonal};
use crate::named::{BadOption, OptionInfo};
use std::sync::Arc;

/// Number of rounding steps within which a node counts as touching. Contacts leave a resting node
/// within a few of them.
const CLOSE: f64 = 1024.0 * f64::EPSILON;

const COEFFICIENT: OptionInfo = OptionInfo {
    name: "viscous",
    summary: "force per speed along the surface",
    range: "a finite number of at least 0",
    ..OptionInfo::PLAIN
};

/// Friction of nodes on all colliders of a body.
#[derive(Clone, Debug)]
pub struct SurfaceFriction {
    /// c, force per speed along the surface, at least 0.
    coefficient: f64,
    colliders: Vec<Arc<dyn Collider>>,
    /// Contact distance of each node.
    radius: Vec<f64>,
    /// Fraction of the contact distance within which a node counts as touching.
    slack: f64,
    /// Magnitude of the acceleration of gravity.
    gravity: f64,
    /// Gap within which a node touches.
    gap: f64,
}
crate::identity!(SurfaceFriction { coefficient, colliders, radius, slack, gravity, gap });

/// Maximum height, in units of g dt², to which stages of a method lift a resting node;
/// [`Yoshida4`](crate::method::Yoshida4) reaches 2.3.
const LIFTS: f64 = 4.0;

/// Gap within which a node touches, for a step of `dt`.
fn gap(gravity: f64, dt: f64) -> f64 {
    LIFTS * (gravity * dt * dt)
}

impl SurfaceFriction {
    /// Creates the friction of a body with these contacts. With contact of the drawn geometry,
    /// nodes touch at half of their part's thickness. `gravity` is the magnitude g of the
    /// acceleration of gravity, and `dt` the step: nodes within a few g dt² of a surface count as
    /// touching.
    pub fn new(
        coefficient: f64,
        model: &Model,
        contacts: &Contacts,
        gravity: f64,
        dt: f64,
    ) -> Self {
        let mut radius = vec![contacts.radius; model.nodes()];
        let slack = if contacts.drawn.is_some() { DEPTH } else { 0.0 };
        for (part, drawn) in
            model.part_list().iter().zip(contacts.drawn.iter().flat_map(|it| &it.parts))
        {
            part.nodes.iter().for_each(|&node| radius[node] = 0.5 * drawn.thickness);
        }
        let (colliders, gap) = (contacts.colliders.clone(), gap(gravity, dt));
        Self { coefficient, colliders, radius, slack, gravity, gap }
    }

    /// Calls `take` with the index of each touching node, the normal there, and the velocity of the
    /// surface.
    fn each_touch(&self, body: &Body<'_>, state: &State, mut take: impl FnMut(usize, Vec3, Vec3)) {
        let n = body.model.nodes();
        for (i, radius) in self.radius.iter().enumerate().take(n) {
            let at = state.position(n, i);
            let close = CLOSE * (greatest(at) + radius) + self.slack * radius + self.gap;
            for collider in &self.colliders {
                let (distance, normal) = collider.distance_at(state.t, at);
                if distance - radius <= close {
                    let moves = collider.frame_at(state.t, at);
                    let surface = moves.map_or([0.0; 3], |frame| frame.velocity_at(at));
                    take(i, normal, surface);
                }
            }
        }
    }
}

impl Force for SurfaceFriction {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let (n, axes) = (body.model.nodes(), body.model.axes);
        self.each_touch(body, state, |i, normal, surface| {
            let v = sub(state.velocity(n, i), surface);
            let tangent = along(v, -dot(normal, v), normal);
            for axis in 0..axes {
                f[axis * n + i] -= self.coefficient * tangent[axis];
            }
        });
    }

    /// Adds the derivative with respect to velocity, -c (1 - n nᵀ). The dependence of the normal on
    /// position is omitted.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        self.each_touch(body, state, |i, normal, _| {
            let mut by_v = diagonal(axes, -self.coefficient);
            for (row, values) in by_v.iter_mut().enumerate().take(axes) {
                for (column, value) in values.iter_mut().enumerate().take(axes) {
                    *value += self.coefficient * normal[row] * normal[column];
                }
            }
            blocks.add_own(i, [[0.0; 3]; 3], by_v);
        });
    }

    /// Returns 0, because friction only responds to motion. Moving colliders are counted
    /// separately.
    fn with_step(&self, dt: f64) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { gap: gap(self.gravity, dt), ..self.clone() }))
    }

    fn changes_with_time(&self) -> bool {
        self.colliders.iter().any(|collider| collider.motion().is_some())
    }

    fn extent(&self) -> Extent {
        let motions = self.colliders.iter().filter_map(|collider| collider.motion());
        Extent::of_all(motions.map(|motion| motion.extent()))
    }

    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn at_rest(&self) -> AtRest<'_> {
        match self.colliders.iter().all(|collider| collider.motion().is_none()) {
            true => AtRest::Nothing,
            false => AtRest::Other,
        }
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Contact)
    }

    fn check(&self) -> Result<(), BadOption> {
        COEFFICIENT.check(self.coefficient >= 0.0 && self.coefficient.is_finite())
    }
}
