//! Colliders of a panel, and their drawing in the plane as muted areas with a border.

use super::camera::Camera;
use super::canvas::Canvas;
use super::clip;
use super::rect::Rect;
use super::theme::{Ink, Theme, mix};
use super::vector::{Vec3, add, dot, scaled, sub};
use crate::solid_shapes::shape_of;
use catena_scene::{Body, Ground, Panel, ShownRig};
use catena_sim::body::rigid::frame;
use catena_sim::body::{Form, Model, Part, SolidKind};
use catena_sim::contact::collider::{Collider, Solid};
use catena_sim::drive::motion::{Motion, Placement};
use catena_sim::drive::track::Extent;
use image::Rgb;
use std::f64::consts::PI;
use std::sync::Arc;

/// A collider with its appearance.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownSolid {
    /// Shape.
    pub solid: Solid,
    /// Colour; `None` uses the theme.
    pub color: Option<Ink>,
    /// Strength of reflections in space; `None` uses the default.
    pub gloss: Option<f64>,
}

impl ShownSolid {
    /// Creates the shown shape of a body's collider. `number` is the collider's index in the body,
    /// which selects its appearance.
    fn new(body: &Body, number: usize, solid: Solid) -> Self {
        let look = body.collider_looks.get(number).copied().unwrap_or_default();
        let color = look.color.or(body.style.collider_color).map(|color| Rgb(color.0));
        Self { solid, color, gloss: look.gloss.or(body.style.collider_gloss) }
    }
}

/// Fixed colliders of a panel's bodies, without duplicates.
pub fn solids(panel: &Panel) -> Vec<ShownSolid> {
    let of_body = |body: &Body| -> Vec<ShownSolid> {
        let all = body.setup.contacts.colliders.iter().enumerate();
        let fixed = all.filter(|(_, collider)| collider.motion().is_none());
        fixed.map(|(number, collider)| ShownSolid::new(body, number, collider.solid())).collect()
    };
    once(panel.bodies.iter().flat_map(of_body))
}

/// Moving colliders of a panel's bodies at time `t`, without duplicates. Colliders on bones with
/// visible skins are omitted, since the skins show their positions.
pub fn moving_solids(panel: &Panel, t: f64) -> Vec<ShownSolid> {
    once(moved_solids(panel, t, t).into_iter().map(|moved| moved.shown))
}

/// A moving collider at a frame and at the previous one.
pub struct MovedSolid {
    /// The collider at the frame.
    pub shown: ShownSolid,
    /// Its frame of reference at the frame and at the previous one.
    pub placements: [Placement; 2],
    /// Its surface at the previous frame, if it is deformable.
    pub before: Option<ShownSolid>,
}

impl MovedSolid {
    /// Motion of a point of the collider since the previous frame.
    pub fn motion_of(&self, at: Vec3) -> Vec3 {
        let [now, before] = &self.placements;
        sub(at, before.point(now.inverse(at)))
    }
}

/// Colliders that [`moving_solids`] draws at time `t`, with their placements at the earlier time
/// `before`. A collider shared by several bodies occurs once per body.
pub fn moved_solids(panel: &Panel, t: f64, before: f64) -> Vec<MovedSolid> {
    let of_body = |body: &Body| -> Vec<MovedSolid> {
        let has_skin = body.rig.as_ref().is_some_and(ShownRig::shows_skin);
        let moved = |(number, collider): (usize, &Arc<dyn Collider>)| {
            let motion = collider.motion()?;
            let placements = [t, before].map(|t| motion.at(t));
            let shown_at = |t| ShownSolid::new(body, number, collider.solid_at(t));
            let is_deformed = collider.deformation().is_some();
            let was = (is_deformed && t != before).then(|| shown_at(before));
            let moved = MovedSolid { shown: shown_at(t), placements, before: was };
            (!(has_skin && motion.is_of_bone())).then_some(moved)
        };
        body.setup.contacts.colliders.iter().enumerate().filter_map(moved).collect()
    };
    panel.bodies.iter().flat_map(of_body).collect()
}

/// A rigid part of a body at positions `x`; `None` for other parts.
pub fn rigid(model: &Model, part: &Part, x: &[f64], ink: Ink) -> Option<ShownSolid> {
    let solid = shape_of(model, part, x)?;
    Some(ShownSolid { solid, color: Some(ink), gloss: None })
}

