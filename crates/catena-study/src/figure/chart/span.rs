//! Visible part of an axis, and positions of values along it.

use super::plot::Scale;

/// Maximum magnitude on linear axes, since differences between larger values could overflow.
const MOST: f64 = 1e300;

/// Visible part of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisSpan {
    /// Mapping from values to positions.
    pub scale: Scale,
    /// Start of the span. On a linear axis this is a value, on a logarithmic one its decimal
    /// logarithm. On a symmetric logarithmic axis it is the logarithm of 1 + |value| / 10ᵏ with the
    /// value's sign.
    pub from: f64,
    /// End of the span, in the same unit.
    pub to: f64,
}

impl AxisSpan {
    /// Position of a value along the axis: 0 at its start, 1 at its end. `None` for values without
    /// a position.
    pub fn share(&self, value: f64) -> Option<f64> {
        let place = axis_value(self.scale, value)?;
        // Limits the position to a million frames, so that it stays finite.
        Some(((place - self.from) / (self.to - self.from)).clamp(-1e6, 1e6))
    }

    /// Lower and upper end.
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.from.min(self.to), self.from.max(self.to)]
    }

    /// Position of a value given in the units of `from` and `to`.
    pub(super) fn share_of(&self, place: f64) -> f64 {
        (place - self.from) / (self.to - self.from)
    }
}

/// Converts a value into the units of `from` and `to`. Returns `None` for values without a
/// position.
pub(super) fn axis_value(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => (value.abs() <= MOST).then_some(value),
        Scale::Log => (value > 0.0 && value.is_finite()).then(|| libm::log10(value)),
        Scale::SymLog(decade) => {
            let size = libm::log10(1.0 + value.abs() / libm::pow(10.0, f64::from(decade)));
            value.is_finite().then(|| libm::copysign(size, value))
        }
    }
}
