//! The parts of a body that change during a simulation.

use serde::{Deserialize, Serialize};

/// Time, positions and velocities of one body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Simulated time.
    pub t: f64,
    /// Positions, flat: all x, then all y, then all z.
    pub x: Vec<f64>,
    /// Velocities, in the same layout as positions.
    pub v: Vec<f64>,
}
crate::identity!(State { t, x, v });

impl State {
    /// Creates a body at rest at these positions, at time 0.
    pub fn at_rest(x: Vec<f64>) -> Self {
        let v = vec![0.0; x.len()];
        Self { t: 0.0, x, v }
    }

    /// Position of node `i` of `n`, with z = 0 in a planar state.
    pub fn position(&self, n: usize, i: usize) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.x.get(axis * n + i).copied().unwrap_or(0.0))
    }

    /// Velocity of node `i` of `n`, with z = 0 in a planar state.
    pub fn velocity(&self, n: usize, i: usize) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.v.get(axis * n + i).copied().unwrap_or(0.0))
    }

    /// Whether every position and velocity is a finite number.
    pub fn is_finite(&self) -> bool {
        self.x.iter().chain(&self.v).all(|value| value.is_finite())
    }
}
