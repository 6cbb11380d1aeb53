//! Memory of springs: plastic strain, breaks, and turns of rods. The memory changes only between
//! steps.

use serde::{Deserialize, Serialize};

/// Plastic strain and breaks of the springs of a model, in the model's order, and turns of its
/// rods. A list is empty if no spring of the body can yield or break, respectively.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpringMemory {
    /// Plastic strain of each spring.
    pub plastic: Vec<f64>,
    /// Whether each spring has broken.
    pub broken: Vec<bool>,
    /// Turns of rods, which positions alone do not determine; empty if no rod twists.
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
