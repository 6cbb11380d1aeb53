//! A net: knots in a lattice, joined along its sides by cords of one or more springs. The cells are
//! empty and do not resist shear or bending.

use super::{MAX_NODES, Topology, check_axes, pinned};
use crate::body::{Arrangement, Form, Model, Part, Spring, State};
use crate::named::BadSetup;

/// Direction of the cords of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meshes {
    /// Along the sides of the net.
    Square,
    /// Diagonal: each mesh is a square with one corner at the bottom.
    Diamond,
}

/// A flat net at rest, every spring as long as its rest length.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// Position of the first corner, one number per axis.
    pub corner: Vec<f64>,
    /// Vector from `corner` to the other end of the first row.
    pub across: Vec<f64>,
    /// Vector from `corner` to the other end of the first column.
    pub down: Vec<f64>,
    /// Number of meshes from top to bottom, at least 1.
    pub rows: usize,
    /// Number of meshes from left to right, at least 1.
    pub columns: usize,
    /// Direction of the cords.
    pub mesh: Meshes,
    /// Number of springs in each side of a mesh, at least 1.
    pub strands: usize,
    /// Mass of each node, above zero.
    pub mass: f64,
    /// Stiffness of each spring, above zero.
    pub stiffness: f64,
    /// Pinned nodes. Knots have the lowest numbers, row by row; see [`Net::knots`].
    pub pins: Vec<usize>,
}

impl Net {
    /// Positions of the knots, row by row, in units of half a mesh from the top and from the left.
    pub fn knots(&self) -> Vec<(usize, usize)> {
        let all = |down: usize, across: usize| {
            (0..=down).flat_map(move |i| (0..=across).map(move |j| (i, j)))
        };
        match self.mesh {
            Meshes::Square => all(self.rows, self.columns).map(|(i, j)| (2 * i, 2 * j)).collect(),
            Meshes::Diamond => {
                // Corners of the diagonal meshes are at the midpoints of the sides of squares.
                let knots = all(2 * self.rows, 2 * self.columns);
                knots.filter(|(i, j)| (i + j) % 2 == 1).collect()
            }
        }
    }

    /// Number of nodes; `None` if it overflows.
    pub fn nodes(&self) -> Option<usize> {
        let (r, c) = (self.rows, self.columns);
        let (knots, cords) = match self.mesh {
            Meshes::Square => {
                let knots = r.checked_add(1)?.checked_mul(c.checked_add(1)?)?;
                (knots, r.checked_mul(c)?.checked_mul(2)?.checked_add(r)?.checked_add(c)?)
            }
            Meshes::Diamond => {
                let cells = r.checked_mul(c)?;
                (cells.checked_mul(2)?.checked_add(r)?.checked_add(c)?, cells.checked_mul(4)?)
            }
        };
        knots.checked_add(cords.checked_mul(self.strands.checked_sub(1)?)?)
    }

    /// Pairs of knots that cords join, row by row.
    fn cords(&self, knots: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let steps: &[(usize, isize)] = match self.mesh {
            Meshes::Square => &[(0, 2), (2, 0)],
            Meshes::Diamond => &[(1, -1), (1, 1)],
        };
        let find = |i: usize, j: usize| knots.binary_search(&(i, j)).ok();
        let mut cords = Vec::new();
        for (a, &(i, j)) in knots.iter().enumerate() {
            for &(down, across) in steps {
                let other = j.checked_add_signed(across).and_then(|j| find(i + down, j));
                cords.extend(other.map(|b| (a, b)));
            }
        }
        cords
    }
}

impl Topology for Net {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let sides = [("corner", &*self.corner), ("across", &self.across), ("down", &self.down)];
        let axes = check_axes(&sides)?;
        let is_fine = self.rows > 0 && self.columns > 0 && self.strands > 0;
        let message = "a net must have at least one row, one column and one spring per side of a \
                       mesh";
        BadSetup::unless(is_fine, "rows, columns, strands", message)?;
        let message = format!("expected at most {MAX_NODES} nodes");
        let n = self.nodes().filter(|n| *n <= MAX_NODES);
        let n = n.ok_or_else(|| BadSetup::new("rows, columns", message))?;

        let knots = self.knots();
        let mut places: Vec<[f64; 2]> = Vec::with_capacity(n);
        let (down, across) = ((2 * self.rows) as f64, (2 * self.columns) as f64);
        places.extend(knots.iter().map(|&(i, j)| [i as f64 / down, j as f64 / across]));
        let mut springs = Vec::new();
        for (a, b) in self.cords(&knots) {
            let (from, to) = (places[a], places[b]);
            let mut last = a;
            for strand in 1..=self.strands {
                let share = strand as f64 / self.strands as f64;
                let next = if strand == self.strands { b } else { places.len() };
                if next != b {
                    places.push([0, 1].map(|k: usize| from[k] + (to[k] - from[k]) * share));
                }
                springs.push((last, next));
                last = next;
            }
        }
        let mut x = Vec::with_capacity(axes * n);
        for ((corner, across), down) in self.corner.iter().zip(&self.across).zip(&self.down) {
            x.extend(places.iter().map(|[i, j]| corner + across * j + down * i));
        }
        let count = springs.len();
        let mut model = Model {
            axes,
            mass: vec![self.mass; n],
            pinned: pinned(&self.pins, n)?,
            springs: Vec::with_capacity(count),
            structural: count,
            held: count,
            arrangement: Arrangement::Parts,
            parts: vec![Part {
                name: String::new(),
                form: Form::Graph,
                nodes: (0..n).collect(),
                springs: (0..count).collect(),
            }],
        };
        for (a, b) in springs {
            let spring = Spring { a, b, stiffness: self.stiffness, rest_length: 0.0 };
            let rest_length = model.span(&x, &spring).1;
            model.springs.push(Spring { rest_length, ..spring });
        }
        Ok((model, State::at_rest(x)))
    }
}
