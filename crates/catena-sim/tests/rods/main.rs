//! Rods: bending and twist beside theory.

mod bodies;
mod derivatives;
