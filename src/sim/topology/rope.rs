//! A rope: a chain of nodes, each joined to the next by a spring.

use crate::sim::{Model, Spring, State};

/// Where the last node lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastNode {
    /// On the end: x_i = start + i (end - start) / (n - 1).
    AtEnd,
    /// One spacing before the end, as some solutions of the assignment have it:
    /// x_i = start + i (end - start) / n.
    OneSpacingShort,
}

/// A straight rope at rest, every spring as long as its rest length.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Position of node 0, one number an axis.
    pub start: Vec<f64>,
    /// The other end, as many numbers.
    pub end: Vec<f64>,
    /// Number of nodes, at least 2.
    pub nodes: usize,
    /// Mass of each node, above zero.
    pub mass: f64,
    /// Stiffness of each spring, above zero.
    pub stiffness: f64,
    /// Nodes that are held, each below `nodes`.
    pub pins: Vec<usize>,
    /// Where the last node lies.
    pub last_node: LastNode,
}

impl Rope {
    /// Into how many equal parts the way from start to end is cut.
    pub fn parts(&self) -> f64 {
        match self.last_node {
            LastNode::AtEnd => (self.nodes - 1) as f64,
            LastNode::OneSpacingShort => self.nodes as f64,
        }
    }

    /// The model and its initial state. The rest length of a spring is its length at the start.
    pub fn build(&self) -> (Model, State) {
        let n = self.nodes;
        let parts = self.parts();
        let mut x = Vec::with_capacity(self.start.len() * n);
        for (start, end) in self.start.iter().zip(&self.end) {
            x.extend((0..n).map(|i| start + (end - start) * i as f64 / parts));
        }

        let mut pinned = vec![false; n];
        for &pin in &self.pins {
            pinned[pin] = true;
        }
        let mut model =
            Model { axes: self.start.len(), mass: vec![self.mass; n], pinned, springs: Vec::new() };
        model.springs = (1..n)
            .map(|b| {
                let spring = Spring { a: b - 1, b, stiffness: self.stiffness, rest_length: 0.0 };
                Spring { rest_length: model.span(&x, &spring).1, ..spring }
            })
            .collect();
        (model, State::at_rest(x))
    }
}
