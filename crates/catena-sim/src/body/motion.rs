//! Initial motion of a body: as a whole, node by node, and about an axis.

use super::vector::{Vec3, add, cross, sub};
use super::{Model, State};

/// Adds a velocity to a node. Does nothing for a pinned node, which moves only along its curve.
pub fn push(model: &Model, state: &mut State, node: usize, velocity: Vec3) {
    if model.pinned[node] {
        return;
    }
    let n = model.nodes();
    for (axis, component) in velocity.iter().enumerate().take(model.axes) {
        state.v[axis * n + node] += component;
    }
}

/// Adds a velocity to all free nodes.
pub fn push_all(model: &Model, state: &mut State, velocity: Vec3) {
    (0..model.nodes()).for_each(|node| push(model, state, node, velocity));
}

/// Adds a rotation about an axis through a point to all free nodes: adds ω × (x - point) to each
/// velocity, with ω in radians per unit of time. In the plane the axis is perpendicular to it.
pub fn spin(model: &Model, state: &mut State, omega: Vec3, point: Vec3) {
    for node in 0..model.nodes() {
        let arm = sub(state.position(model.nodes(), node), point);
        push(model, state, node, cross(omega, arm));
    }
}

/// Returns the centre of mass.
pub fn center_of_mass(model: &Model, state: &State) -> Vec3 {
    let n = model.nodes();
    let mass: f64 = model.mass.iter().sum();
    let weighted = |i: usize| state.position(n, i).map(|x| x * model.mass[i]);
    (0..n).map(weighted).fold([0.0; 3], add).map(|sum| sum / mass)
}
