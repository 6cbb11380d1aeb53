//! Adjacency matrices of graphs.

use crate::diagnostic::Fault;
use crate::entries::Adjacency;
use crate::error::SceneError;
use crate::schema::GraphSettings;
use crate::stack::{Stack, refuse};
use catena_sim::body::shape::graph::Link;

/// Returns row, column and value of each entry.
fn entries(matrix: &Adjacency) -> impl Iterator<Item = (usize, usize, f64)> {
    let rows = matrix.0.iter().enumerate();
    rows.flat_map(|(i, row)| row.0.iter().enumerate().map(move |(j, entry)| (i, j, entry.0)))
}

/// Returns the number of springs of a matrix: the entries above its diagonal that are not 0.
pub(crate) fn count(matrix: &Adjacency) -> u64 {
    entries(matrix).filter(|&(i, j, entry)| i < j && entry != 0.0).count() as u64
}

/// Reads the springs of the adjacency matrix, row by row above the diagonal. Entries are multiples
/// of `stiffness`.
pub(super) fn links(
    stack: &Stack<'_>,
    graph: &GraphSettings,
    nodes: usize,
    stiffness: f64,
) -> Result<Vec<Link>, SceneError> {
    let Some(matrix) = &graph.adjacency else {
        if graph.lengths.is_none() {
            return Ok(Vec::new());
        }
        let fault = Fault::new("`lengths` needs `adjacency`, which is not set");
        let help = "set `adjacency` as well, or write the lengths in `springs`";
        return Err(refuse(stack, "graph.lengths", fault.help(help)));
    };
    check(stack, "graph.adjacency", matrix, nodes)?;
    if let Some(lengths) = &graph.lengths {
        check(stack, "graph.lengths", lengths, nodes)?;
        let lone = entries(lengths).find(|&(i, j, at)| at != 0.0 && matrix.0[i].0[j].0 == 0.0);
        if let Some((i, j, length)) = lone {
            let message =
                format!("there is no spring for the length {length}: adjacency[{i}][{j}] is 0");
            let fault = Fault::new(message).help("write 0 here, or a stiffness there");
            return Err(refuse(stack, &format!("graph.lengths[{i}][{j}]"), fault));
        }
    }
    let length = |i: usize, j: usize| {
        let all = graph.lengths.as_ref()?;
        Some(all.0[i].0[j].0).filter(|length| *length != 0.0)
    };
    let above = entries(matrix).filter(|&(i, j, entry)| i < j && entry != 0.0);
    let link = |(a, b, entry): (usize, usize, f64)| Link {
        a,
        b,
        stiffness: entry * stiffness,
        length: length(a, b),
    };
    Ok(above.map(link).collect())
}

/// Rejects a matrix that is not square, not symmetric, or has an entry on its diagonal.
fn check(
    stack: &Stack<'_>,
    path: &str,
    matrix: &Adjacency,
    nodes: usize,
) -> Result<(), SceneError> {
    let square = format!("the matrix of {nodes} nodes must have {nodes} rows of {nodes} entries");
    let rows = matrix.0.len();
    if rows != nodes {
        let fault = Fault::new(format!("expected a row for each of {nodes} nodes, found {rows}"));
        return Err(refuse(stack, path, fault.help(square)));
    }
    for (i, row) in matrix.0.iter().enumerate() {
        let found = row.0.len();
        if found != nodes {
            let message = format!("row {i} has {found} entries, expected {nodes}, one per node");
            return Err(refuse(stack, &format!("{path}[{i}]"), Fault::new(message).help(square)));
        }
    }
    for (i, j, entry) in entries(matrix) {
        let refused = |message: String, help: &str| {
            Err(refuse(stack, &format!("{path}[{i}][{j}]"), Fault::new(message).help(help)))
        };
        if i == j && entry != 0.0 {
            let message = format!("entry ({i}, {i}) joins node {i} to itself");
            return refused(message, "the diagonal of the matrix must be 0");
        }
        let other = matrix.0[j].0[i].0;
        // If two entries differ, the later entry is reported.
        if j < i && entry != other {
            let message = format!("entry ({i}, {j}) is {entry}, but entry ({j}, {i}) is {other}");
            return refused(
                message,
                "the matrix must be symmetric: write the same number in both places",
            );
        }
    }
    Ok(())
}
