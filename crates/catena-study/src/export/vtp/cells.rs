//! Lines and polygons of a frame, with their owners and values.

use crate::export::contents::{ExportedBody, Shape};
use crate::export::presence::Presence;

/// Cells with their owners and values.
#[derive(Default)]
pub(super) struct Cells {
    /// Point indices of all cells.
    pub(super) corners: Vec<usize>,
    /// End of each cell in `corners`.
    pub(super) ends: Vec<usize>,
    /// Panel, body and part of each cell.
    pub(super) owners: Vec<[i32; 3]>,
    /// Strain and tension of each cell.
    pub(super) values: Vec<[f64; 2]>,
}

/// Springs of a body in a frame.
pub(super) struct Springs<'a> {
    /// Index of the body's first node among all points.
    pub(super) first: usize,
    /// Index of the panel, and of the body within it.
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

    /// Mean strain and mean tension of some springs.
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

    /// Adds a line per spring of ropes and nets.
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

    /// Adds the facets of cloth and meshes. Strain and tension are means over their edges.
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
