//! Shortest paths along the structural springs of a body.

use super::Model;
use std::{cmp::Ordering, collections::BinaryHeap};

/// A path to a node. The order is reversed, so that a max-heap yields the shortest path first.
/// Paths of equal length are ordered by source and then by node, lowest first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Sum of the lengths of the path's springs.
    pub length: f64,
    /// First node of the path.
    pub source: usize,
    /// Last node of the path.
    pub node: usize,
    /// Node before the last, and the spring between them; `None` at the source.
    pub last: Option<(usize, usize)>,
}

impl Eq for Path {}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = other.length.total_cmp(&self.length);
        by_length.then(other.source.cmp(&self.source)).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Structural springs at each node, each with the node at its other end.
#[derive(Clone, Debug)]
pub struct Neighbours {
    of: Vec<Vec<(usize, usize)>>,
}

impl Neighbours {
    /// Collects the neighbours of each node in a model, without the springs that are cut.
    pub fn new(model: &Model, is_cut: impl Fn(usize) -> bool) -> Self {
        let mut of = vec![Vec::new(); model.nodes()];
        for (j, spring) in model.structural().iter().enumerate().filter(|&(j, _)| !is_cut(j)) {
            of[spring.a].push((spring.b, j));
            of[spring.b].push((spring.a, j));
        }
        Self { of }
    }

    /// Returns the shortest path to each node from its nearest source, in order of length. Nodes
    /// without a connection to a source have no path. `lengths` has one entry per structural
    /// spring, each at least 0. This is Dijkstra's algorithm from all sources at once.
    pub fn shortest_paths(&self, lengths: &[f64], sources: &[usize]) -> Vec<Path> {
        let start = |&source: &usize| Path { length: 0.0, source, node: source, last: None };
        let mut open: BinaryHeap<Path> = sources.iter().map(start).collect();
        let (mut found, mut is_found) = (Vec::new(), vec![false; self.of.len()]);
        while let Some(path) = open.pop() {
            if std::mem::replace(&mut is_found[path.node], true) {
                continue;
            }
            found.push(path);
            for &(node, spring) in self.of[path.node].iter().filter(|(node, _)| !is_found[*node]) {
                let length = path.length + lengths[spring];
                open.push(Path { length, node, last: Some((path.node, spring)), ..path });
            }
        }
        found
    }
}
