//! The arithmetic of layers, for vectors and rotations, with the derivatives of values and weights.
//!
//! `Mix` is a mean. Rotations are summed in the hemisphere of the rest rotation, which no order of
//! layers and no change of weights alters, and normalised. `Over` and `Add` go one after another:
//! v + w (p - v) or a slerp, and v + w (p - ref) or v (ref⁻¹ p)^w.

use super::rotation::MovingRotation;
use glam::{DQuat, DVec3};

/// A vector and its derivative.
pub(super) type MovingVector = (DVec3, DVec3);
/// A weight and its derivative.
pub(super) type MovingWeight = (f64, f64);

/// The weighted mean of vectors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VectorMix {
    sum: MovingVector,
    weight: MovingWeight,
}

impl VectorMix {
    /// Counts one more value.
    pub(super) fn add(&mut self, (w, w_rate): MovingWeight, (p, p_rate): MovingVector) {
        self.sum.0 += p * w;
        self.sum.1 += p * w_rate + p_rate * w;
        self.weight.0 += w;
        self.weight.1 += w_rate;
    }

    /// The mean, with what the weights leave of 1 at rest.
    pub(super) fn mean(&self, rest: DVec3) -> MovingVector {
        let ((sum, sum_rate), (w, w_rate)) = (self.sum, self.weight);
        if w < 1.0 {
            return (sum + rest * (1.0 - w), sum_rate - rest * w_rate);
        }
        let mean = sum / w;
        (mean, (sum_rate - mean * w_rate) / w)
    }
}

/// The weighted mean of rotations.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotationMix {
    sum: MovingRotation,
    weight: MovingWeight,
    rest: DQuat,
}

impl RotationMix {
    /// Nothing counted yet.
    pub(super) fn new(rest: DQuat) -> Self {
        let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        Self { sum: MovingRotation { turn: zero, rate: zero }, weight: (0.0, 0.0), rest }
    }

    /// Counts one more rotation.
    pub(super) fn add(&mut self, (w, w_rate): MovingWeight, rotation: MovingRotation) {
        let rotation = rotation.toward(self.rest);
        self.sum.turn += rotation.turn * w;
        self.sum.rate = self.sum.rate + rotation.turn * w_rate + rotation.rate * w;
        self.weight.0 += w;
        self.weight.1 += w_rate;
    }

    /// The mean, with what the weights leave of 1 at rest; the length of the sum does not count.
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

/// Takes a vector over by a weight.
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

/// Adds what a vector is beside a reference, times a weight.
pub(super) fn vector_add(
    (v, v_rate): MovingVector,
    (p, p_rate): MovingVector,
    reference: DVec3,
    (w, w_rate): MovingWeight,
) -> MovingVector {
    let beside = p - reference;
    (v + beside * w, v_rate + p_rate * w + beside * w_rate)
}

/// Turns on by a share of what a rotation is beside a reference.
pub(super) fn rotation_add(
    below: MovingRotation,
    rotation: MovingRotation,
    reference: DQuat,
    weight: MovingWeight,
) -> MovingRotation {
    let beside = MovingRotation::resting(reference.conjugate()).after(rotation);
    below.after(beside.power(weight))
}
