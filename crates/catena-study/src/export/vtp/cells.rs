//! Lines and polygons of a frame, with what is known of each.

use crate::export::contents::{ExportedBody, Shape};
use crate::export::presence::Presence;

/// Cells, their owners and values.
#[derive(Default)]
pub(super) struct Cells {
    /// Points of all cells.
    pub(super) corners: Vec<usize>,
    /// Where each ends among them.
    pub(super) ends: Vec<usize>,
    /// Panel, body and part of each.
    pub(super) owners: Vec<[i32; 3]>,
    /// Strain and tension of each.
    pub(super) values: Vec<[f64; 2]>,
}

/// What a frame has of the springs of a body.
pub(super) struct Springs<'a> {
    /// The number of the body's first node among all points.
    pub(super) first: usize,
    /// The numbers of its panel and of itself.
    pub(super) place: [i32; 2],
    pub(super) strains: &'a [f64],
    pub(super) tensions: &'a [f64],
    pub(super) presence: (&'a Presence, usize),
}

impl Springs<'_> {
    fn are_there(&self, springs: &[usize]) -> bool {
        let (presence, frame) = self.presence;
        presence.are_there(springs, frame)
    }

    /// Strain and tension, as means of some springs.
    fn means(&self, springs: &[usize]) -> [f64; 2] {
        [self.strains, self.tensions].map(|values| {
            // Divided first, so that no sum overflows.
            springs.iter().map(|spring| values[*spring] / springs.len() as f64).sum()
        })
    }
}

impl Cells {
    /// Adds a cell of an owner, with its values.
    pub(super) fn add(&mut self, corners: &[usize], (owner, values): ([i32; 3], [f64; 2])) {
        self.corners.extend(corners);
        self.ends.push(self.corners.len());
        self.owners.push(owner);
        self.values.push(values);
    }

    /// Adds a line for each spring of ropes and nets.
    pub(super) fn add_lines(&mut self, body: &ExportedBody, springs: &Springs<'_>) {
        for (part, item) in (0..).zip(&body.items) {
            let Shape::Lines { lines, .. } = &item.shape else { continue };
            let [panel, number] = springs.place;
            for line in lines {
                for (k, spring) in line.springs.iter().enumerate() {
                    if springs.are_there(&[*spring]) {
                        let ends = [line.nodes[k], line.nodes[(k + 1) % line.nodes.len()]];
                        let values = [springs.strains[*spring], springs.tensions[*spring]];
                        let corners = ends.map(|node| springs.first + node);
                        self.add(&corners, ([panel, number, part], values));
                    }
                }
            }
        }
    }

    /// Adds the facets of cloth and meshes; strain and tension are means of their edges.
    pub(super) fn add_faces(&mut self, body: &ExportedBody, springs: &Springs<'_>) {
        for (part, item) in (0..).zip(&body.items) {
            let Shape::Mesh { faces } = &item.shape else { continue };
            let [panel, number] = springs.place;
            for face in faces.iter().filter(|face| springs.are_there(face.springs())) {
                let corners: Vec<usize> =
                    face.nodes().iter().map(|node| springs.first + node).collect();
                let values = springs.means(face.springs());
                self.add(&corners, ([panel, number, part], values));
            }
        }
    }
}
