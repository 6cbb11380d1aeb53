//! Rods: bending and twist compared with theory.

#![allow(clippy::unwrap_used)]

mod bodies;
mod derivatives;
mod lanes;
mod motion;
mod statics;
mod systems;
