//! Numbers about a simulation: what it comes to, and what it should come to.

pub mod budget;
pub mod catenary;
pub mod modes;
pub mod order;
pub mod rest;
pub mod settle;
pub mod settling;
pub mod shape;
pub mod stability;
pub mod verify;
