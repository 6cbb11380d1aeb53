//! Rigid bodies represented by a few nodes: a centre, a core, and the points where joins attach.
//!
//! The nodes have the mass, the centre of mass and the inertia tensor of the solid. Let S be the
//! second moment ∫ r rᵀ dm of the solid. The core nodes are at c + L t. c moves the centre of mass
//! of points and core to the centre of the solid. L Lᵀ is the part of S that the points do not
//! account for, per mass of the core, and the mean of t tᵀ is the identity. A run keeps the nodes
//! in their rigid arrangement; see [`crate::body::rigid`].

use super::{Topology, check_axes};
use crate::body::vector::{Vec3, add, along, cross, dot, scaled, sub};
use crate::body::{Arrangement, Form, Model, Part, SolidForm, SolidKind, Spring, State};
use crate::named::BadSetup;
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// Share of the mass in the centre.
const CENTRE: f64 = 0.25;
/// Maximum share of the mass in each point.
const POINT: f64 = 0.02;
/// Maximum share of the mass in all points together.
const POINTS: f64 = 0.1;

/// A solid with a mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Kind of the solid.
    pub kind: SolidKind,
    /// Radius of a ball; radius and distance of the end centres of a capsule, which lies along x;
    /// sides of a box.
    pub sizes: [f64; 3],
    /// Mass, above zero.
    pub mass: f64,
    /// Position of the centre, one number per axis.
    pub at: Vec<f64>,
    /// Unit vectors of the solid's axes, in scene coordinates.
    pub axes: [Vec3; 3],
    /// Points that joins can name, in the coordinates of the solid.
    pub points: Vec<Vec3>,
    /// Initial velocity of the centre.
    pub velocity: Vec3,
    /// Initial angular velocity, in radians per unit of time.
    pub spin: Vec3,
    /// Stiffness of the springs between the solid's nodes, above zero.
    pub stiffness: f64,
    /// Pinned nodes: 0 for the centre, k for the k-th point.
    pub pins: Vec<usize>,
}

impl Solid {
    /// Second moments ∫ x² dm along each axis of the solid, divided by its mass.
    fn moments(&self, axes: usize) -> Vec3 {
        let [a, b, c] = self.sizes;
        match (self.kind, axes) {
            (SolidKind::Ball, 2) => [0.25 * a * a, 0.25 * a * a, 0.0],
            (SolidKind::Ball, _) => [0.2 * a * a; 3],
            (SolidKind::Box, _) => [a, b, c].map(|side| side * side / 12.0),
            (SolidKind::Capsule, 2) => {
                let (r, h) = (a, 0.5 * b);
                let (straight, round) = (4.0 * h * r, PI * r * r);
                let [straight, round] = [straight, round].map(|area| area / (straight + round));
                let along = h * h + 8.0 * h * r / (3.0 * PI) + 0.25 * r * r;
                let across = straight * r * r / 3.0 + round * 0.25 * r * r;
                [straight * h * h / 3.0 + round * along, across, 0.0]
            }
            (SolidKind::Capsule, _) => {
                let (r, h) = (a, 0.5 * b);
                let (straight, round) = (2.0 * h, 4.0 * r / 3.0);
                let [straight, round] = [straight, round].map(|size| size / (straight + round));
                let along = h * h + 0.75 * h * r + 0.2 * r * r;
                let across = straight * 0.25 * r * r + round * 0.2 * r * r;
                [straight * h * h / 3.0 + round * along, across, across]
            }
        }
    }

    /// Returns the positions of the nodes in the coordinates of the solid, and their masses. `None`
    /// if the points are so far out that no core has the remaining inertia.
    fn nodes(&self, axes: usize) -> Option<(Vec<Vec3>, Vec<f64>)> {
        let count = self.points.len() as f64;
        let point = self.mass * POINT.min(POINTS / count.max(1.0));
        let core = self.mass * (1.0 - CENTRE) - point * count;
        let sum = self.points.iter().copied().fold([0.0; 3], add);
        let middle = scaled(sum, -point / core);
        let moments = self.moments(axes);
        let left = |row: usize, column: usize| {
            let own = if row == column { self.mass * moments[row] } else { 0.0 };
            let of_points = self.points.iter().map(|at| point * at[row] * at[column]).sum::<f64>();
            (own - of_points - core * middle[row] * middle[column]) / core
        };
        let root = cholesky(left, axes)?;
        let directions: &[Vec3] = match axes {
            2 => &[[SQRT_2, 0.0, 0.0], [-HALF, AWAY, 0.0], [-HALF, -AWAY, 0.0]],
            _ => &[[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]],
        };
        let corner = |t: &Vec3| add(middle, [0, 1, 2].map(|row: usize| dot(root[row], *t)));
        let mut places = vec![[0.0; 3]];
        places.extend(&self.points);
        places.extend(directions.iter().map(corner));
        let mut masses = vec![self.mass * CENTRE];
        masses.extend(self.points.iter().map(|_| point));
        masses.extend(directions.iter().map(|_| core / directions.len() as f64));
        Some((places, masses))
    }
}

