//! A cloth of triangles: a spring along each edge, and a bending spring across each edge that two
//! triangles share. The bending spring joins the opposite corners.

use super::{MAX_NODES, Topology, pinned};
use crate::body::groups::Groups;
use crate::body::vector::{Vec3, cross, dot, norm, sub};
use crate::body::{Arrangement, Form, Model, Part, Spring, State};
use crate::named::BadSetup;

/// Mass of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshMatter {
    /// Mass of each node, above zero.
    Node(f64),
    /// Mass per area, above zero. Each corner gets a third of its triangle's mass.
    Area(f64),
}

/// A mesh at rest in space, every spring as long as its rest length.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Position of each node.
    pub positions: Vec<Vec3>,
    /// Three nodes per triangle, counterclockwise as seen from the front.
    pub facets: Vec<[usize; 3]>,
    /// Mass of the mesh.
    pub matter: MeshMatter,
    /// Stiffness of each edge, above zero.
    pub stiffness: f64,
    /// Stiffness of bending springs; 0 for none.
    pub bending: f64,
    /// Pinned nodes.
    pub pins: Vec<usize>,
}

/// Whether the triangle has a significant area relative to its longest side.
pub fn has_area(corners: [Vec3; 3]) -> bool {
    let [a, b, c] = corners;
    let longest = [sub(b, a), sub(c, b), sub(a, c)].map(|d| dot(d, d));
    let longest = longest.into_iter().fold(0.0, f64::max);
    double_area(corners) > 1e-9 * longest && longest.is_normal()
}

/// Twice the area of a triangle.
fn double_area([a, b, c]: [Vec3; 3]) -> f64 {
    norm(cross(sub(b, a), sub(c, a)))
}

/// A side of a triangle: its two nodes with the lower index first, the opposite corner, and the
/// triangle.
type Side = ([usize; 2], usize, usize);

impl Mesh {
    /// Returns all sides of all triangles; sides of one edge are adjacent.
    fn sides(&self) -> Vec<Side> {
        let mut sides = Vec::with_capacity(3 * self.facets.len());
        for (index, [a, b, c]) in self.facets.iter().copied().enumerate() {
            for (a, b, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
                sides.push(([a.min(b), a.max(b)], opposite, index));
            }
        }
        sides.sort_unstable();
        sides
    }

    /// Number of closed loops of open edges, which belong to one triangle only. 0 for a closed
    /// mesh, 1 for a sheet, one more per hole.
    pub fn rims(&self) -> usize {
        let sides = self.sides();
        let mut rims = Groups::new(self.positions.len());
        let mut is_open = vec![false; self.positions.len()];
        for group in sides.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() == 1) {
            let [a, b] = group[0].0;
            rims.join(a, b);
            (is_open[a], is_open[b]) = (true, true);
        }
        (0..is_open.len()).filter(|&i| is_open[i] && rims.of(i) == i).count()
    }

    /// Refuses degenerate triangles, nodes outside all triangles, and nodes at one position.
    fn check(&self) -> Result<(), BadSetup> {
        let n = self.positions.len();
        let message = format!("expected from 3 to {MAX_NODES} nodes, found {n}");
        BadSetup::unless((3..=MAX_NODES).contains(&n), "positions", message)?;
        BadSetup::unless(!self.facets.is_empty(), "facets", "expected at least one triangle")?;
        if let Some(index) = self.positions.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            let message = format!("the position of node {index} is not a finite number");
            return Err(BadSetup::new(format!("positions[{index}]"), message));
        }
        let mut is_used = vec![false; n];
        for (index, facet) in self.facets.iter().enumerate() {
            let field = || format!("facets[{index}]");
            if let Some(node) = facet.iter().find(|node| **node >= n) {
                let message =
                    format!("there is no node {node}: nodes are numbered from 0 to {}", n - 1);
                return Err(BadSetup::new(field(), message));
            }
            facet.iter().for_each(|node| is_used[*node] = true);
            let message = format!("the triangle of nodes {facet:?} has no area");
            BadSetup::unless(has_area(facet.map(|i| self.positions[i])), field(), message)?;
        }
        if let Some(node) = is_used.iter().position(|is_used| !is_used) {
            let message = format!("node {node} belongs to no triangle");
            return Err(BadSetup::new(format!("positions[{node}]"), message));
        }
        let mut places: Vec<(Vec3, usize)> = self.positions.iter().copied().zip(0..).collect();
        places.sort_unstable_by(|a, b| {
            let by = |axis: usize| a.0[axis].total_cmp(&b.0[axis]);
            by(0).then(by(1)).then(by(2)).then(a.1.cmp(&b.1))
        });
        match places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            None => Ok(()),
            Some(pair) => {
                let message = format!(
                    "nodes {} and {} have the same position, so the mesh would come apart: merge them",
                    pair[0].1, pair[1].1
                );
                Err(BadSetup::new(format!("positions[{}]", pair[1].1), message))
            }
        }
    }

    /// Returns the mass of each node.
    fn mass(&self) -> Vec<f64> {
        match self.matter {
            MeshMatter::Node(mass) => vec![mass; self.positions.len()],
            MeshMatter::Area(density) => {
                let mut mass = vec![0.0; self.positions.len()];
                for facet in &self.facets {
                    let area = double_area(facet.map(|i| self.positions[i]));
                    let share = density * area / 6.0;
                    facet.iter().for_each(|node| mass[*node] += share);
                }
                mass
            }
        }
    }
}

impl Topology for Mesh {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        self.check()?;
        let n = self.positions.len();
        let sides = self.sides();
        let (mut edges, mut bends) = (Vec::new(), Vec::new());
        for group in sides.chunk_by(|a, b| a.0 == b.0) {
            let ([a, b], ..) = group[0];
            if let [_, _, third, ..] = group {
                let message = format!(
                    "the edge from node {a} to node {b} belongs to more than two triangles"
                );
                return Err(BadSetup::new(format!("facets[{}]", third.2), message));
            }
            edges.push([a, b]);
            if let [one, other] = group {
                bends.push([one.1.min(other.1), one.1.max(other.1)]);
            }
        }
        // At a closed corner of three triangles, the opposite corners already share an edge.
        bends.retain(|bend| bend[0] != bend[1] && edges.binary_search(bend).is_err());
        let axis = |axis: usize| self.positions.iter().map(move |position| position[axis]);
        let x: Vec<f64> = (0..3).flat_map(axis).collect();
        let structural = edges.len();
        let form = Form::Mesh { facets: self.facets.clone() };
        let (nodes, springs) = ((0..n).collect(), (0..structural).collect());
        let mut model = Model {
            axes: 3,
            mass: self.mass(),
            pinned: pinned(&self.pins, n)?,
            springs: Vec::with_capacity(structural + bends.len()),
            structural,
            held: structural,
            arrangement: Arrangement::Parts,
            parts: vec![Part { name: String::new(), form, nodes, springs }],
        };
        let bends = bends.iter().filter(|_| self.bending > 0.0).map(|bend| (bend, self.bending));
        for ([a, b], stiffness) in edges.iter().map(|edge| (edge, self.stiffness)).chain(bends) {
            let spring = Spring { a: *a, b: *b, stiffness, rest_length: 0.0 };
            let rest_length = model.span(&x, &spring).1;
            model.springs.push(Spring { rest_length, ..spring });
        }
        Ok((model, State::at_rest(x)))
    }
}
