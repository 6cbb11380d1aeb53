//! Effects of events in pictures: released and new pins, joints, and rings around places of events
//! in the last half second.

use super::body::DrawnPart;
use super::camera::Camera;
use super::canvas::Canvas;
use super::rect::Rect;
use super::theme::mix;
use crate::changes::SHOWN;
pub use crate::changes::{BodyChanges, EventMark};

/// Radius of the ring at the start and end, beyond the size of a pin, in pixels of a picture of
/// 1280x720.
const RADIUS: [f64; 2] = [4.0, 22.0];
/// Thickness of the ring at the start and end, in pixels of a picture of 1280x720.
const WIDTH: [f64; 2] = [3.0, 1.0];
/// Number of corners of the ring.
const CORNERS: usize = 40;

/// Draws the marks of a body inside `clip`: rings that grow, become thinner and fade.
pub fn draw_marks(canvas: &mut Canvas, clip: Rect, camera: &Camera, figure: &DrawnPart<'_>) {
    if !figure.is_first() {
        return;
    }
    for EventMark { at, age } in &figure.changes.marks {
        let Some(seen) = camera.point(*at) else { continue };
        let share = *age as f64 / SHOWN as f64;
        let stroke = figure.look.stroke;
        let between = |[first, last]: [f64; 2]| stroke * (first + (last - first) * share);
        let style = &figure.look.style;
        let radius = 0.5 * style.node_size.max(style.line_width) + between(RADIUS);
        let corners: Vec<[f64; 2]> = (0..CORNERS)
            .map(|corner| {
                let angle = std::f64::consts::TAU * corner as f64 / CORNERS as f64;
                let [x, y] = seen.at;
                [x + radius * libm::cos(angle), y + radius * libm::sin(angle)]
            })
            .collect();
        let ink = mix(figure.look.pin, figure.look.pin_inside, (256.0 * share * share) as i32);
        canvas.shape(clip, ink, |pen| pen.outline(&corners, between(WIDTH)));
    }
}
