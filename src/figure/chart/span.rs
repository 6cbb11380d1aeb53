//! The part of an axis that is shown, and where values stand along it.

use super::plot::Scale;

/// Values beyond this are no numbers to a linear axis: differences of larger ones could not be written.
const MOST: f64 = 1e300;

/// The part of an axis that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisSpan {
    /// How values are placed.
    pub scale: Scale,
    /// Where it begins: a value, or its decimal logarithm.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

impl AxisSpan {
    /// How far along the axis a value stands: 0 at its beginning, 1 at its end. `None` for what has no place on it.
    pub fn share(&self, value: f64) -> Option<f64> {
        let place = unit(self.scale, value)?;
        // What lies far outside is as good as a million frames away.
        Some(((place - self.from) / (self.to - self.from)).clamp(-1e6, 1e6))
    }

    /// The lower and the upper end.
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.from.min(self.to), self.from.max(self.to)]
    }

    /// The share of a place that is given in the units of `from` and `to`.
    pub(super) fn share_of(&self, place: f64) -> f64 {
        (place - self.from) / (self.to - self.from)
    }
}

/// A value in the units in which an axis is even.
pub(super) fn unit(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => (value.abs() <= MOST).then_some(value),
        Scale::Log => (value > 0.0 && value.is_finite()).then(|| libm::log10(value)),
    }
}
