//! Draws a body in the plane: strokes with round joins, nodes, and marks on pins.

use super::body::{DrawnBody, node_size, pin_size, thread_width};
use super::camera::Camera;
use super::canvas::Canvas;
use super::rect::Rect;
use crate::scene::{NodeShape, SurfaceStyle};
use crate::sim::Arrangement;

/// Draws a body in the plane inside `clip`. Broken springs leave a gap.
pub fn draw_planar(canvas: &mut Canvas, clip: Rect, camera: &Camera, figure: &DrawnBody<'_>) {
    let (n, look) = (figure.model.nodes(), &figure.look);
    let style = &look.style;
    let is_sheet = figure.model.arrangement != Arrangement::Chain;
    let spacing = figure.spacing() * camera.scale(0.0);
    let point = |at| camera.point(at).map_or([f64::NAN; 2], |seen| seen.at);
    let at = |i: usize| point(figure.node(i));
    let width = if is_sheet { thread_width(style.line_width, spacing) } else { style.line_width };
    let is_filled = is_sheet && style.surface == SurfaceStyle::Facets;
    canvas.shape(clip, look.ink, |pen| {
        if is_filled {
            figure.cells().iter().for_each(|cell| pen.polygon(&cell.map(point)));
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
