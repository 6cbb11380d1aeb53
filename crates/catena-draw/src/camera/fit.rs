//! Automatic view, which contains the bodies in all frames of a scene, or everything that they can
//! reach.
//!
//! The view depends only on the scene and not on the range of drawn frames, so a frame always looks
//! the same. All panels get the same view, so that they compare at one scale.

use super::bounds::{Bounds, MARGIN};
use super::frames::{NodeBoxes, SeenFrames};
use super::reach::{Reach, bounds, reaches};
use crate::vector::{Vec3, add, cross, dot, norm, scaled, sub, unit};
use catena_scene::{Fit, Lens, Scene, View, Viewpoint};
use std::f64::consts::PI;

/// Content that a view must show.
pub struct Subject {
    /// Kind of content that the reaches cover: frames, or everything within reach.
    fit: Fit,
    reaches: Vec<Reach>,
    axes: usize,
    /// Direction against gravity.
    up: Vec3,
    /// Minimum ratio of the shorter to the longer side of a view.
    narrowest: f64,
}

impl Subject {
    /// Content selected by the scene's `fit`. Falls back to the reach of the bodies if simulating
    /// the frames takes too much work.
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

    /// Everything that bodies can reach.
    pub fn reach(scene: &Scene) -> Self {
        Self {
            fit: Fit::Reach,
            reaches: reaches(scene),
            axes: scene.axes,
            up: upwards(scene),
            narrowest: 0.0,
        }
    }

    /// Subject that contains the bodies in all frames of the scene. `None` if simulating the frames
    /// takes too much work.
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
        let sound = sound_box(boxes).filter(|_| scene.axes == 2);
        for ((reach, (panel, body)), nodes) in subject.reaches.iter_mut().zip(all).zip(boxes) {
            let nodes = nodes.with_reference(body, scene.frames);
            *reach = reach.in_frames(panel, body, &nodes, sound.as_ref());
        }
        Some(subject)
    }

    /// Kind of content. After the fallback in [`Self::of`], the kind differs from the scene's
    /// `fit`.
    pub fn fit(&self) -> Fit {
        self.fit
    }

    /// A view about the same centre that contains the content with a margin.
    pub fn widened(&self, view: View) -> View {
        let bounds = bounds(&self.reaches, self.axes);
        let side = |axis: usize| {
            let center = view.center[axis];
            let far = (bounds.high[axis] - center).max(center - bounds.low[axis]);
            view.extent[axis].max(2.0 * far * (1.0 + 2.0 * MARGIN))
        };
        let wide = View { extent: [side(0), side(1)], ..view };
        // A view that hides nothing is not changed.
        let hides = (0..2).any(|axis| {
            let half = 0.5 * view.extent[axis];
            bounds.high[axis] > view.center[axis] + half
                || bounds.low[axis] < view.center[axis] - half
        });
        if hides { wide } else { view }
    }

    /// Part of the plane that shows the content with a margin.
    pub fn view(&self) -> View {
        let bounds = bounds(&self.reaches, self.axes);
        let size = [0, 1].map(|axis| (bounds.high[axis] - bounds.low[axis]).max(f64::MIN_POSITIVE));
        let margin = MARGIN * size[0].max(size[1]);
        let extent = size.map(|side| side + 2.0 * margin);
        let minimum = self.narrowest * extent[0].max(extent[1]);
        View {
            center: [0, 1].map(|axis| bounds.low[axis] + size[axis] / 2.0),
            extent: extent.map(|side| side.max(minimum)),
        }
    }
}

/// Box of the bodies that do not diverge. `None` if all do.
fn sound_box(boxes: &[NodeBoxes]) -> Option<Bounds> {
    let mut all = Bounds::EMPTY;
    let sound = boxes.iter().filter(|body| !body.diverges).flat_map(|body| &body.boxes);
    sound.for_each(|node| all.include(node.low, node.high));
    (all.low[0] <= all.high[0]).then_some(all)
}

/// Minimum ratio of the shorter to the longer side in a view of frames. Panels also hold text, and
/// a rope that hangs straight has no width.
const NARROWEST: f64 = 0.4;

/// Part of the plane that bodies can reach, with a margin.
pub fn fit(scene: &Scene) -> View {
    Subject::reach(scene).view()
}

/// Field of view in degrees.
const ANGLE: f64 = 35.0;