/// Spokes of a rigid ball at positions `x`; none for other parts.
pub fn spokes_of(model: &Model, part: &Part, x: &[f64]) -> Vec<[Vec3; 2]> {
    let Form::Solid(form) = &part.form else { return Vec::new() };
    let placement = frame(model, part, x).filter(|_| form.kind == SolidKind::Ball);
    let Some(placement) = placement else { return Vec::new() };
    let spoke = |direction: [f64; 2]| {
        let direction = placement.turned([direction[0], direction[1], 0.0]);
        SPOKE.map(|share| add(placement.place, scaled(direction, share * form.lengths()[0])))
    };
    SPOKES.map(spoke).to_vec()
}

/// Lengths of the inner and outer ends of a spoke, relative to the radius.
const SPOKE: [f64; 2] = [0.25, 0.8];

/// Directions of the spokes of a ball in its own frame: three at equal angles.
const SPOKES: [[f64; 2]; 3] = [[1.0, 0.0], [-0.5, 0.866_025_403_784], [-0.5, -0.866_025_403_784]];

/// Spokes of a panel's turning balls at time `t`.
pub fn spokes(panel: &Panel, t: f64) -> Vec<[Vec3; 2]> {
    let of_collider = |collider: &Arc<dyn Collider>| -> Option<[[Vec3; 2]; 3]> {
        let motion = collider.motion().filter(|motion| turns(motion.as_ref()))?;
        let placement = motion.at(t);
        let Solid::Capsule { a, b, radius } = collider.solid_at(t) else { return None };
        let spoke = |direction: [f64; 2]| {
            let direction = placement.turned([direction[0], direction[1], 0.0]);
            SPOKE.map(|share| add(a, scaled(direction, share * radius)))
        };
        (a == b).then(|| SPOKES.map(spoke))
    };
    let colliders = panel.bodies.iter().flat_map(|body| &body.setup.contacts.colliders);
    let mut all: Vec<[Vec3; 2]> = Vec::new();
    for spoke in colliders.filter_map(of_collider).flatten() {
        if !all.contains(&spoke) {
            all.push(spoke);
        }
    }
    all
}

/// Whether a motion rotates its frame of reference.
fn turns(motion: &dyn Motion) -> bool {
    let (from, duration) = match motion.extent() {
        Extent::Still => return false,
        Extent::Bounded(from, until) => (from, until - from),
        Extent::Endless(from, period) => (from, period),
    };
    let turned = |share: f64| motion.at(from + share * duration).turned([1.0, 0.0, 0.0]);
    [0.23, 0.5, 0.71, 1.0].into_iter().any(|share| turned(share) != turned(0.0))
}

/// Draws the spokes of turning balls in the plane.
pub fn draw_spokes(
    canvas: &mut Canvas,
    clip: Rect,
    camera: &Camera,
    theme: &Theme,
    spokes: &[[Vec3; 2]],
) {
    if spokes.is_empty() {
        return;
    }
    let pixel = |at: Vec3| camera.point(at).map_or([f64::NAN; 2], |seen| seen.at);
    canvas.shape(clip, theme.solid_border, |pen| {
        for [inner, outer] in spokes {
            pen.line(pixel(*inner), pixel(*outer), 1.5 * BORDER);
        }
    });
}

/// Solids without duplicates. A collider that bodies share has the appearance given by the first
/// body.
fn once(solids: impl Iterator<Item = ShownSolid>) -> Vec<ShownSolid> {
    let mut all: Vec<ShownSolid> = Vec::new();
    for shown in solids {
        if !all.iter().any(|known| known.solid == shown.solid) {
            all.push(shown);
        }
    }
    all
}

/// Thickness of a border in the plane, in pixels.
const BORDER: f64 = 2.0;

/// Draws the solids of a planar panel.
pub fn draw_planar(
    canvas: &mut Canvas,
    clip: Rect,
    camera: &Camera,
    theme: &Theme,
    solids: &[ShownSolid],
) {
    // All borders are drawn first, so that overlapping solids look like one.
    for (is_inside, less) in [(false, 0.0), (true, BORDER)] {
        for same in solids.chunk_by(|a, b| a.color == b.color) {
            let own = same[0].color;
            let ink = match is_inside {
                true => own.unwrap_or(theme.solid),
                false => own.map_or(theme.solid_border, |own| mix(own, theme.text, 96)),
            };
            canvas.shape(clip, ink, |pen| {
                for shown in same {
                    pen.polygon(&outline(clip, camera, &shown.solid, less));
                }
            });
        }
    }
}

