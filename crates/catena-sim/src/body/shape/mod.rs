//! Builders of models: what is connected to what, and where it starts.

pub mod assembly;
pub mod cloth;
pub mod graph;
pub mod mesh;
pub mod net;
pub mod path;
pub mod profile;
pub mod rope;
mod shaped;
mod weighted;

pub use assembly::Assembly;
pub use cloth::Cloth;
pub use graph::Graph;
pub use mesh::Mesh;
pub use net::Net;
pub use path::RopeShape;
pub use profile::Profile;
pub use rope::Rope;
pub use shaped::{HangingLoads, ShapedRope, StiffnessOf};
pub use weighted::Weighted;

use super::{Model, State};
use crate::named::BadSetup;

/// Something that nodes and springs can be made of.
pub trait Topology {
    /// The model, and its initial state at rest.
    ///
    /// # Errors
    /// When there is no such body: too few nodes, pins that are none of them, ends of different
    /// dimension. Masses, stiffness and lengths are checked with the whole setup.
    fn build(&self) -> Result<(Model, State), BadSetup>;
}

/// More nodes than any machine simulates; a typo that asks for more is told apart from a wish.
const MOST_NODES: usize = 1 << 30;

/// Refuses vectors that are not all of 2 or all of 3 components.
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

/// Which of so many nodes are pinned.
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
