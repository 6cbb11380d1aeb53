//! Draws a body in the plane: strokes with round joins, nodes, and marks on pins.

use super::body::{DrawnPart, node_size, pin_size, thread_width};
use super::camera::Camera;
use super::canvas::Canvas;
use super::rect::Rect;
use crate::scene::NodeShape;

/// Draws a body in the plane inside `clip`. Broken springs leave a gap.
pub fn draw_planar(canvas: &mut Canvas, clip: Rect, camera: &Camera, figure: &DrawnPart<'_>) {
    let (n, look) = (figure.nodes(), &figure.look);
    let style = &look.style;
    let spacing = figure.spacing() * camera.scale(0.0);
    let point = |at| camera.point(at).map_or([f64::NAN; 2], |seen| seen.at);
    let at = |i: usize| point(figure.node(i));
    let width =
        if figure.is_rope() { style.line_width } else { thread_width(style.line_width, spacing) };
    canvas.shape(clip, look.ink, |pen| {
        if figure.is_filled() {
            for cell in figure.cells() {
                let corners: Vec<_> = cell.corners().iter().copied().map(point).collect();
                pen.polygon(&corners);
            }
        }
        figure.threads().for_each(|[a, b]| pen.line(point(a), point(b), width));
        (0..n).for_each(|i| pen.disc(at(i), width));
    });

    if let Some(size) = node_size(figure, spacing) {
        canvas.shape(clip, look.ink, |pen| {
            for i in 0..n {
                match style.node_shape {
                    NodeShape::Disc => pen.disc(at(i), size),
                    NodeShape::Square => pen.square(at(i), size),
                }
            }
        });
    }

    if style.mark_pins {
        let [outer, inner] = pin_size(figure, spacing);
        let pins = || (0..n).filter(|&i| figure.is_pinned(i)).map(at);
        canvas.shape(clip, look.pin, |pen| pins().for_each(|pin| pen.disc(pin, outer)));
        canvas.shape(clip, look.pin_inside, |pen| pins().for_each(|pin| pen.disc(pin, inner)));
    }
}
