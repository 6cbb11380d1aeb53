//! Arithmetic of layers for vectors and rotations, with the derivatives of values and weights.
//!
//! `Mix` is a weighted mean. Rotations are summed in the hemisphere of the bind rotation and
//! normalised. The choice of hemisphere depends neither on the order of layers nor on their
//! weights. `Over` and `Add` apply one after another. `Over` is v + w (p - v) or a slerp. `Add` is
//! v + w (p - ref) or v (ref⁻¹ p)^w.

use super::rotation::MovingRotation;
use glam::{DQuat, DVec3};

/// A vector and its derivative.
pub(super) type MovingVector = (DVec3, DVec3);
/// A weight and its derivative.
pub(super) type MovingWeight = (f64, f64);

/// A weighted mean of vectors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VectorMix {
    sum: MovingVector,
    weight: MovingWeight,
}

impl VectorMix {
    /// Adds a vector with a weight.
    pub(super) fn add(&mut self, (w, w_rate): MovingWeight, (p, p_rate): MovingVector) {
        self.sum.0 += p * w;
        self.sum.1 += p * w_rate + p_rate * w;
        self.weight.0 += w;
        self.weight.1 += w_rate;
    }

    /// Returns the mean. If the weights sum to less than 1, `rest` has the remaining weight.
    pub(super) fn mean(&self, rest: DVec3) -> MovingVector {
        let ((sum, sum_rate), (w, w_rate)) = (self.sum, self.weight);
        if w < 1.0 {
            return (sum + rest * (1.0 - w), sum_rate - rest * w_rate);
        }
        let mean = sum / w;
        (mean, (sum_rate - mean * w_rate) / w)
    }
}

/// A weighted mean of rotations.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotationMix {
    sum: MovingRotation,
    weight: MovingWeight,
    rest: DQuat,
}

impl RotationMix {
    /// Creates an empty mean.
    pub(super) fn new(rest: DQuat) -> Self {
        let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        Self { sum: MovingRotation { turn: zero, rate: zero }, weight: (0.0, 0.0), rest }
    }

    /// Adds a rotation with a weight.
    pub(super) fn add(&mut self, (w, w_rate): MovingWeight, rotation: MovingRotation) {
        let rotation = rotation.toward(self.rest);
        self.sum.turn += rotation.turn * w;
        self.sum.rate = self.sum.rate + rotation.turn * w_rate + rotation.rate * w;
        self.weight.0 += w;
        self.weight.1 += w_rate;
    }

    /// Returns the normalised mean. If the weights sum to less than 1, the bind rotation has the
    /// remaining weight.
    pub(super) fn mean(&self) -> MovingRotation {
        let (w, w_rate) = self.weight;
        let MovingRotation { mut turn, mut rate } = self.sum;
        if w < 1.0 {
            turn += self.rest * (1.0 - w);
            rate -= self.rest * w_rate;
        }
        MovingRotation::of(turn, rate).unwrap_or(MovingRotation::resting(self.rest))
    }
}

/// Interpolates from one vector to another by a weight.
pub(super) fn vector_over(
    (v, v_rate): MovingVector,
    (p, p_rate): MovingVector,
    (w, w_rate): MovingWeight,
) -> MovingVector {
    if w == 1.0 {
        return (p, p_rate + (p - v) * w_rate);
    }
    (v + (p - v) * w, v_rate + (p_rate - v_rate) * w + (p - v) * w_rate)
}

/// Adds the difference of a vector from a reference, times a weight.
pub(super) fn vector_add(
    (v, v_rate): MovingVector,
    (p, p_rate): MovingVector,
    reference: DVec3,
    (w, w_rate): MovingWeight,
) -> MovingVector {
    let difference = p - reference;
    (v + difference * w, v_rate + p_rate * w + difference * w_rate)
}

/// Adds a fraction of the rotation from a reference to another rotation.
pub(super) fn rotation_add(
    base: MovingRotation,
    rotation: MovingRotation,
    reference: DQuat,
    weight: MovingWeight,
) -> MovingRotation {
    let difference = MovingRotation::resting(reference.conjugate()).after(rotation);
    base.after(difference.power(weight))
}
