//! Rods: bending and twist beside theory.

mod bodies;
mod derivatives;
mod motion;
mod statics;