/// Magnitude of the first coordinate, √2 cos 60°, of two of the core directions in the plane. All
/// three directions are √2 times unit vectors at 120°.
const HALF: f64 = FRAC_1_SQRT_2;
/// Magnitude of the second coordinate, √2 sin 60°, of the same two directions.
const AWAY: f64 = 1.224_744_871_391_589;

/// Returns the rows of the lower triangular Cholesky factor of a symmetric matrix; `None` if the
/// matrix is not positive definite.
fn cholesky(of: impl Fn(usize, usize) -> f64, axes: usize) -> Option<[Vec3; 3]> {
    let mut root = [[0.0; 3]; 3];
    for row in 0..axes {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| root[row][k] * root[column][k]).sum();
            let left = of(row, column) - known;
            root[row][column] = if row > column {
                left / root[column][column]
            } else if left > 1e-6 * of(row, row) && of(row, row) > 0.0 {
                left.sqrt()
            } else {
                return None;
            };
        }
    }
    Some(root)
}

impl Topology for Solid {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let axes = check_axes(&[("at", &self.at)])?;
        let Some((places, mass)) = self.nodes(axes) else {
            let message = "the points are so far from the solid that no rigid body has this \
                           inertia: move them onto the solid or near it";
            return Err(BadSetup::new("points", message));
        };
        let n = places.len();
        let origin = [0, 1, 2].map(|axis| self.at.get(axis).copied().unwrap_or(0.0));
        let [ex, ey, ez] = self.axes;
        let placed: Vec<Vec3> = places
            .iter()
            .map(|[x, y, z]| along(along(along(origin, *x, ex), *y, ey), *z, ez))
            .collect();
        let x: Vec<f64> =
            (0..axes).flat_map(|axis| placed.iter().map(move |at| at[axis])).collect();
        let rest = places.iter().map(|place| place.map(f64::to_bits)).collect();
        let form = SolidForm { kind: self.kind, sizes: self.sizes.map(f64::to_bits), rest };
        // Points are joined to the centre and to the core, not to each other.
        let is_point = |node: usize| (1..=self.points.len()).contains(&node);
        let is_named = self.pins.iter().all(|pin| *pin <= self.points.len());
        let message = format!("expected nodes up to {}, the last point", self.points.len());
        BadSetup::unless(is_named, "pins", message)?;
        let pairs = (0..n).flat_map(|b| (0..if is_point(b) { 1 } else { b }).map(move |a| (a, b)));
        let mut model = Model {
            axes,
            mass,
            pinned: (0..n).map(|node| self.pins.contains(&node)).collect(),
            arrangement: Arrangement::Parts,
            ..Model::default()
        };
        for (a, b) in pairs {
            let spring = Spring { a, b, stiffness: self.stiffness, rest_length: 0.0 };
            let rest_length = model.span(&x, &spring).1;
            let message = format!(
                "point {} is at the solid's centre of mass, which is already a node: remove it",
                b.saturating_sub(1)
            );
            BadSetup::unless(rest_length * rest_length > 0.0, "points", message)?;
            model.springs.push(Spring { rest_length, ..spring });
        }
        model.structural = model.springs.len();
        model.held = model.structural;
        let (nodes, springs) = ((0..n).collect(), (0..model.structural).collect());
        model.parts = vec![Part { name: String::new(), form: Form::Solid(form), nodes, springs }];
        let speed = |at: &Vec3| add(self.velocity, cross(self.spin, sub(*at, origin)));
        let speeds: Vec<Vec3> = placed.iter().map(speed).collect();
        let v = (0..axes).flat_map(|axis| speeds.iter().map(move |v| v[axis])).collect();
        Ok((model, State { v, ..State::at_rest(x) }))
    }
}
