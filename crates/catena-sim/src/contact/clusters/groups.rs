//! Assignment of nodes to clusters.

use super::{NOTHING, sides};
use crate::body::{Form, Model, State};

/// Maximum cluster sizes.
#[derive(Clone, Copy)]
pub(in crate::contact) struct Size {
    /// Nodes per cluster of a rope, or of nodes without an order.
    pub(in crate::contact) run: usize,
    /// Nodes along a side of a sheet's cluster.
    pub(in crate::contact) tile: usize,
}

/// Divides all nodes into groups of neighbours. Ropes give runs, sheets give squares, and other
/// nodes are grouped by position.
pub(in crate::contact) fn groups(model: &Model, state: &State, size: Size) -> Vec<Vec<usize>> {
    let Size { run, tile } = size;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut is_taken = vec![false; model.nodes()];
    let mut rest = Vec::new();
    for part in model.part_list().iter() {
        let node = |index: usize| part.nodes[index];
        match part.form {
            Form::Rope { .. } => groups.extend(part.nodes.chunks(run).map(<[usize]>::to_vec)),
            Form::Sheet { rows, columns } => {
                let corners = (0..rows).step_by(tile);
                let corners = corners.flat_map(|r| (0..columns).step_by(tile).map(move |c| (r, c)));
                groups.extend(corners.map(|(row, column)| {
                    let rows = row..(row + tile).min(rows);
                    let square = rows.flat_map(|row| {
                        let columns_of = column..(column + tile).min(columns);
                        columns_of.map(move |column| row * columns + column)
                    });
                    square.map(node).collect()
                }));
            }
            Form::Mesh { .. } | Form::Graph | Form::Solid(_) => rest.extend_from_slice(&part.nodes),
        }
    }
    // A node that several parts share belongs to one group.
    let mut is_new = |node: &usize| !std::mem::replace(&mut is_taken[*node], true);
    groups.iter_mut().for_each(|group| group.retain(&mut is_new));
    rest.extend(0..model.nodes());
    rest.retain(&mut is_new);
    groups.retain(|group| !group.is_empty());
    let n = model.nodes();
    divide(&mut rest, run, &mut groups, &|node: &usize| state.position(n, *node));
    groups
}

/// Halves a set of nodes along its longest extent until each group has at most `run` nodes.
fn divide(
    rest: &mut [usize],
    run: usize,
    groups: &mut Vec<Vec<usize>>,
    place: &impl Fn(&usize) -> [f64; 3],
) {
    if rest.len() <= run {
        if !rest.is_empty() {
            rest.sort_unstable();
            groups.push(rest.to_vec());
        }
        return;
    }
    let mut all = NOTHING;
    for at in rest.iter().map(place) {
        all.low = [0, 1, 2].map(|k: usize| all.low[k].min(at[k]));
        all.high = [0, 1, 2].map(|k: usize| all.high[k].max(at[k]));
    }
    let long = sides(&all);
    let axis = (1..3).fold(0, |best, axis| if long[axis] > long[best] { axis } else { best });
    let half = rest.len() / 2;
    rest.select_nth_unstable_by(half, |a, b| {
        place(a)[axis].total_cmp(&place(b)[axis]).then(a.cmp(b))
    });
    let (low, high) = rest.split_at_mut(half);
    divide(low, run, groups, place);
    divide(high, run, groups, place);
}
