//! Read-only view of a body for forces.

use super::{Model, SpringMemory};

/// A model together with the memory of its springs.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// Masses, springs and pins.
    pub model: &'a Model,
    /// Plastic strain and broken springs so far; constant during a step.
    pub springs: &'a SpringMemory,
}
