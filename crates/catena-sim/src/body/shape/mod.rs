//! Builders of models: connections and initial positions.

pub mod assembly;
pub mod cloth;
pub mod graph;
pub mod mesh;
pub mod net;
pub mod path;
pub mod profile;
pub mod rope;
mod shaped;
pub mod solid;

pub use assembly::Assembly;
pub use cloth::Cloth;
pub use graph::Graph;
pub use mesh::Mesh;
pub use net::Net;
pub use path::RopeShape;
pub use profile::{Profile, Weighted};
pub use rope::Rope;
pub use shaped::{HangingLoads, ShapedRope, StiffnessOf};
pub use solid::Solid;

use super::{Model, State};
use crate::named::BadSetup;

/// A shape that can be built from nodes and springs.
pub trait Topology {
    /// Builds the model and its initial state at rest.
    ///
    /// # Errors
    /// An invalid body: too few nodes, pins outside the range, ends of different dimension. Masses,
    /// stiffness and lengths are checked with the whole setup.
    fn build(&self) -> Result<(Model, State), BadSetup>;
}

/// Maximum number of nodes. More would exceed any machine, so a larger number is a typing error.
const MAX_NODES: usize = 1 << 30;

/// Refuses vectors unless all have 2 components or all have 3.
fn check_axes(vectors: &[(&str, &[f64])]) -> Result<usize, BadSetup> {
    let axes = vectors.first().map_or(0, |(_, vector)| vector.len());
    for (field, vector) in vectors {
        let found = vector.len();
        let message = format!("expected 2 components, or 3 in all vectors, found {found}");
        BadSetup::unless(matches!(axes, 2 | 3) && found == axes, *field, message)?;
        if let Some(value) = vector.iter().find(|value| !value.is_finite()) {
            let message = format!("expected finite numbers, found {value}");
            return Err(BadSetup::new(*field, message));
        }
    }
    Ok(axes)
}

/// Returns the pin flags of `nodes` nodes.
fn pinned(pins: &[usize], nodes: usize) -> Result<Vec<bool>, BadSetup> {
    let mut pinned = vec![false; nodes];
    for (index, &pin) in pins.iter().enumerate() {
        let last = nodes - 1;
        let message = format!("there is no node {pin}: nodes are numbered from 0 to {last}");
        *pinned.get_mut(pin).ok_or_else(|| BadSetup::new(format!("pins[{index}]"), message))? =
            true;
    }
    Ok(pinned)
}
