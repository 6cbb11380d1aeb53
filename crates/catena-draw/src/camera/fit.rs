//! The view that shows where the bodies of a scene are in its frames, or all that they can reach.
//!
//! It depends on the scene alone and not on which frames are drawn, so a frame looks the same in
//! every range. All panels get the same view, so that they compare at one scale.

use super::frames::SeenFrames;
use super::reach::{Reach, bounds, reaches};
use crate::vector::{Vec3, add, cross, scaled, unit};
use catena_scene::{Fit, Lens, Scene, View, Viewpoint};
use std::f64::consts::PI;

/// What a view is to hold.
pub struct Subject {
    /// What the reaches are of.
    fit: Fit,
    reaches: Vec<Reach>,
    axes: usize,
    /// The direction against gravity.
    up: Vec3,
    /// The least share of a view's longer side that its shorter one has.
    narrowest: f64,
}

impl Subject {
    /// What the scene's `fit` names.
    pub fn of(scene: &Scene) -> Self {
        Self::of_seen(scene, None)
    }

    /// The subject of a scene's `fit`, with positions that an earlier simulation has found.
    pub fn of_seen(scene: &Scene, seen: Option<SeenFrames>) -> Self {
        match scene.fit {
            Fit::Reach => Self::reach(scene),
            Fit::Frames => {
                let seen = seen.unwrap_or_else(|| SeenFrames::of(scene));
                Self::of_frames(scene, &seen).unwrap_or_else(|| Self::reach(scene))
            }
        }
    }

    /// All that bodies can reach.
    pub fn reach(scene: &Scene) -> Self {
        Self {
            fit: Fit::Reach,
            reaches: reaches(scene),
            axes: scene.axes,
            up: upwards(scene),
            narrowest: 0.0,
        }
    }

    /// All places where bodies are in the scene's frames; `None` where finding out takes too much
    /// work.
    pub fn frames(scene: &Scene) -> Option<Self> {
        Self::of_frames(scene, &SeenFrames::of(scene))
    }

    fn of_frames(scene: &Scene, seen: &SeenFrames) -> Option<Self> {
        let boxes = seen.boxes()?;
        let mut subject = Self { fit: Fit::Frames, narrowest: NARROWEST, ..Self::reach(scene) };
        let all = scene
            .panels
            .iter()
            .flat_map(|panel| panel.bodies.iter().map(move |body| (panel, body)));
        for ((reach, (panel, body)), nodes) in subject.reaches.iter_mut().zip(all).zip(boxes) {
            *reach = reach.in_frames(panel, body, nodes);
        }
        Some(subject)
    }

    /// What it is: not what the scene's `fit` names where that takes too much work.
    pub fn fit(&self) -> Fit {
        self.fit
    }

    /// The part of the plane that holds it, with a margin.
    pub fn view(&self) -> View {
        let bounds = bounds(&self.reaches, self.axes);
        let size = [0, 1].map(|axis| (bounds.high[axis] - bounds.low[axis]).max(f64::MIN_POSITIVE));
        let margin = 0.06 * size[0].max(size[1]);
        let extent = size.map(|side| side + 2.0 * margin);
        let least = self.narrowest * extent[0].max(extent[1]);
        View {
            center: [0, 1].map(|axis| bounds.low[axis] + size[axis] / 2.0),
            extent: extent.map(|side| side.max(least)),
        }
    }
}

/// The least share of the longer side that the shorter one has in a view of frames: panels have
/// words, too, and a rope that hangs straight has no width.
const NARROWEST: f64 = 0.4;

/// The part of the plane that bodies can reach, with a margin.
pub fn fit(scene: &Scene) -> View {
    Subject::reach(scene).view()
}

/// Angle of view, in degrees.
const ANGLE: f64 = 35.0;

/// The direction from the middle to the eye: from the front, a little right and above.
const TO_EYE: Vec3 = [0.45, 0.35, 1.0];

/// The share of the picture that stays free on each side.
const MARGIN: f64 = 0.06;

/// A viewpoint for a picture of this aspect, width over height, and the aspect of what is seen from
/// there.
pub fn fit_viewpoint(scene: &Scene, aspect: f64) -> (Viewpoint, f64) {
    Subject::reach(scene).viewpoint(aspect)
}

impl Subject {
    /// A viewpoint from which all of it is seen in a picture of this aspect, width over height, and
    /// the aspect of what is seen from there.
    ///
    /// The four planes that bound the view are moved inwards until they touch what is to be seen:
    /// each has the distance of its support from the origin, and opposite planes meet at the eye.
    pub fn viewpoint(&self, aspect: f64) -> (Viewpoint, f64) {
        let support = |way: Vec3| {
            let all = self.reaches.iter().map(|reach| reach.support(way));
            all.fold(f64::NEG_INFINITY, f64::max)
        };
        let up = self.up;
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
        let ([x, back_x], [y, back_y]) =
            (between(right, tangent * aspect), between(above, tangent));
        let middle = 0.5 * (support(to_eye) - support(scaled(to_eye, -1.0)));
        let distance = (back_x.max(back_y) - middle).max(1e-6);
        let target = add(add(scaled(right, x), scaled(above, y)), scaled(to_eye, middle));
        let eye = add(target, scaled(to_eye, distance));
        let lens = Lens::Perspective { field_of_view: ANGLE };
        let width = |way: Vec3| (support(way) + support(scaled(way, -1.0))).max(f64::MIN_POSITIVE);
        let (wide, high) = (width(right), width(above));
        let least = self.narrowest * wide.max(high);
        (Viewpoint { eye, target, up, lens }, wide.max(least) / high.max(least))
    }
}

/// The direction against gravity: z if gravity is mainly along z, otherwise y.
fn upwards(scene: &Scene) -> Vec3 {
    let gravity = scene.panels[0].bodies[0].setup.gravity();
    let z = gravity.get(2).copied().unwrap_or(0.0);
    if z.abs() > gravity[1].abs() { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] }
}
