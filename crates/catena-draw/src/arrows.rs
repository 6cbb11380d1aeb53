//! Force arrows of pins and colliders, drawn over everything else in a panel.

use super::camera::Camera;
use super::canvas::Canvas;
use super::panel_run::{BodyFrame, ShownForce};
use super::rect::Rect;
use super::theme::Ink;
use super::vector::{Vec3, along};
use catena_scene::{Arrows, Body, Scene, Style};

/// Default length of the arrow for the largest weight in a scene, as a share of the shorter side of
/// a panel. `arrow_scale` in the scene overrides it.
const WEIGHT: f64 = 0.3;

/// An arrow in scene coordinates. Its length shows the force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Tail, where the force acts.
    pub from: Vec3,
    /// Tip.
    pub to: Vec3,
}

/// Scale of the arrows in a panel.
#[derive(Clone, Copy, Debug)]
pub struct ArrowScale {
    /// Default length per unit of force.
    natural: f64,
}

impl ArrowScale {
    /// Scale for a panel whose plot has the given size, with `pixels_a_length` pixels per unit of
    /// length.
    pub fn new(scene: &Scene, plot: Rect, pixels_a_length: f64) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let weight = |body: &Body| {
            let mass: f64 = body.setup.model.mass.iter().sum();
            mass * body.setup.gravity_strength()
        };
        let greatest = bodies.map(weight).fold(0.0, f64::max);
        Self { natural: WEIGHT * f64::from(plot.w.min(plot.h)) / (pixels_a_length * greatest) }
    }

    /// Arrows of a body in a frame.
    pub fn arrows(&self, body: &Body, frame: &BodyFrame) -> Vec<Arrow> {
        let owners = if frame.forces.is_empty() { Vec::new() } else { owners(body) };
        let arrow = |shown: &ShownForce| {
            let style = style_of(body, &owners, shown);
            let is_shown = match style.arrows {
                Arrows::None => false,
                Arrows::Pins => shown.pin.is_some(),
                Arrows::Contacts => shown.pin.is_none(),
                Arrows::All => true,
            };
            let scale = style.arrow_scale.unwrap_or(self.natural);
            let to = along(shown.at, scale, shown.force);
            (is_shown && to.iter().all(|value| value.is_finite()))
                .then_some(Arrow { from: shown.at, to })
        };
        frame.forces.iter().filter_map(arrow).collect()
    }
}

/// Index of the first part that contains each node; `None` for a node outside all parts.
fn owners(body: &Body) -> Vec<Option<usize>> {
    let model = &body.setup.model;
    let mut owners = vec![None; model.nodes()];
    for (index, part) in model.parts.iter().enumerate().rev() {
        part.nodes.iter().for_each(|&node| owners[node] = Some(index));
    }
    owners
}

/// Style for the arrow of a force: the style of the part that contains the pin. For a collider,
/// which touches the body as a whole, the style of the body.
fn style_of<'a>(body: &'a Body, owners: &[Option<usize>], shown: &ShownForce) -> &'a Style {
    let part = shown.pin.and_then(|pin| *owners.get(pin)?);
    part.and_then(|part| body.part_styles.get(part)).unwrap_or(&body.style)
}

/// Draws an arrow with an outline, which separates it from ropes and solids of any colour. A short
/// arrow has a smaller head, and one shorter than 2.5 pixels is not drawn. `stroke` is the scale of
/// line widths, relative to a picture of 1280x720.
pub fn draw(
    canvas: &mut Canvas,
    clip: Rect,
    camera: &Camera,
    stroke: f64,
    arrow: &Arrow,
    inks: [Ink; 2],
) {
    let Some([from, to]) = camera.segment(arrow.from, arrow.to) else { return };
    let (tail, tip) = (from.at, to.at);
    let offset = [tip[0] - tail[0], tip[1] - tail[1]];
    let length = (offset[0] * offset[0] + offset[1] * offset[1]).sqrt();
    if !(length >= 2.5 && length.is_finite()) {
        return;
    }
    let width = (f64::from(clip.w.min(clip.h)) / 160.0).clamp(2.0 * stroke, 5.0 * stroke);
    let head = (5.0 * width).min(0.7 * length);
    let at = |along: f64, aside: f64| {
        let [x, y] = offset.map(|value| value / length);
        [tail[0] + along * x - aside * y, tail[1] + along * y + aside * x]
    };
    let neck = at(length - 0.8 * head, 0.0);
    let barbs =
        [at(length, 0.0), at(length - head, 0.4 * head), neck, at(length - head, -0.4 * head)];
    let [ink, outline] = inks;
    let border = (0.45 * width).max(stroke.min(1.0));
    for (ink, more) in [(outline, 2.0 * border), (ink, 0.0)] {
        canvas.shape(clip, ink, |pen| {
            pen.line(tail, neck, width + more);
            pen.disc(tail, width + more);
            pen.polygon(&barbs);
            if more > 0.0 {
                pen.outline(&barbs, more);
                barbs.iter().for_each(|corner| pen.disc(*corner, more));
            }
        });
    }
}
