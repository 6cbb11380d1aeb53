//! Moments of a rod on its clamps: the negated derivative of the rod's energy with respect to
//! rotations of a clamp.
//!
//! Finite differences of five points have an error of the fourth order in the angle. For [`ANGLE`],
//! that error and the rounding error are both about 1e-12 of the energy.

use super::strand::Strand;
use crate::body::vector::Vec3;
use crate::body::{Body, State};

/// Angle of the finite differences, in radians.
const ANGLE: f64 = 1e-3;

/// Returns the moment on each clamp that holds, with the node of the clamp. In the plane only z is
/// computed.
pub(super) fn on_clamps(
    strand: &Strand,
    body: &Body<'_>,
    state: &State,
    memory: &[f64],
) -> Vec<(usize, Vec3)> {
    let axes = if body.model.axes == 2 { 2..3 } else { 0..3 };
    let held = (0..strand.holders.len()).filter(|&k| body.model.pinned[strand.holders[k].node]);
    held.map(|clamp| {
        let energy = |axis: usize, angle: f64| -> f64 {
            let turned = strand.with_rotated(clamp, state.t, axis, angle);
            turned.energy(body, state, memory).iter().sum()
        };
        let mut moment = [0.0; 3];
        for axis in axes.clone() {
            let slope = |angle: f64| energy(axis, angle) - energy(axis, -angle);
            moment[axis] = -(8.0 * slope(ANGLE) - slope(2.0 * ANGLE)) / (12.0 * ANGLE);
        }
        (strand.holders[clamp].node, moment)
    })
    .collect()
}
