//! A rope: a chain of nodes with a spring between neighbours, and optional bending springs between
//! second neighbours.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{MAX_NODES, Topology, check_axes, pinned};
use crate::body::{Arrangement, Form, Model, Part, Spring, State};
use crate::named::BadSetup;

/// Position of the last node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastNode {
    /// At the end: x_i = start + i (end - start) / (n - 1).
    AtEnd,
    /// One spacing before the end, as in some solutions of the assignment: x_i = start + i (end -
    /// start) / n.
    OneSpacingShort,
}

/// Mass and stiffness of a rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Matter {
    /// Mass per node and stiffness per spring.
    Nodes {
        /// Mass of each node, above zero.
        mass: f64,
        /// Stiffness of each spring, above zero.
        stiffness: f64,
    },
    /// Mass per node, and stiffness by length: a segment of length l has the stiffness E A/l.
    Rod {
        /// Mass of each node, above zero.
        mass: f64,
        /// E A, above zero.
        young_area: f64,
    },
    /// Mass and stiffness by length. A segment of length l has the stiffness E A/l and the mass ρ A
    /// l, half of it at either end.
    Material {
        /// E A, above zero.
        young_area: f64,
        /// ρ A, above zero.
        density_area: f64,
    },
}

/// A straight rope at rest, every spring as long as its rest length.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Position of node 0, one number per axis.
    pub start: Vec<f64>,
    /// Position of the other end, one number per axis.
    pub end: Vec<f64>,
    /// Number of nodes, at least 2.
    pub nodes: usize,
    /// Mass and stiffness of the rope.
    pub matter: Matter,
    /// Stiffness of the bending springs, which span two segments; 0 for none.
    pub bending: f64,
    /// Pinned nodes, each below `nodes`.
    pub pins: Vec<usize>,
    /// Position of the last node.
    pub last_node: LastNode,
}

impl Rope {
    /// Creates a straight rope from start to end. Each node has mass 1 and each spring stiffness
    /// 1000 until [`Rope::of`] changes them. No node is pinned.
    pub fn new(start: impl Into<Vec<f64>>, end: impl Into<Vec<f64>>, nodes: usize) -> Self {
        Self {
            start: start.into(),
            end: end.into(),
            nodes,
            matter: Matter::Nodes { mass: 1.0, stiffness: 1000.0 },
            bending: 0.0,
            pins: Vec::new(),
            last_node: LastNode::AtEnd,
        }
    }

    /// Sets the mass of each node and the stiffness of each spring, both above zero.
    #[must_use]
    pub fn of(self, mass: f64, stiffness: f64) -> Self {
        Self { matter: Matter::Nodes { mass, stiffness }, ..self }
    }

    /// Sets E A and ρ A of the material, both above zero.
    #[must_use]
    pub fn of_material(self, young_area: f64, density_area: f64) -> Self {
        Self { matter: Matter::Material { young_area, density_area }, ..self }
    }

    /// Sets the stiffness of the bending springs, which span two segments; at least 0.
    #[must_use]
    pub fn bending(self, bending: f64) -> Self {
        Self { bending, ..self }
    }

    /// Pins a node.
    #[must_use]
    pub fn pin(mut self, node: usize) -> Self {
        self.pins.push(node);
        self
    }

    /// Number of equal parts between start and end.
    pub fn parts(&self) -> f64 {
        match self.last_node {
            LastNode::AtEnd => (self.nodes - 1) as f64,
            LastNode::OneSpacingShort => self.nodes as f64,
        }
    }

    /// Returns the mass of each node and the stiffness of a spring of this length. A ring has no
    /// ends.
    fn matter(&self, length: f64, is_ring: bool) -> (Vec<f64>, f64) {
        match self.matter {
            Matter::Nodes { mass, stiffness } => (vec![mass; self.nodes], stiffness),
            Matter::Rod { mass, young_area } => (vec![mass; self.nodes], young_area / length),
            Matter::Material { young_area, density_area } => {
                let mut mass = vec![density_area * length; self.nodes];
                if !is_ring {
                    mass[0] *= 0.5;
                    mass[self.nodes - 1] *= 0.5;
                }
                (mass, young_area / length)
            }
        }
    }

    /// Refuses an invalid number of nodes or bending stiffness.
    pub(super) fn check(&self) -> Result<(), BadSetup> {
        let n = self.nodes;
        let message = format!("expected from 2 to {MAX_NODES} nodes, found {n}");
        BadSetup::unless((2..=MAX_NODES).contains(&n), "nodes", message)?;
        let message = format!("expected a finite number of at least 0, found {}", self.bending);
        let is_fine = self.bending >= 0.0 && self.bending.is_finite();
        BadSetup::unless(is_fine, "bending", message)
    }

    /// Returns the model of nodes at these positions, flat by axis, as an open rope or a ring. The
    /// rest length of each spring is its initial length. `length` is the segment length that
    /// determines mass and stiffness.
    pub(super) fn joined(
        &self,
        x: &[f64],
        axes: usize,
        is_ring: bool,
        length: f64,
    ) -> Result<Model, BadSetup> {
        let n = self.nodes;
        let (mass, stiffness) = self.matter(length, is_ring);
        let structural = if is_ring { n } else { n - 1 };
        let form = Form::Rope { closed: true };
        let (nodes, springs) = ((0..n).collect(), (0..structural).collect());
        let ring = Part { name: String::new(), form, nodes, springs };
        let mut model = Model {
            axes,
            mass,
            pinned: pinned(&self.pins, n)?,
            springs: Vec::new(),
            structural,
            held: structural,
            arrangement: if is_ring { Arrangement::Parts } else { Arrangement::Chain },
            parts: if is_ring { vec![ring] } else { Vec::new() },
        };
        let mut add = |apart: usize, stiffness: f64| {
            for b in apart..if is_ring { n + apart } else { n } {
                let spring = Spring { a: b - apart, b: b % n, stiffness, rest_length: 0.0 };
                let rest_length = model.span(x, &spring).1;
                model.springs.push(Spring { rest_length, ..spring });
            }
        };
        add(1, stiffness);
        if self.bending > 0.0 {
            add(2, self.bending);
        }
        Ok(model)
    }
}

impl Topology for Rope {
    /// Sets the rest length of each spring to its initial length.
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let axes = check_axes(&[("start", &self.start), ("end", &self.end)])?;
        self.check()?;
        let n = self.nodes;
        let parts = self.parts();
        let mut x = Vec::with_capacity(self.start.len() * n);
        for (start, end) in self.start.iter().zip(&self.end) {
            x.extend((0..n).map(|i| start + (end - start) * i as f64 / parts));
        }
        let square: f64 = self.start.iter().zip(&self.end).map(|(a, b)| (b - a) * (b - a)).sum();
        let model = self.joined(&x, axes, false, square.sqrt() / parts)?;
        Ok((model, State::at_rest(x)))
    }
}
