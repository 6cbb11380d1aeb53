//! Outlines: vertices, lines and faces whose number stays constant while springs break, for formats
//! with a fixed topology.
//!
//! An element that exists only in some frames has separate vertices. They coincide in one point
//! while the element is absent.

use super::{
    contents::{Face, Item, Line, Shape},
    recording::{Presence, Stay},
};
use catena_sim::vector::Vec3;
use std::collections::BTreeMap;

/// Vertices of an item, and the elements that join them.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) vertices: Vec<OutlineVertex>,
    /// Strands: sequences of vertices of a line.
    pub(super) strands: Vec<OutlineStrand>,
    /// Faces as three or four vertex indices.
    pub(super) faces: Vec<Vec<u32>>,
    /// Springs of each visitor, an element that exists only in some frames.
    visitors: Vec<Vec<usize>>,
}

/// Vertex at a node of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlineVertex {
    pub(super) node: usize,
    /// Visitor that the vertex belongs to, and the node at which the vertex is placed while the
    /// visitor is absent.
    visit: Option<(usize, usize)>,
}

/// Sequence of consecutive vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlineStrand {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) is_closed: bool,
    /// Index of the visitor, if the strand exists only in some frames.
    visitor: Option<usize>,
}

impl Outline {
    /// Creates the outline of an item.
    pub(super) fn of(item: &Item, presence: &Presence) -> Self {
        let mut outline = Self::default();
        match &item.shape {
            Shape::Lines { lines, .. } => {
                lines.iter().for_each(|line| outline.add_line(line, presence));
            }
            Shape::Mesh { faces } => outline.add_faces(faces, presence),
            // A solid has a mesh of its own.
            Shape::Solid(_) => {}
        }
        outline
    }

    fn add_strand(&mut self, nodes: &[usize], is_closed: bool, visitor: Option<usize>) {
        let first = self.vertices.len();
        let visit = visitor.zip(nodes.first().copied());
        self.vertices.extend(nodes.iter().map(|&node| OutlineVertex { node, visit }));
        self.strands.push(OutlineStrand { first, count: nodes.len(), is_closed, visitor });
    }

    /// Adds a visitor with these springs, and returns its index.
    fn add_visitor(&mut self, springs: &[usize]) -> usize {
        self.visitors.push(springs.to_vec());
        self.visitors.len() - 1
    }

    /// Adds the permanent sections of a line as strands, and each spring that exists only in some
    /// frames as a separate strand.
    fn add_line(&mut self, line: &Line, presence: &Presence) {
        let stays: Vec<Stay> =
            line.springs.iter().map(|spring| presence.stay(&[*spring])).collect();
        let Some(gap) = stays.iter().position(|stay| *stay != Stay::Always) else {
            return self.add_strand(&line.nodes, line.is_closed, None);
        };
        let n = line.nodes.len();
        // A ring starts at a gap, so that no strand crosses its end.
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
                        let visitor = self.add_visitor(&line.springs[j..=j]);
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
        // Vertices are in node order.
        let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
        for node in faces.iter().flat_map(Face::nodes) {
            numbers.insert(*node, 0);
        }
        for (index, (node, number)) in numbers.iter_mut().enumerate() {
            *number = index as u32;
            self.vertices.push(OutlineVertex { node: *node, visit: None });
        }
        for face in faces {
            match presence.stay(face.springs()) {
                Stay::Always => {
                    let corner = |node: &usize| numbers.get(node).copied().unwrap_or_default();
                    self.faces.push(face.nodes().iter().map(corner).collect());
                }
                Stay::Sometimes => {
                    let visit = Some((self.add_visitor(face.springs()), face.nodes()[0]));
                    let first = self.vertices.len() as u32;
                    let own = face.nodes().iter().map(|&node| OutlineVertex { node, visit });
                    self.vertices.extend(own);
                    self.faces.push((first..first + face.nodes().len() as u32).collect());
                }
                Stay::Never => {}
            }
        }
    }

    /// Whether each visitor exists at a frame.
    pub(super) fn attendance(&self, presence: &Presence, frame: usize) -> Vec<bool> {
        self.visitors.iter().map(|springs| presence.are_there(springs, frame)).collect()
    }

    /// Whether a strand exists, given the attendance of visitors.
    pub(super) fn has_strand(&self, strand: &OutlineStrand, attendance: &[bool]) -> bool {
        strand.visitor.is_none_or(|visitor| attendance[visitor])
    }

    /// Computes the position of each vertex from the positions of the body's nodes.
    pub(super) fn compute_places(
        &self,
        nodes: &[Vec3],
        attendance: &[bool],
        places: &mut Vec<Vec3>,
    ) {
        let place = |vertex: &OutlineVertex| match vertex.visit {
            Some((visitor, fold)) if !attendance[visitor] => nodes[fold],
            _ => nodes[vertex.node],
        };
        places.clear();
        places.extend(self.vertices.iter().map(place));
    }
}
