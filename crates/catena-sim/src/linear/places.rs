//! Node order with a small bandwidth: nodes that depend on each other get nearby positions.

use crate::body::Model;

/// Positions of nodes, and the maximum distance between the positions of two nodes that depend on
/// each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Places {
    pub(super) of: Vec<usize>,
    pub(super) reach: usize,
}

impl Places {
    /// Returns the order of the model, or the Cuthill-McKee order if that has a smaller reach.
    /// Source: Cuthill and McKee 1969, "Reducing the bandwidth of sparse symmetric matrices".
    pub(super) fn new(model: &Model, pairs: &[(usize, usize)]) -> Self {
        let own = Self::with((0..model.nodes()).collect(), pairs);
        if own.reach <= 2 {
            return own;
        }
        let other = Self::with(cuthill_mckee(model.nodes(), pairs), pairs);
        if other.reach < own.reach { other } else { own }
    }

    fn with(of: Vec<usize>, pairs: &[(usize, usize)]) -> Self {
        let reach = pairs.iter().map(|&(i, j)| of[i].abs_diff(of[j])).max().unwrap_or(0);
        Self { of, reach }
    }
}

/// Returns positions in breadth-first order, starting from a node with the fewest neighbours.
/// Neighbours of a node are visited in ascending order of their number of neighbours.
fn cuthill_mckee(nodes: usize, pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); nodes];
    for &(i, j) in pairs.iter().filter(|(i, j)| i != j) {
        neighbours[i].push(j);
        neighbours[j].push(i);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let mut starts: Vec<usize> = (0..nodes).collect();
    starts.sort_by_key(|&node| (neighbours[node].len(), node));
    let mut place = vec![usize::MAX; nodes];
    let mut order = Vec::with_capacity(nodes);
    for start in starts {
        if place[start] != usize::MAX {
            continue;
        }
        place[start] = order.len();
        order.push(start);
        let mut at = order.len() - 1;
        while at < order.len() {
            let mut next: Vec<usize> = neighbours[order[at]].clone();
            next.retain(|&node| place[node] == usize::MAX);
            next.sort_by_key(|&node| (neighbours[node].len(), node));
            for node in next {
                place[node] = order.len();
                order.push(node);
            }
            at += 1;
        }
    }
    place
}