/// Outline of a solid in pixels, moved inwards by `less` pixels.
fn outline(rect: Rect, camera: &Camera, solid: &Solid, less: f64) -> Vec<[f64; 2]> {
    let pixel = |at: Vec3| camera.point(at).map_or([f64::NAN; 2], |seen| seen.at);
    match *solid {
        Solid::HalfSpace { point, normal } => {
            let (on, off) = (pixel(point), [normal[0], -normal[1]]);
            let length = (off[0] * off[0] + off[1] * off[1]).sqrt();
            let [left, top] = [rect.x, rect.y].map(|edge| f64::from(edge) - 9.0);
            let [right, bottom] = [rect.right(), rect.bottom()].map(|edge| f64::from(edge) + 9.0);
            let corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
            clip::polygon(&corners, |at| {
                let out = (at[0] - on[0]) * off[0] + (at[1] - on[1]) * off[1];
                -out / length - less
            })
        }
        Solid::Capsule { a, b, radius } => {
            let (a, b) = (pixel(a), pixel(b));
            let radius = (radius * camera.scale(0.0) - less).max(0.0);
            capsule(a, b, radius)
        }
        Solid::Box { center, axes, half } => {
            let less = less / camera.scale(0.0);
            let half = half.map(|half| (half - less).max(0.0));
            let corners = Solid::Box { center, axes, half }.corners();
            [0, 1, 3, 2].map(|k| pixel(corners[k])).to_vec()
        }
        Solid::Polygon { ref points } => {
            let corners: Vec<[f64; 2]> = points.iter().map(|point| pixel(*point)).collect();
            inset(&corners, less)
        }
        // Surfaces of triangles are in space only.
        Solid::Facets { .. } => Vec::new(),
    }
}

/// Corners of a polygon, moved inwards until each side is `less` pixels farther in.
fn inset(corners: &[[f64; 2]], less: f64) -> Vec<[f64; 2]> {
    let count = corners.len();
    let at = |k: usize| corners[k % count];
    let area = |k: usize| at(k)[0] * at(k + 1)[1] - at(k + 1)[0] * at(k)[1];
    let turn = (0..count).map(area).sum::<f64>().signum();
    // The inward unit normal of the side that begins at a corner.
    let inwards = |k: usize| {
        let direction = [at(k + 1)[0] - at(k)[0], at(k + 1)[1] - at(k)[1]];
        let length = (direction[0] * direction[0] + direction[1] * direction[1]).sqrt();
        [-turn * direction[1] / length, turn * direction[0] / length]
    };
    let moved = |k: usize| {
        let (a, b) = (inwards(k + count - 1), inwards(k));
        // The mitre of a sharp corner is no longer than twice the width.
        let open = (1.0 + a[0] * b[0] + a[1] * b[1]).max(0.25);
        let by = |axis: usize| at(k)[axis] + less * (a[axis] + b[axis]) / open;
        [by(0), by(1)]
    };
    (0..count).map(moved).collect()
}

/// Outline of a capsule: a half circle around each end.
fn capsule(a: [f64; 2], b: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    // The deviation of the chords from the circle is below a twentieth of a pixel.
    let count = (PI * (2.5 * radius).sqrt()).ceil().clamp(8.0, 720.0);
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let turn = libm::atan2(dy, dx);
    let half = |center: [f64; 2], from: f64| {
        (0..=count as usize).map(move |step| {
            let angle = from + PI * step as f64 / count;
            [center[0] + radius * libm::cos(angle), center[1] + radius * libm::sin(angle)]
        })
    };
    half(b, turn - PI / 2.0).chain(half(a, turn + PI / 2.0)).collect()
}

/// Ground on the highest level half-space, for panels without a ground. `None` if there is no such
/// half-space.
pub fn level_patch(solids: &[ShownSolid], size: f64, theme: &Theme) -> Option<Ground> {
    let levels = solids.iter().filter_map(|shown| match shown.solid {
        Solid::HalfSpace { point, normal } if dot(normal, [0.0, 1.0, 0.0]) > 1.0 - 1e-9 => {
            Some(point[1])
        }
        _ => None,
    });
    let height = levels.reduce(f64::max)?;
    let color = |ink: Ink| catena_scene::Color(ink.0);
    let (near, far) = (color(theme.ground()), color(theme.panel));
    Some(Ground { height, size, near, far, shadow: None })
}
