//! A cloth: a sheet of rows by columns. Structural springs join adjacent nodes of a row or a
//! column, shear springs cross each cell, and bending springs span two segments. Their stiffness is
//! k, k/(2 (1 + ν)) and k/4 with Poisson's ratio ν: in square cells, the first two have the same
//! ratio as Young's modulus and the shear modulus.

use super::{MAX_NODES, Topology, check_axes, pinned};
use crate::body::{Arrangement, Model, Spring, State};
use crate::named::BadSetup;

/// A flat sheet at rest, every spring as long as its rest length.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloth {
    /// Position of node 0, one number per axis.
    pub corner: Vec<f64>,
    /// Vector from `corner` to the last node of the first row.
    pub across: Vec<f64>,
    /// Vector from `corner` to the first node of the last row.
    pub down: Vec<f64>,
    /// Number of rows, at least 2.
    pub rows: usize,
    /// Number of columns, at least 2.
    pub columns: usize,
    /// Mass of each node, above zero.
    pub mass: f64,
    /// Stiffness k of the structural springs, above zero.
    pub stiffness: f64,
    /// Poisson's ratio ν, above -1; 0 gives shear springs of stiffness k/2.
    pub poisson: f64,
    /// Pinned nodes; node (row, column) is row * columns + column.
    pub pins: Vec<usize>,
}

impl Cloth {
    /// Creates a sheet from its first corner and its two sides. Each node has mass 1 and structural
    /// springs have stiffness 1000 until [`Cloth::of`] changes them. No node is pinned.
    pub fn new(
        corner: impl Into<Vec<f64>>,
        across: impl Into<Vec<f64>>,
        down: impl Into<Vec<f64>>,
        (rows, columns): (usize, usize),
    ) -> Self {
        Self {
            corner: corner.into(),
            across: across.into(),
            down: down.into(),
            rows,
            columns,
            mass: 1.0,
            stiffness: 1000.0,
            poisson: 0.0,
            pins: Vec::new(),
        }
    }

    /// Sets the mass of each node and the stiffness of structural springs, both above zero.
    #[must_use]
    pub fn of(self, mass: f64, stiffness: f64) -> Self {
        Self { mass, stiffness, ..self }
    }

    /// Pins a node; node (row, column) is row * columns + column.
    #[must_use]
    pub fn pin(mut self, node: usize) -> Self {
        self.pins.push(node);
        self
    }

    /// Returns all pairs of nodes whose rows and columns differ by these offsets, in the order of
    /// the nodes.
    fn pairs(&self, down: usize, across: isize) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rows * self.columns).filter_map(move |a| {
            let (row, column) = (a / self.columns, a % self.columns);
            let other = column.checked_add_signed(across)?;
            (row + down < self.rows && other < self.columns)
                .then(|| (a, (row + down) * self.columns + other))
        })
    }
}

impl Topology for Cloth {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let sides = [("corner", &*self.corner), ("across", &self.across), ("down", &self.down)];
        let axes = check_axes(&sides)?;
        let (rows, columns) = (self.rows, self.columns);
        let n = rows.checked_mul(columns).filter(|n| *n <= MAX_NODES).unwrap_or(0);
        let message = format!(
            "expected at least 2 by 2 and at most {MAX_NODES} nodes, found {rows} by {columns}"
        );
        BadSetup::unless(n > 0 && rows >= 2 && columns >= 2, "rows, columns", message)?;
        let mut x = Vec::with_capacity(self.corner.len() * n);
        for ((corner, across), down) in self.corner.iter().zip(&self.across).zip(&self.down) {
            x.extend((0..n).map(|i| {
                let row = (i / self.columns) as f64 / (self.rows - 1) as f64;
                let column = (i % self.columns) as f64 / (self.columns - 1) as f64;
                corner + across * column + down * row
            }));
        }
        let pinned = pinned(&self.pins, n)?;
        let mut model = Model {
            axes,
            mass: vec![self.mass; n],
            pinned,
            springs: Vec::new(),
            structural: 0,
            held: 0,
            arrangement: Arrangement::Sheet { rows: self.rows, columns: self.columns },
            parts: Vec::new(),
        };
        let add = |model: &mut Model, down, across, stiffness| {
            for (a, b) in self.pairs(down, across) {
                let spring = Spring { a, b, stiffness, rest_length: 0.0 };
                let rest_length = model.span(&x, &spring).1;
                model.springs.push(Spring { rest_length, ..spring });
            }
        };
        add(&mut model, 0, 1, self.stiffness);
        add(&mut model, 1, 0, self.stiffness);
        model.structural = model.springs.len();
        let shear = self.stiffness / (2.0 * (1.0 + self.poisson));
        add(&mut model, 1, 1, shear);
        add(&mut model, 1, -1, shear);
        model.held = model.springs.len();
        add(&mut model, 0, 2, self.stiffness / 4.0);
        add(&mut model, 2, 0, self.stiffness / 4.0);
        Ok((model, State::at_rest(x)))
    }
}
