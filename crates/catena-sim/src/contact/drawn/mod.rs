//! Continuous contact of the drawn geometry. Segments are capsules and facets are triangles with a
//! thickness, in contact with each other and with colliders.
//!
//! Each step begins with all distances at least the thickness. The end that the method computes is
//! corrected until the straight paths of all nodes keep these distances. The first contacts along
//! the paths are found (`advance`) and become constraints (`solve`), repeatedly. Pieces that are
//! still too close then move as rigid zones (`zones`).

mod advance;
mod balls;
mod begin;
mod boxes;
mod carried;
pub(super) mod closest;
mod direct;
mod guard;
mod meet;
mod memory;
mod near;
mod neighbours;
mod pair;
pub(super) mod pieces;
mod reduced;
mod resolve;
mod rigid;
mod rows;
mod settle;
mod solids;
mod solve;
mod solver;
mod step;
mod sweeps;
mod touch;
mod tree;
mod velocity;
mod zones;

use super::collider::Surface;

pub(crate) use begin::check;
pub(super) use begin::own_overlap;
pub(crate) use solver::DrawnSolver;

/// Maximum overlap of pieces, as a fraction of the body's part of their contact distance.
pub const DEPTH: f64 = 1e-3;

/// Contact of the drawn geometry, per part of the body.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnContact {
    /// One entry per part, in the order of [`Model::part_list`](crate::body::Model::part_list).
    pub parts: Vec<PartContact>,
}
crate::identity!(DrawnContact { parts });

/// Contact properties of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartContact {
    /// Diameter of a rope or thickness of a cloth, above zero. Two parts touch if the distance
    /// between their centre lines or mid-surfaces is half of the sum of their thicknesses.
    pub thickness: f64,
    /// Restitution and friction. Two touching parts have the geometric mean of their friction and
    /// the greater restitution. A contact with a collider has the collider's values.
    pub surface: Surface,
}
crate::identity!(PartContact { thickness, surface });
