//! Shortest paths along the structural springs of a body.

use super::Model;
use std::{cmp::Ordering, collections::BinaryHeap};

/// A path to a node. The shortest is the greatest, so that a heap gives it first; of paths equally
/// long, that from the first source, and then that to the first node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// The sum of the lengths of its springs.
    pub length: f64,
    /// The node that it begins at.
    pub source: usize,
    /// The node that it leads to.
    pub node: usize,
    /// The node before the last, and the spring from there; `None` at the source itself.
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

/// The structural springs at each node, each with the node at its other end.
#[derive(Clone, Debug)]
pub struct Neighbours {
    of: Vec<Vec<(usize, usize)>>,
}

impl Neighbours {
    /// Those of a model, without the springs that are cut.
    pub fn new(model: &Model, is_cut: impl Fn(usize) -> bool) -> Self {
        let mut of = vec![Vec::new(); model.nodes()];
        for (j, spring) in model.structural().iter().enumerate().filter(|&(j, _)| !is_cut(j)) {
            of[spring.a].push((spring.b, j));
            of[spring.b].push((spring.a, j));
        }
        Self { of }
    }

    /// The shortest path to each node from the nearest of these sources, from short to long; none
    /// to nodes that no springs connect with a source. `lengths` has one entry a structural spring,
    /// each at least 0. This is Dijkstra's algorithm from all sources at once.
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
