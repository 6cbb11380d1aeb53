//! The parts of a body that are constant during a simulation.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{Form, Part};
use crate::body::part::Arrangement;
use std::borrow::Cow;

/// A connection of two nodes that resists changes of its length from the rest length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// First node, nearer to the start of the rope.
    pub a: usize,
    /// Second node.
    pub b: usize,
    /// Force per length of stretch, above zero.
    pub stiffness: f64,
    /// Length at which the spring exerts no force, above zero.
    pub rest_length: f64,
}
crate::identity!(Spring { a, b, stiffness, rest_length });

/// Masses, springs and pins of one body. The default has no node, and every simulation refuses it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Number of axes: 2 or 3.
    pub axes: usize,
    /// Mass of each node, above zero.
    pub mass: Vec<f64>,
    /// Whether each node is pinned, one entry per node.
    pub pinned: Vec<bool>,
    /// All springs, in the order in which forces are summed: structural, shear, bending.
    pub springs: Vec<Spring>,
    /// Number of structural springs, which come first: the segments of a rope, or the threads of a
    /// cloth.
    pub structural: usize,
    /// Number of structural and shear springs, which methods that hold lengths treat as
    /// constraints.
    pub held: usize,
    /// Arrangement of the nodes.
    pub arrangement: Arrangement,
    /// Parts of a body with [`Arrangement::Parts`]; empty for a chain and for a sheet. See
    /// [`Model::part_list`].
    pub parts: Vec<Part>,
}
crate::identity!(Model { axes, mass, pinned, springs, structural, held, arrangement, parts });

crate::identity!(enum Arrangement { Chain, Sheet { rows, columns }, Parts });

impl Model {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.mass.len()
    }

    /// Structural springs: the segments of a rope, or the threads of a cloth.
    pub fn structural(&self) -> &[Spring] {
        &self.springs[..self.structural]
    }

    /// Structural and shear springs, which SHAKE, PBD, XPBD and constraint Verlet treat as
    /// constraints.
    pub fn held(&self) -> &[Spring] {
        &self.springs[..self.held]
    }

    /// Minimum rest length of the structural springs; infinite if there are none.
    pub fn shortest_segment(&self) -> f64 {
        let lengths = self.structural().iter().map(|spring| spring.rest_length);
        lengths.fold(f64::INFINITY, f64::min)
    }

    /// Minimum rest length of all springs; infinite if there are none.
    pub fn shortest_spring(&self) -> f64 {
        let lengths = self.springs.iter().map(|spring| spring.rest_length);
        lengths.fold(f64::INFINITY, f64::min)
    }

    /// Indices of the structural springs between two nodes, in order; usually one or none.
    pub fn structural_between(&self, a: usize, b: usize) -> Vec<usize> {
        let (low, high) = (a.min(b), a.max(b));
        let range = match self.arrangement {
            Arrangement::Chain => low.min(self.structural)..(low + 1).min(self.structural),
            _ => 0..self.structural,
        };
        let joins = |j: &usize| {
            let Spring { a, b, .. } = self.springs[*j];
            (a.min(b), a.max(b)) == (low, high)
        };
        range.filter(joins).collect()
    }

    /// Length of a rope at rest. For a sheet, the sum of its first row and its first column. For a
    /// body of parts, the length of its longest part.
    pub fn rest_length(&self) -> f64 {
        let length = |springs: &mut dyn Iterator<Item = usize>| -> f64 {
            springs.map(|j| self.springs[j].rest_length).sum()
        };
        let edges = |columns: usize| {
            let is_edge = move |j: &usize| {
                let Spring { a, b, .. } = self.springs[*j];
                b < columns || (a.is_multiple_of(columns) && b.is_multiple_of(columns))
            };
            (0..self.structural).filter(is_edge)
        };
        match self.arrangement {
            Arrangement::Chain => length(&mut (0..self.structural)),
            Arrangement::Sheet { columns, .. } => length(&mut edges(columns)),
            Arrangement::Parts => {
                let lengths = self.parts.iter().map(|part| match part.form {
                    Form::Sheet { rows, columns } => {
                        let along = &part.springs[..columns - 1];
                        let down = part.springs[rows * (columns - 1)..].iter().step_by(columns);
                        length(&mut along.iter().chain(down).copied())
                    }
                    _ => length(&mut part.springs.iter().copied()),
                });
                lengths.fold(0.0, f64::max)
            }
        }
    }

    /// Shares of a correction for nodes a and b. They are proportional to the inverse masses, so
    /// that momentum is conserved. If one node is pinned, the other takes the whole correction.
    /// `None` if both are pinned.
    pub fn shares(&self, a: usize, b: usize) -> Option<(f64, f64)> {
        let (mass_a, mass_b) = (self.mass[a], self.mass[b]);
        match (self.pinned[a], self.pinned[b]) {
            (true, true) => None,
            (true, false) => Some((0.0, 1.0)),
            (false, true) => Some((1.0, 0.0)),
            (false, false) if mass_a == mass_b => Some((0.5, 0.5)),
            (false, false) => {
                let sum = mass_a + mass_b;
                Some((mass_b / sum, mass_a / sum))
            }
        }
    }

    /// Indices of the coordinates of these nodes in a flat vector, axis by axis.
    pub fn indices<'a>(&self, nodes: &'a [usize]) -> impl Iterator<Item = usize> + use<'a> {
        let n = self.nodes();
        (0..self.axes).flat_map(move |axis| nodes.iter().map(move |node| axis * n + node))
    }

    /// Returns the vector from a spring's first node to its second, with z = 0 in the plane, and
    /// its length.
    ///
    /// `x` is flat by axis, as in [`State`](super::State).
    pub fn span(&self, x: &[f64], spring: &Spring) -> ([f64; 3], f64) {
        let n = self.nodes();
        let mut d = [0.0; 3];
        let mut square = 0.0;
        for (axis, component) in d.iter_mut().enumerate().take(self.axes) {
            *component = x[axis * n + spring.b] - x[axis * n + spring.a];
            square += *component * *component;
        }
        (d, square.sqrt())
    }
}

impl Model {
    /// Parts of the body. A chain and a sheet are one part each, without a name.
    pub fn part_list(&self) -> Cow<'_, [Part]> {
        let form = match self.arrangement {
            Arrangement::Parts => return Cow::Borrowed(&self.parts),
            Arrangement::Chain => Form::Rope { closed: false },
            Arrangement::Sheet { rows, columns } => Form::Sheet { rows, columns },
        };
        let (nodes, springs) = ((0..self.nodes()).collect(), (0..self.structural).collect());
        Cow::Owned(vec![Part { name: String::new(), form, nodes, springs }])
    }
}
