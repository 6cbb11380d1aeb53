//! Draws bodies in space: ropes as strokes, sheets as threads or as facets, nodes, and marks on
//! pins.

use super::camera::{Camera, SpatialCamera};
use super::events::BodyChanges;
use super::primitive::{Primitive, PrimitiveShape, facet, normal, sheet_shade, stroke};
use super::theme::Ink;
use super::vector::Vec3;
use crate::scene::{NodeShape, Style, SurfaceStyle};
use crate::sim::{Arrangement, Model, SpringMemory};

/// How a body looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyLook {
    /// Colour of body and nodes.
    pub ink: Ink,
    /// Colour of the ring around a pin.
    pub pin: Ink,
    /// Colour inside that ring.
    pub pin_inside: Ink,
    /// Sizes and shapes.
    pub style: Style,
}

/// A body at one moment, ready to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct DrawnBody<'a> {
    /// Its nodes and springs.
    pub model: &'a Model,
    /// Positions, flat by axis.
    pub x: &'a [f64],
    /// Breaks of its springs; broken ones are not drawn.
    pub springs: &'a SpringMemory,
    /// What events have changed.
    pub changes: &'a BodyChanges,
    /// How it looks.
    pub look: BodyLook,
}

impl DrawnBody<'_> {
    /// The position of a node; z is 0 in the plane.
    pub fn node(&self, i: usize) -> Vec3 {
        let n = self.model.nodes();
        [0, 1, 2].map(|axis| self.x.get(axis * n + i).copied().unwrap_or(0.0))
    }

    /// Whether a node is pinned at this moment.
    pub fn is_pinned(&self, i: usize) -> bool {
        self.changes.pinned.get(i).copied().unwrap_or(self.model.pinned[i])
    }

    /// The ends of all whole structural springs, and of joints that events have made.
    pub fn threads(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let springs = &self.model.springs;
        let joints = springs.len() - self.changes.joints.min(springs.len())..springs.len();
        let drawn = (0..self.model.structural).chain(joints);
        drawn
            .filter(|j| !self.springs.is_broken(*j))
            .map(|j| [self.node(springs[j].a), self.node(springs[j].b)])
    }

    /// The corners of each cell of a sheet whose four threads are whole, in their order around it;
    /// empty for a rope.
    pub fn cells(&self) -> Vec<[Vec3; 4]> {
        let Arrangement::Sheet { rows, columns } = self.model.arrangement else {
            return Vec::new();
        };
        // The model lists the springs along rows first, then those along columns.
        let along = |row: usize, column: usize| row * (columns - 1) + column;
        let down = |row: usize, column: usize| rows * (columns - 1) + row * columns + column;
        let mut cells = Vec::with_capacity((rows - 1) * (columns - 1));
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let edges = [
                    along(row, column),
                    along(row + 1, column),
                    down(row, column),
                    down(row, column + 1),
                ];
                if edges.iter().any(|&edge| self.springs.is_broken(edge)) {
                    continue;
                }
                let node = |row: usize, column: usize| self.node(row * columns + column);
                // Counterclockwise if rows go down and columns to the right, so that the normal
                // points to the front.
                cells.push([
                    node(row, column),
                    node(row + 1, column),
                    node(row + 1, column + 1),
                    node(row, column + 1),
                ]);
            }
        }
        cells
    }

    /// The mean rest length of a structural spring.
    pub fn spacing(&self) -> f64 {
        let springs = self.model.structural();
        let sum: f64 = springs.iter().map(|spring| spring.rest_length).sum();
        sum / springs.len().max(1) as f64
    }

    fn is_sheet(&self) -> bool {
        self.model.arrangement != Arrangement::Chain
    }
}

/// Thickness of a thread in pixels, for cells of this size: lines must not fill a fine cloth.
pub fn thread_width(line_width: f64, cell: f64) -> f64 {
    line_width.min((0.25 * cell).max(0.5))
}

/// Diameter of a node in pixels, for springs of this length; `None` if nodes would hide them.
pub fn node_size(figure: &DrawnBody<'_>, spacing: f64) -> Option<f64> {
    let style = &figure.look.style;
    if figure.is_sheet() {
        return (spacing >= 4.0 * style.node_size).then_some(style.node_size);
    }
    // Nodes closer together than their size would hide the rope, so they shrink and then vanish.
    let size = style.node_size.min(0.7 * spacing);
    (size > style.line_width).then_some(size)
}

/// Diameter in pixels of the mark on a pin, and of its inside.
pub fn pin_size(figure: &DrawnBody<'_>, spacing: f64) -> [f64; 2] {
    let line_width = figure.look.style.line_width;
    let outer = node_size(figure, spacing).unwrap_or(0.0).max(line_width) + 5.0;
    if figure.is_sheet() {
        let outer = outer.min((0.6 * spacing).max(4.0));
        return [outer, 0.5 * outer];
    }
    [outer, outer - 4.0]
}

/// Adds all primitives of a body in space.
pub fn primitives(
    camera: &Camera,
    eye: &SpatialCamera,
    figure: &DrawnBody<'_>,
    all: &mut Vec<Primitive>,
) {
    let BodyLook { ink, style, .. } = figure.look;
    let is_filled = figure.is_sheet() && style.surface == SurfaceStyle::Facets;
    let spacing = figure.spacing();
    if is_filled {
        for cell in figure.cells() {
            let tone = sheet_shade(eye, &cell, normal(cell), ink);
            all.extend(facet(camera, &cell, tone));
        }
    } else {
        for ends in figure.threads() {
            let Some(mut thread) = stroke(camera, ends, ink, style.line_width) else { continue };
            if let (true, PrimitiveShape::Stroke { width, .. }) =
                (figure.is_sheet(), &mut thread.shape)
            {
                *width = thread_width(*width, spacing * camera.scale(thread.depth));
            }
            all.push(thread);
        }
    }
    for i in 0..figure.model.nodes() {
        let Some(seen) = camera.point(figure.node(i)) else { continue };
        let pixels = spacing * camera.scale(seen.depth);
        let center = seen.at;
        if let (false, Some(size)) = (is_filled, node_size(figure, pixels)) {
            let shape = match style.node_shape {
                NodeShape::Disc => PrimitiveShape::Disc { center, size },
                NodeShape::Square => PrimitiveShape::Square { center, size },
            };
            all.push(Primitive { depth: seen.depth, ink, shape });
        }
        if style.mark_pins && figure.is_pinned(i) {
            // In front of the springs that meet here.
            let depth = seen.depth - spacing;
            let [outer, inner] = pin_size(figure, pixels);
            let disc =
                |ink, size| Primitive { depth, ink, shape: PrimitiveShape::Disc { center, size } };
            all.extend([disc(figure.look.pin, outer), disc(figure.look.pin_inside, inner)]);
        }
    }
}
