//! Vertices, lines and faces whose number stays the same while springs break: for formats that
//! cannot leave some of them out.
//!
//! What is there in some frames only has vertices of its own, which lie in one point while it is
//! not there.

use super::contents::{Face, Item, Line, Shape};
use super::presence::{Presence, Stay};
use catena_sim::vector::Vec3;
use std::collections::BTreeMap;

/// The vertices of an item, and what joins them.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) vertices: Vec<Vertex>,
    /// Runs of vertices of a line.
    pub(super) strands: Vec<Strand>,
    /// Corners of faces, by their vertices; three or four each.
    pub(super) faces: Vec<Vec<u32>>,
    /// The springs of what is there in some frames only.
    visitors: Vec<Vec<usize>>,
}

/// A vertex: a node of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) node: usize,
    /// The visitor that it belongs to, and the node in which it lies while that is away.
    visit: Option<(usize, usize)>,
}

/// Vertices one after another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strand {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) is_closed: bool,
    /// The visitor that it is.
    visitor: Option<usize>,
}

impl Outline {
    /// The outline of an item.
    pub(super) fn of(item: &Item, presence: &Presence) -> Self {
        let mut outline = Self::default();
        match &item.shape {
            Shape::Lines { lines, .. } => {
                lines.iter().for_each(|line| outline.add_line(line, presence));
            }
            Shape::Mesh { faces } => outline.add_faces(faces, presence),
        }
        outline
    }

    fn add_strand(&mut self, nodes: &[usize], is_closed: bool, visitor: Option<usize>) {
        let first = self.vertices.len();
        let visit = visitor.zip(nodes.first().copied());
        self.vertices.extend(nodes.iter().map(|&node| Vertex { node, visit }));
        self.strands.push(Strand { first, count: nodes.len(), is_closed, visitor });
    }

    /// Adds a visitor with these springs.
    fn visitor(&mut self, springs: &[usize]) -> usize {
        self.visitors.push(springs.to_vec());
        self.visitors.len() - 1
    }

    /// Adds the runs of a line that always stay, and by itself each spring that does not.
    fn add_line(&mut self, line: &Line, presence: &Presence) {
        let stays: Vec<Stay> =
            line.springs.iter().map(|spring| presence.stay(&[*spring])).collect();
        let Some(gap) = stays.iter().position(|stay| *stay != Stay::Always) else {
            return self.add_strand(&line.nodes, line.is_closed, None);
        };
        let n = line.nodes.len();
        // A ring is begun behind a gap, so that no run goes over its end.
        let start = if line.is_closed { gap } else { 0 };
        let mut run: Vec<usize> = Vec::new();
        for step in 0..line.springs.len() {
            let j = (start + step) % line.springs.len();
            let ends = [line.nodes[j], line.nodes[(j + 1) % n]];
            match stays[j] {
                Stay::Always if run.is_empty() => run.extend(ends),
                Stay::Always => run.push(ends[1]),
                stay => {
                    self.end_run(&mut run);
                    if stay == Stay::Sometimes {
                        let visitor = self.visitor(&line.springs[j..=j]);
                        self.add_strand(&ends, false, Some(visitor));
                    }
                }
            }
        }
        self.end_run(&mut run);
    }

    fn end_run(&mut self, run: &mut Vec<usize>) {
        if !run.is_empty() {
            self.add_strand(run, false, None);
            run.clear();
        }
    }

    fn add_faces(&mut self, faces: &[Face], presence: &Presence) {
        // Vertices come in the order of nodes.
        let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
        for node in faces.iter().flat_map(Face::nodes) {
            numbers.insert(*node, 0);
        }
        for (index, (node, number)) in numbers.iter_mut().enumerate() {
            *number = index as u32;
            self.vertices.push(Vertex { node: *node, visit: None });
        }
        for face in faces {
            match presence.stay(face.springs()) {
                Stay::Always => {
                    let corner = |node: &usize| numbers.get(node).copied().unwrap_or_default();
                    self.faces.push(face.nodes().iter().map(corner).collect());
                }
                Stay::Sometimes => {
                    let visit = Some((self.visitor(face.springs()), face.nodes()[0]));
                    let first = self.vertices.len() as u32;
                    let own = face.nodes().iter().map(|&node| Vertex { node, visit });
                    self.vertices.extend(own);
                    self.faces.push((first..first + face.nodes().len() as u32).collect());
                }
                Stay::Never => {}
            }
        }
    }

    /// Which visitors are there at a frame.
    pub(super) fn attendance(&self, presence: &Presence, frame: usize) -> Vec<bool> {
        self.visitors.iter().map(|springs| presence.are_there(springs, frame)).collect()
    }

    /// Whether a strand is there.
    pub(super) fn has_strand(&self, strand: &Strand, attendance: &[bool]) -> bool {
        strand.visitor.is_none_or(|visitor| attendance[visitor])
    }

    /// Where each vertex is, by the nodes of the body.
    pub(super) fn places(&self, nodes: &[Vec3], attendance: &[bool], places: &mut Vec<Vec3>) {
        let place = |vertex: &Vertex| match vertex.visit {
            Some((visitor, fold)) if !attendance[visitor] => nodes[fold],
            _ => nodes[vertex.node],
        };
        places.clear();
        places.extend(self.vertices.iter().map(place));
    }
}
