//! Merges nodes of different parts at one point.

use super::tolerance;
use crate::body::groups::Groups;
use crate::body::vector::{norm, sub};
use crate::body::{Model, State};
use std::collections::BTreeMap;

/// Joins all nodes of different parts at one point. Node i of a part has the index `first[part] +
/// i` in `groups`.
///
/// One node represents all nodes joined at a point. The work therefore depends on the number of
/// nodes, but not on how many of them share a point.
pub(super) fn join_touching(parts: &[&(Model, State)], first: &[usize], groups: &mut Groups) {
    let shortest = parts.iter().map(|(model, _)| model.shortest_segment());
    let reach = tolerance(shortest.fold(f64::INFINITY, f64::min)).max(f64::MIN_POSITIVE);
    // Cells measure twice the reach, so nodes that touch are in the same cell or in adjacent ones.
    // Beyond the range of i64 cells merge, and adjacent cells stay adjacent.
    let cell =
        |at: [f64; 3]| at.map(|value| (value / (2.0 * reach)).floor().clamp(-1e18, 1e18) as i64);
    let mut cells: BTreeMap<[i64; 3], Vec<(usize, [f64; 3])>> = BTreeMap::new();
    for ((model, state), first) in parts.iter().zip(first) {
        let n = model.nodes();
        // Nodes of one part are not joined to each other, so they are added to the cells together.
        let mut alone = Vec::new();
        for node in 0..n {
            let (number, at) = (first + node, state.position(n, node));
            let home = cell(at);
            let mut is_joined = false;
            let mut stays = |(other, place): &(usize, [f64; 3])| {
                if norm(sub(at, *place)) > reach {
                    return true;
                }
                groups.join(*other, number);
                // If this node joins several others, the first of them represents all.
                !std::mem::replace(&mut is_joined, true)
            };
            for x in (home[0] - 1)..=(home[0] + 1) {
                for y in (home[1] - 1)..=(home[1] + 1) {
                    let near = cells.range_mut([x, y, home[2] - 1]..=[x, y, home[2] + 1]);
                    near.for_each(|(_, nodes)| nodes.retain(&mut stays));
                }
            }
            if !is_joined {
                alone.push((home, (number, at)));
            }
        }
        for (home, node) in alone {
            cells.entry(home).or_default().push(node);
        }
    }
}
