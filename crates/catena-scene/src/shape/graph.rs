//! Graphs of a scene.

use super::adjacency;
use super::{ReadShape, SpringKind, nodes, weights};
use crate::diagnostic::Fault;
use crate::entries::GraphSpring;
use crate::error::SceneError;
use crate::schema::GraphSettings;
use crate::stack::{Stack, refuse};
use catena_sim::Form;
use catena_sim::body::shape::Weighted;
use catena_sim::body::shape::graph::{Graph, Link};

// Defaults of graphs are not in `defaults.ron`, because there they would make every body a graph.

/// Default mass of each node of a graph.
const MASS: f64 = 1.0;
/// Default stiffness of each spring of a graph.
const STIFFNESS: f64 = 100.0;

/// Reads a graph.
pub(super) fn read(
    stack: &Stack<'_>,
    graph: &GraphSettings,
    axes: usize,
) -> Result<ReadShape, SceneError> {
    let positions = graph.nodes.as_ref().map_or(&[][..], |nodes| &nodes.0);
    if positions.is_empty() {
        let fault = Fault::new("the graph has no nodes").help("write `nodes: [(0, 0), (1, 0)]`");
        return Err(refuse(stack, "graph.nodes", fault));
    }
    let count = positions.len();
    let stiffness = graph.stiffness.map_or(STIFFNESS, |stiffness| stiffness.0);
    let mut links = adjacency::links(stack, graph, count, stiffness)?;
    for (index, spring) in graph.springs.iter().flat_map(|list| list.0.iter().enumerate()) {
        let GraphSpring { ends, stiffness: own, length } = spring;
        let path = format!("graph.springs[{index}]");
        let ends = nodes(stack, &path, ends, &Form::Graph, count)?;
        let (a, b) = (ends[0], ends[1]);
        if a == b {
            let fault = Fault::new(format!("the spring joins node {a} to itself"));
            return Err(refuse(stack, &path, fault));
        }
        links.push(Link { a, b, stiffness: own.unwrap_or(stiffness), length: *length });
    }
    let pins = graph.pins.as_ref().map_or(&[][..], |pins| &pins.0);
    let built = Graph {
        positions: positions.iter().map(|position| position.on(axes)).collect(),
        links,
        mass: graph.mass.map_or(MASS, |mass| mass.0),
        pins: nodes(stack, "graph.pins", pins, &Form::Graph, count)?,
    };
    let weights = weights(stack, "graph.weights", graph.weights.as_ref(), &Form::Graph, count)?;
    let law = graph.law.as_ref();
    let springs = SpringKind::read(stack, "graph", law, graph.damping, graph.breaks_at)?;
    Ok((Box::new(Weighted { topology: Box::new(built), weights }), springs))
}
