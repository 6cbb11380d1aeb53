//! Numbers about a simulation: what it comes to, and what it should come to.

pub mod hanging;
pub mod settle;
pub mod stability;
pub mod verify;
