//! Draws bodies in space: ropes as strokes, sheets as threads or as facets, nodes, and marks on pins.

use super::camera::{Camera, Spatial};
use super::primitive::{Mark, Primitive, facet, normal, sheet_tone, stroke};
use super::rope::Look;
use super::vector::Vec3;
use crate::scene::{NodeShape, SurfaceWord};
use crate::sim::{Arrangement, Model, SpringMemory};

/// A body at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'a> {
    /// Its nodes and springs.
    pub model: &'a Model,
    /// Positions, flat by axis.
    pub x: &'a [f64],
    /// What its springs have been through: broken ones are not drawn.
    pub springs: &'a SpringMemory,
    /// How it looks.
    pub look: Look,
}

impl Figure<'_> {
    /// Where a node is; z is 0 in the plane.
    pub fn node(&self, i: usize) -> Vec3 {
        let n = self.model.nodes();
        [0, 1, 2].map(|axis| self.x.get(axis * n + i).copied().unwrap_or(0.0))
    }

    /// The ends of all structural springs that are whole.
    pub fn threads(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let whole = self.model.structural().iter().enumerate();
        whole
            .filter(|(j, _)| !self.springs.is_broken(*j))
            .map(|(_, spring)| [self.node(spring.a), self.node(spring.b)])
    }

    /// The corners of all cells of a sheet whose threads are whole, around each cell; none in a rope.
    pub fn cells(&self) -> Vec<[Vec3; 4]> {
        let Arrangement::Sheet { rows, columns } = self.model.arrangement else {
            return Vec::new();
        };
        // Threads along the rows come first, then those along the columns.
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
                // Against the clock where rows go down and columns to the right, so that the normal leads to the front.
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

/// Thickness of a thread where cells are so large: a fine cloth would drown in lines.
pub fn thread_width(line_width: f64, cell: f64) -> f64 {
    line_width.min((0.25 * cell).max(0.5))
}

/// Diameter of a node where its springs are so long, or `None` where it would hide them.
pub fn node_size(figure: &Figure<'_>, spacing: f64) -> Option<f64> {
    let style = &figure.look.style;
    if figure.is_sheet() {
        return (spacing >= 4.0 * style.node_size).then_some(style.node_size);
    }
    // Nodes closer together than their size would hide the rope, so they shrink, and vanish at last.
    let size = style.node_size.min(0.7 * spacing);
    (size > style.line_width).then_some(size)
}

/// Diameter of the mark on a pin, and of its inside.
pub fn pin_size(figure: &Figure<'_>, spacing: f64) -> [f64; 2] {
    let line_width = figure.look.style.line_width;
    let outer = node_size(figure, spacing).unwrap_or(0.0).max(line_width) + 5.0;
    if figure.is_sheet() {
        let outer = outer.min((0.6 * spacing).max(4.0));
        return [outer, 0.5 * outer];
    }
    [outer, outer - 4.0]
}

/// Adds all that is to be drawn of a body.
pub fn primitives(camera: &Camera, eye: &Spatial, figure: &Figure<'_>, all: &mut Vec<Primitive>) {
    let Look { ink, style, .. } = figure.look;
    let is_filled = figure.is_sheet() && style.surface == SurfaceWord::Facets;
    let spacing = figure.spacing();
    if is_filled {
        for cell in figure.cells() {
            let tone = sheet_tone(eye, &cell, normal(cell), ink);
            all.extend(facet(camera, &cell, tone));
        }
    } else {
        for ends in figure.threads() {
            let Some(mut thread) = stroke(camera, ends, ink, style.line_width) else { continue };
            if let (true, Mark::Stroke { width, .. }) = (figure.is_sheet(), &mut thread.mark) {
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
            let mark = match style.node_shape {
                NodeShape::Disc => Mark::Disc { center, size },
                NodeShape::Square => Mark::Square { center, size },
            };
            all.push(Primitive { depth: seen.depth, ink, mark });
        }
        if style.mark_pins && figure.model.pinned[i] {
            // In front of the springs that meet here.
            let depth = seen.depth - spacing;
            let [outer, inner] = pin_size(figure, pixels);
            let disc = |ink, size| Primitive { depth, ink, mark: Mark::Disc { center, size } };
            all.extend([disc(figure.look.pin, outer), disc(figure.look.pin_inside, inner)]);
        }
    }
}