/// Direction from the centre to the eye, which is in front, slightly to the right and above.
const TO_EYE: Vec3 = [0.45, 0.35, 1.0];

/// Viewpoint for a picture of this aspect (width over height), and the aspect of the content of
/// `scene`.
pub fn fit_viewpoint(scene: &Scene, aspect: f64) -> (Viewpoint, f64) {
    Subject::reach(scene).viewpoint(aspect)
}

impl Subject {
    /// Viewpoint that shows the content in a picture of this aspect (width over height), and the
    /// aspect of the content.
    ///
    /// The four side planes of the view move inwards until they touch the content. Each plane has
    /// the distance of its support from the origin, and opposite planes meet at the eye.
    pub fn viewpoint(&self, aspect: f64) -> (Viewpoint, f64) {
        let support = |direction: Vec3| {
            let all = self.reaches.iter().map(|reach| reach.support(direction));
            all.fold(f64::NEG_INFINITY, f64::max)
        };
        let up = self.up;
        // If z is up, the front is at -y.
        let to_eye = if up[2] == 0.0 { TO_EYE } else { [TO_EYE[0], -TO_EYE[2], TO_EYE[1]] };
        let to_eye = unit(to_eye);
        let right = unit(cross(up, to_eye));
        let above = cross(to_eye, right);
        let tangent = libm::tan(ANGLE * PI / 360.0) * (1.0 - 2.0 * MARGIN);

        // Lateral offset of the eye and its distance, for two opposite planes.
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
        let width = |direction: Vec3| {
            (support(direction) + support(scaled(direction, -1.0))).max(f64::MIN_POSITIVE)
        };
        let (wide, high) = (width(right), width(above));
        let minimum = self.narrowest * wide.max(high);
        (Viewpoint { eye, target, up, lens, aspect: 1.0 }, wide.max(minimum) / high.max(minimum))
    }
}

impl Subject {
    /// Viewpoint with the same line of sight that contains the content in a picture of this aspect
    /// (width over height). The eye moves away, or the height of an orthographic view grows. A
    /// viewpoint that hides nothing is not changed.
    pub fn stepped_back(&self, own: Viewpoint, aspect: f64) -> Viewpoint {
        let forward = unit(sub(own.target, own.eye));
        let right = unit(cross(forward, own.up));
        let above = cross(right, forward);
        // Maximum distance of the content beyond a plane through the eye.
        let beyond = |normal: Vec3| {
            let direction = unit(normal);
            let support = self.reaches.iter().map(|reach| reach.support(direction));
            let far = support.fold(f64::NEG_INFINITY, f64::max) - dot(own.eye, direction);
            far * norm(normal)
        };
        let sides = |direction: Vec3| [direction, scaled(direction, -1.0)];
        match own.lens {
            Lens::Perspective { field_of_view } => {
                let tangent = libm::tan(field_of_view * PI / 360.0);
                let back = |inner: f64| {
                    let pairs = [(right, tangent * aspect), (above, tangent)];
                    let planes = pairs.into_iter().flat_map(|(direction, tangent)| {
                        sides(direction).map(|direction| (direction, tangent * inner))
                    });
                    let steps = planes.map(|(direction, tangent)| {
                        beyond(sub(direction, scaled(forward, tangent))) / tangent
                    });
                    steps.fold(0.0, f64::max)
                };
                let far = if back(1.0) > 0.0 { back(1.0 - 2.0 * MARGIN) } else { 0.0 };
                Viewpoint { eye: add(own.eye, scaled(forward, -far)), ..own }
            }
            Lens::Orthographic { height } => {
                let far =
                    |direction: Vec3| sides(direction).map(beyond).into_iter().fold(0.0, f64::max);
                let minimum = 2.0 * far(above).max(far(right) / aspect);
                let height = if minimum > height { minimum * (1.0 + 2.0 * MARGIN) } else { height };
                Viewpoint { lens: Lens::Orthographic { height }, ..own }
            }
        }
    }
}

/// Up direction of the camera: z if gravity is mainly along the z axis, otherwise y. The sign of
/// gravity is ignored.
fn upwards(scene: &Scene) -> Vec3 {
    let gravity = scene.panels[0].bodies[0].setup.gravity();
    let z = gravity.get(2).copied().unwrap_or(0.0);
    if z.abs() > gravity[1].abs() { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] }
}
