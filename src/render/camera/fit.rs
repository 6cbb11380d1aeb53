//! The view that shows all that the bodies of a scene can reach.
//!
//! It depends on the scene alone and not on which frames are drawn, so a frame looks the same in
//! every range. All panels get the same view, so that they compare at one scale.

use super::reach::{bounds, reaches};
use crate::render::vector::{Vec3, add, cross, scaled, unit};
use crate::scene::{Lens, Scene, View, Viewpoint};
use std::f64::consts::PI;

/// The part of the plane that bodies can reach, with a margin.
pub fn fit(scene: &Scene) -> View {
    let bounds = bounds(scene);
    let size = [0, 1].map(|axis| (bounds.high[axis] - bounds.low[axis]).max(f64::MIN_POSITIVE));
    let margin = 0.06 * size[0].max(size[1]);
    View {
        center: [0, 1].map(|axis| bounds.low[axis] + size[axis] / 2.0),
        extent: size.map(|side| side + 2.0 * margin),
    }
}

/// Angle of view, in degrees.
const ANGLE: f64 = 35.0;

/// The direction from the middle to the eye: from the front, a little right and above.
const TO_EYE: Vec3 = [0.45, 0.35, 1.0];

/// The share of the picture that stays free on each side.
const MARGIN: f64 = 0.06;

/// A viewpoint for a picture of this aspect, width over height, and the aspect of what is seen from
/// there.
///
/// The four planes that bound the view are moved inwards until they touch what bodies can reach:
/// each has the distance of its support from the origin, and opposite planes meet at the eye.
pub fn fit_viewpoint(scene: &Scene, aspect: f64) -> (Viewpoint, f64) {
    let reaches = reaches(scene);
    let support = |way: Vec3| {
        let all = reaches.iter().map(|reach| reach.support(way));
        all.fold(f64::NEG_INFINITY, f64::max)
    };
    let up = upwards(scene);
    // With z upwards, the front is at -y.
    let to_eye = if up[2] == 0.0 { TO_EYE } else { [TO_EYE[0], -TO_EYE[2], TO_EYE[1]] };
    let to_eye = unit(to_eye);
    let right = unit(cross(up, to_eye));
    let above = cross(to_eye, right);
    let tangent = libm::tan(ANGLE * PI / 360.0) * (1.0 - 2.0 * MARGIN);

    // For two opposite planes, how far the eye lies aside and how far back.
    let between = |across: Vec3, tangent: f64| {
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        let [one, other] = [1.0, -1.0].map(|sign| {
            support(scaled(add(scaled(across, sign), scaled(to_eye, tangent)), cosine))
        });
        [0.5 * (one - other) / cosine, 0.5 * (one + other) / (tangent * cosine)]
    };
    let ([x, back_x], [y, back_y]) = (between(right, tangent * aspect), between(above, tangent));
    let middle = 0.5 * (support(to_eye) - support(scaled(to_eye, -1.0)));
    let distance = (back_x.max(back_y) - middle).max(1e-6);
    let target = add(add(scaled(right, x), scaled(above, y)), scaled(to_eye, middle));
    let eye = add(target, scaled(to_eye, distance));
    let lens = Lens::Perspective { field_of_view: ANGLE };
    let width = |way: Vec3| (support(way) + support(scaled(way, -1.0))).max(f64::MIN_POSITIVE);
    (Viewpoint { eye, target, up, lens }, width(right) / width(above))
}

/// The direction against gravity: z if gravity is mainly along z, otherwise y.
fn upwards(scene: &Scene) -> Vec3 {
    let gravity = scene.panels[0].bodies[0].setup.gravity();
    let z = gravity.get(2).copied().unwrap_or(0.0);
    if z.abs() > gravity[1].abs() { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] }
}
