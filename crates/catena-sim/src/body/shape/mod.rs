//! Builders of models: what is connected to what, and where it starts.

pub mod cloth;
pub mod rope;

use super::{Model, State};

/// Something that nodes and springs can be made of.
pub trait Topology {
    /// The model, and its initial state at rest.
    fn build(&self) -> (Model, State);
}
