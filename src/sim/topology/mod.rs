//! Builders of models: what is connected to what, and where it starts.

pub mod rope;
