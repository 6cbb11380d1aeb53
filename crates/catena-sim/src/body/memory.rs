//! Memory of springs and forces: plastic strain, breaks, turns of rods, and records of routes. The
//! memory changes only between steps. `Body` joins it with the model for forces.

use super::Model;
use serde::{Deserialize, Serialize};

/// Plastic strain and breaks of the springs of a model, in the model's order, and values that
/// forces remember. A list is empty if nothing in the body needs it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpringMemory {
    /// Plastic strain of each spring.
    pub plastic: Vec<f64>,
    /// Whether each spring has broken.
    pub broken: Vec<bool>,
    /// Values that forces remember between steps: turns of rods, which positions alone do not
    /// determine, and records of routes. Empty if no force has a memory.
    pub rods: Vec<f64>,
}

impl SpringMemory {
    /// Plastic strain of a spring; 0 if the list is empty.
    pub fn plastic(&self, spring: usize) -> f64 {
        self.plastic.get(spring).copied().unwrap_or(0.0)
    }

    /// Whether a spring has broken.
    pub fn is_broken(&self, spring: usize) -> bool {
        self.broken.get(spring).copied().unwrap_or(false)
    }

    /// Whether no spring has broken.
    pub fn is_whole(&self) -> bool {
        !self.broken.contains(&true)
    }
}

/// A model together with the memory of its springs.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    /// Masses, springs and pins.
    pub model: &'a Model,
    /// Plastic strain and broken springs so far; constant during a step.
    pub springs: &'a SpringMemory,
}
