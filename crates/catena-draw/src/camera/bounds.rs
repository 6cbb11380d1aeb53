//! Axis-aligned boxes.

use crate::vector::Vec3;

/// Free share of a view on each side of its content.
pub(super) const MARGIN: f64 = 0.06;

/// An axis-aligned box. In the plane, z is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest coordinates.
    pub low: Vec3,
    /// Highest coordinates.
    pub high: Vec3,
}

impl Bounds {
    pub(super) const EMPTY: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    pub(super) fn include(&mut self, low: Vec3, high: Vec3) {
        for axis in 0..3 {
            self.low[axis] = self.low[axis].min(low[axis]);
            self.high[axis] = self.high[axis].max(high[axis]);
        }
    }

    /// The eight corners of the box.
    pub(super) fn corners(&self) -> impl Iterator<Item = Vec3> + '_ {
        (0..8).map(|index: usize| {
            let is_low = |axis: usize| index >> axis & 1 == 0;
            [0, 1, 2].map(|axis| if is_low(axis) { self.low[axis] } else { self.high[axis] })
        })
    }

    /// Support function: maximum dot product of the direction and the points of the box.
    /// Negative infinity if the box is empty.
    pub(super) fn support(&self, direction: Vec3) -> f64 {
        if self.low[0] > self.high[0] {
            return f64::NEG_INFINITY;
        }
        (0..3)
            .map(|axis| (self.low[axis] * direction[axis]).max(self.high[axis] * direction[axis]))
            .sum()
    }

    /// Intersection with `other`. If it is empty, the closest box inside `other`.
    pub(super) fn within(&self, other: &Self) -> Self {
        let clamp =
            |at: Vec3| [0, 1, 2].map(|axis| at[axis].max(other.low[axis]).min(other.high[axis]));
        Self { low: clamp(self.low), high: clamp(self.high) }
    }

    /// Length of the longest side.
    pub(super) fn longest(&self) -> f64 {
        (0..3).map(|axis| self.high[axis] - self.low[axis]).fold(0.0, f64::max)
    }
}
