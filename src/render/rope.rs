//! Draws a rope: strokes with round joins, nodes, and marks on pins.

use super::camera::Camera;
use super::canvas::Canvas;
use super::layout::Rect;
use super::theme::Ink;
use crate::scene::{NodeShape, Style};
use crate::sim::{Model, SpringMemory};

/// How a rope looks in one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Colour of rope and nodes.
    pub ink: Ink,
    /// Colour of the ring around a pin.
    pub pin: Ink,
    /// Colour inside of that ring.
    pub pin_inside: Ink,
    /// Sizes and shapes.
    pub style: Style,
}

/// Draws a rope at positions `x`, flat by axis, inside of `clip`. Broken springs leave a gap.
pub fn draw_rope(
    canvas: &mut Canvas,
    clip: Rect,
    camera: &Camera,
    model: &Model,
    (x, springs): (&[f64], &SpringMemory),
    look: &Look,
) {
    let n = model.nodes();
    let style = &look.style;
    let at = |i: usize| camera.pixel(x[i], x[n + i]);
    canvas.shape(clip, look.ink, |pen| {
        let whole = model.springs.iter().enumerate().filter(|(j, _)| !springs.is_broken(*j));
        for (_, spring) in whole {
            pen.line(at(spring.a), at(spring.b), style.line_width);
        }
        (0..n).for_each(|i| pen.disc(at(i), style.line_width));
    });

    // Nodes closer together than their size would hide the rope, so they shrink, and vanish at last.
    let spacing = model.rest_length() / model.springs.len().max(1) as f64 * camera.scale;
    let size = style.node_size.min(0.7 * spacing);
    if size > style.line_width {
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
        let outer = size.max(style.line_width) + 5.0;
        let pins = || (0..n).filter(|&i| model.pinned[i]).map(at);
        canvas.shape(clip, look.pin, |pen| pins().for_each(|pin| pen.disc(pin, outer)));
        canvas
            .shape(clip, look.pin_inside, |pen| pins().for_each(|pin| pen.disc(pin, outer - 4.0)));
    }
}
