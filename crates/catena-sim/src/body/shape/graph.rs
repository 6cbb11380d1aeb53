//! Individual nodes and springs, for bodies that no other shape describes.

use super::{MAX_NODES, Topology, check_axes, pinned};
use crate::body::{Arrangement, Form, Model, Part, Spring, State};
use crate::named::BadSetup;

/// A spring of a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Index of the node at one end.
    pub a: usize,
    /// Index of the node at the other end.
    pub b: usize,
    /// Stiffness, above zero.
    pub stiffness: f64,
    /// Rest length, above zero; `None` for the initial length.
    pub length: Option<f64>,
}

/// Nodes at any positions, joined by any springs.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// Position of each node, one number per axis.
    pub positions: Vec<Vec<f64>>,
    /// The springs, in the order in which their forces are summed.
    pub links: Vec<Link>,
    /// Mass of each node, above zero.
    pub mass: f64,
    /// Pinned nodes.
    pub pins: Vec<usize>,
}

impl Topology for Graph {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let n = self.positions.len();
        let message = format!("expected from 1 to {MAX_NODES} nodes, found {n}");
        BadSetup::unless((1..=MAX_NODES).contains(&n), "nodes", message)?;
        let all: Vec<(&str, &[f64])> = self.positions.iter().map(|p| ("nodes", &**p)).collect();
        let axes = check_axes(&all)?;
        let axis = |axis: usize| self.positions.iter().map(move |position| position[axis]);
        let x: Vec<f64> = (0..axes).flat_map(axis).collect();
        let structural = self.links.len();
        let (nodes, springs) = ((0..n).collect(), (0..structural).collect());
        let mut model = Model {
            axes,
            mass: vec![self.mass; n],
            pinned: pinned(&self.pins, n)?,
            springs: Vec::with_capacity(structural),
            structural,
            held: structural,
            arrangement: Arrangement::Parts,
            parts: vec![Part { name: String::new(), form: Form::Graph, nodes, springs }],
        };
        for (index, Link { a, b, stiffness, length }) in self.links.iter().copied().enumerate() {
            let field = format!("springs[{index}]");
            let message = format!("there is no spring from node {a} to node {b} of {n} nodes");
            BadSetup::unless(a < n && b < n && a != b, &*field, message)?;
            let spring = Spring { a, b, stiffness, rest_length: 0.0 };
            let rest_length = length.unwrap_or_else(|| model.span(&x, &spring).1);
            let message =
                format!("nodes {a} and {b} have the same position, so the spring has no length");
            BadSetup::unless(rest_length * rest_length > 0.0, field, message)?;
            model.springs.push(Spring { rest_length, ..spring });
        }
        Ok((model, State::at_rest(x)))
    }
}
