//! Drawing of a body in the plane: strokes with round joins, nodes, and marks on pins.

use super::body::{DrawnPart, node_size, pin_size, thread_width, weights};
use super::camera::Camera;
use super::canvas::Canvas;
use super::rect::Rect;
use super::theme::{Ink, mix};
use super::vector::Vec3;
use catena_scene::NodeShape;
use image::Rgb;

/// Maximum number of pieces of constant colour in a trail.
const FADES: usize = 24;

/// Draws a body in the plane inside `clip`. Broken springs leave a gap.
pub fn draw_planar(canvas: &mut Canvas, clip: Rect, camera: &Camera, figure: &DrawnPart<'_>) {
    let (n, look) = (figure.nodes(), &figure.look);
    let style = &look.style;
    let spacing = figure.room() * camera.scale(0.0);
    let point = |at| camera.point(at).map_or([f64::NAN; 2], |seen| seen.at);
    let at = |i: usize| point(figure.node(i));
    let width =
        if figure.is_rope() { style.line_width } else { thread_width(style.line_width, spacing) };
    if figure.values.is_some() {
        draw_values(canvas, clip, camera, figure, spacing, width);
        draw_weights(canvas, clip, camera, figure);
        draw_pins(canvas, clip, camera, figure);
        return;
    }
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
    draw_weights(canvas, clip, camera, figure);
    draw_pins(canvas, clip, camera, figure);
}

/// Draws a body whose colours show a quantity, with a colour per thread, cell and node.
fn draw_values(
    canvas: &mut Canvas,
    clip: Rect,
    camera: &Camera,
    figure: &DrawnPart<'_>,
    spacing: f64,
    width: f64,
) {
    let point = |at| camera.point(at).map_or([f64::NAN; 2], |seen| seen.at);
    if figure.is_filled() {
        for cell in figure.cells() {
            let corners: Vec<_> = cell.corners().iter().copied().map(point).collect();
            let ink = mean(cell.nodes().iter().map(|&i| figure.node_ink(i)));
            canvas.shape(clip, ink, |pen| pen.polygon(&corners));
        }
    }
    for ([a, b], ink) in figure.colored_threads() {
        canvas.shape(clip, ink, |pen| {
            pen.line(point(a), point(b), width);
            pen.disc(point(a), width);
            pen.disc(point(b), width);
        });
    }
    let Some(size) = node_size(figure, spacing) else { return };
    for i in 0..figure.nodes() {
        let at = point(figure.node(i));
        canvas.shape(clip, figure.node_ink(i), |pen| match figure.look.style.node_shape {
            NodeShape::Disc => pen.disc(at, size),
            NodeShape::Square => pen.square(at, size),
        });
    }
}

/// Mean of some colours.
fn mean(inks: impl ExactSizeIterator<Item = Ink>) -> Ink {
    let count = inks.len().max(1) as u32;
    let sum = inks.fold([0_u32; 3], |sum, ink| [0, 1, 2].map(|k| sum[k] + u32::from(ink.0[k])));
    Rgb(sum.map(|sum| ((sum + count / 2) / count) as u8))
}

/// Draws the nodes that are much heavier than the others.
fn draw_weights(canvas: &mut Canvas, clip: Rect, camera: &Camera, figure: &DrawnPart<'_>) {
    let spacing = figure.room() * camera.scale(0.0);
    for (i, size) in weights(figure, spacing) {
        let at = camera.point(figure.node(i)).map_or([f64::NAN; 2], |seen| seen.at);
        canvas.shape(clip, figure.node_ink(i), |pen| match figure.look.style.node_shape {
            NodeShape::Disc => pen.disc(at, size),
            NodeShape::Square => pen.square(at, size),
        });
    }
}

/// Draws the marks on the pins of a body.
fn draw_pins(canvas: &mut Canvas, clip: Rect, camera: &Camera, figure: &DrawnPart<'_>) {
    let (n, look) = (figure.nodes(), &figure.look);
    if !look.style.mark_pins {
        return;
    }
    let spacing = figure.room() * camera.scale(0.0);
    let at = |i: usize| camera.point(figure.node(i)).map_or([f64::NAN; 2], |seen| seen.at);
    let [outer, inner] = pin_size(figure, spacing);
    let pins = || (0..n).filter(|&i| figure.is_pinned(i)).map(at);
    canvas.shape(clip, look.pin, |pen| pins().for_each(|pin| pen.disc(pin, outer)));
    canvas.shape(clip, look.pin_inside, |pen| pins().for_each(|pin| pen.disc(pin, inner)));
}

/// Draws the trail of a node in the plane, which fades into the background colour.
pub fn draw_trail(
    canvas: &mut Canvas,
    clip: Rect,
    camera: &Camera,
    trail: &[Vec3],
    width: f64,
    [ink, background]: [Ink; 2],
) {
    let point = |at: Vec3| camera.point(at).map_or([f64::NAN; 2], |seen| seen.at);
    let pieces = trail.len().div_ceil(FADES).max(1);
    let count = trail.len().saturating_sub(1);
    // The oldest piece is drawn first, so that newer ones cover it.
    for start in (0..count).step_by(pieces).collect::<Vec<_>>().into_iter().rev() {
        let share = 48 + 208 * start / count;
        canvas.shape(clip, mix(ink, background, share as i32), |pen| {
            for pair in trail[start..(start + pieces + 1).min(trail.len())].windows(2) {
                let (a, b) = (point(pair[0]), point(pair[1]));
                pen.line(a, b, width);
                pen.disc(a, width);
                pen.disc(b, width);
            }
        });
    }
}
