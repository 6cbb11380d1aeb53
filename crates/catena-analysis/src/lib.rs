//! Numerical studies of simulations, compared with theory.

pub mod budget;
pub mod catenary;
pub mod lengths;
pub mod modes;
pub mod node_path;
pub mod order;
pub mod settle;
pub mod shape;
pub mod stability;
pub mod topology;
pub mod verify;
