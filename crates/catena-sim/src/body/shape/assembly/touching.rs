//! Nodes of different parts that lie on one point.

use super::{PartNode, tolerance};
use crate::body::vector::{norm, sub};
use crate::body::{Model, State};
use std::collections::BTreeMap;

/// All pairs of nodes of different parts that lie on one point, in the order of the nodes.
pub(super) fn touching(parts: &[&(Model, State)]) -> Vec<[PartNode; 2]> {
    let spacing = |model: &Model| {
        model.structural().iter().map(|spring| spring.rest_length).fold(f64::INFINITY, f64::min)
    };
    let spacings = parts.iter().map(|(model, _)| spacing(model));
    let reach = tolerance(spacings.fold(f64::INFINITY, f64::min)).max(f64::MIN_POSITIVE);
    // Cells of twice the reach: nodes that touch lie in the same cell or in neighbouring ones.
    // Farther out than i64 counts, cells merge, and neighbours stay neighbours.
    let cell =
        |at: [f64; 3]| at.map(|value| (value / (2.0 * reach)).floor().clamp(-1e18, 1e18) as i64);
    let mut cells: BTreeMap<[i64; 3], Vec<PartNode>> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (part, (model, state)) in parts.iter().enumerate() {
        let n = model.nodes();
        for node in 0..n {
            let at = state.position(n, node);
            let home = cell(at);
            let steps = |axis: usize| (home[axis] - 1)..=(home[axis] + 1);
            for x in steps(0) {
                for y in steps(1) {
                    let near = cells.range([x, y, home[2] - 1]..=[x, y, home[2] + 1]);
                    for &(other, k) in near.flat_map(|(_, nodes)| nodes) {
                        let place = parts[other].1.position(parts[other].0.nodes(), k);
                        if other != part && norm(sub(at, place)) <= reach {
                            pairs.push([(other, k), (part, node)]);
                        }
                    }
                }
            }
            cells.entry(home).or_default().push((part, node));
        }
    }
    pairs
}
