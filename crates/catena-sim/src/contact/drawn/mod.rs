//! Contact of what is drawn: segments as capsules and facets as triangles with a thickness,
//! against each other and against colliders, continuously.
//!
//! Each step begins with nothing closer than its thickness. The end that the method gives is
//! changed until the straight paths of all nodes keep it so: paths are searched for the first
//! contact (`advance`), contacts become constraints (`solve`), and both are repeated. What is still
//! too close after that moves as rigid zones (`zones`).

mod advance;
mod balls;
mod begin;
mod boxes;
mod carried;
mod closest;
mod guard;
mod meet;
mod memory;
mod near;
mod neighbours;
mod pieces;
mod settle;
mod solve;
mod step;
mod touch;
mod tree;
mod velocity;
mod zones;

use super::collider::Surface;

pub(crate) use begin::check;
pub(crate) use step::DrawnSolver;

/// The part of a distance by which pieces may come closer than it.
pub const DEPTH: f64 = 1e-3;

/// Contact of what is drawn, for each part of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnContact {
    /// One entry a part, in the order of [`Model::part_list`](crate::body::Model::part_list).
    pub parts: Vec<PartContact>,
}

/// How a part touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartContact {
    /// Diameter of a rope, thickness of a cloth, above zero. Two parts touch where their middles
    /// are as far apart as half of both together.
    pub thickness: f64,
    /// Restitution and friction. Two parts that touch have the geometric mean of their friction and
    /// the greater restitution; with a collider that of the collider counts.
    pub surface: Surface,
}
