//! What the springs of a body have been through. It changes between steps only.

use serde::{Deserialize, Serialize};

/// Plastic strain and breaks of the springs of a model, in its order. Bodies whose springs remember nothing keep
/// both lists empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpringMemory {
    /// Plastic strain of each spring.
    pub plastic: Vec<f64>,
    /// Whether a spring has broken.
    pub broken: Vec<bool>,
}

impl SpringMemory {
    /// Plastic strain of a spring.
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
