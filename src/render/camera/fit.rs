//! The view that shows all that the bodies of a scene can reach.
//!
//! It depends on the scene alone and not on how many frames are drawn, so a frame looks the same whichever range it
//! is rendered in. All panels get the same one: what is compared has one scale.

use super::reach::{Bounds, reach};
use crate::render::vector::{Vec3, add, cross, dot, scaled, sub, unit};
use crate::scene::{Lens, Scene, View, Viewpoint};
use std::f64::consts::PI;

/// The part of the plane that holds everything, with a margin.
pub fn fit(scene: &Scene) -> View {
    let bounds = reach(scene);
    let size = [0, 1].map(|axis| (bounds.high[axis] - bounds.low[axis]).max(f64::MIN_POSITIVE));
    let margin = 0.06 * size[0].max(size[1]);
    View {
        center: [0, 1].map(|axis| bounds.low[axis] + size[axis] / 2.0),
        extent: size.map(|side| side + 2.0 * margin),
    }
}

/// Angle of view, in degrees.
const ANGLE: f64 = 35.0;

/// From the middle of everything to the eye: in front, a little to the right and above.
const TO_EYE: Vec3 = [0.45, 0.35, 1.0];

/// A share of the picture that stays free on each side.
const MARGIN: f64 = 0.06;

/// A viewpoint for a picture of this aspect, width over height, and the aspect of what is seen from there.
pub fn fit_viewpoint(scene: &Scene, aspect: f64) -> (Viewpoint, f64) {
    let bounds = reach(scene);
    let target = [0, 1, 2].map(|axis| 0.5 * bounds.low[axis] + 0.5 * bounds.high[axis]);
    let up = upwards(scene);
    // With z upwards, what was in front is at -y.
    let to_eye = if up[2] == 0.0 { TO_EYE } else { [TO_EYE[0], -TO_EYE[2], TO_EYE[1]] };
    let to_eye = unit(to_eye);
    let right = unit(cross(up, to_eye));
    let tangent = libm::tan(ANGLE * PI / 360.0);
    let room = (1.0 - 2.0 * MARGIN) * tangent;

    // The eye stands back until every corner of the box is inside of the picture.
    let (mut distance, mut half) = (0.0_f64, [f64::MIN_POSITIVE; 2]);
    for corner in bounds.corners() {
        let from = sub(corner, target);
        let (aside, above) = (dot(right, from).abs(), dot(cross(to_eye, right), from).abs());
        let needed = (aside / (room * aspect)).max(above / room);
        distance = distance.max(needed + dot(to_eye, from));
        half = [half[0].max(aside), half[1].max(above)];
    }
    let eye = add(target, scaled(to_eye, distance.max(1e-6)));
    let lens = Lens::Perspective { field_of_view: ANGLE };
    (Viewpoint { eye, target, up, lens }, half[0] / half[1])
}

/// Against gravity: along z where that is its main direction, otherwise along y.
fn upwards(scene: &Scene) -> Vec3 {
    let gravity = &scene.panels[0].bodies[0].gravity;
    let z = gravity.get(2).copied().unwrap_or(0.0);
    if z.abs() > gravity[1].abs() { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] }
}

impl Bounds {
    /// The eight corners of the box.
    fn corners(&self) -> impl Iterator<Item = Vec3> + '_ {
        (0..8).map(|index: usize| {
            [0, 1, 2].map(
                |axis| {
                    if index >> axis & 1 == 0 { self.low[axis] } else { self.high[axis] }
                },
            )
        })
    }
}
