//! A shape with masses added at some of its nodes.

use super::{Topology, profile::add_weights};
use crate::body::{Model, State};
use crate::named::BadSetup;

/// A shape and its additional weights.
pub struct Weighted {
    /// Shape without the additional weights.
    pub topology: Box<dyn Topology>,
    /// Nodes and the masses added to them, above zero.
    pub weights: Vec<(usize, f64)>,
}

impl Topology for Weighted {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let (mut model, state) = self.topology.build()?;
        add_weights(&mut model, &self.weights)?;
        Ok((model, state))
    }
}
