//! The visible part of an axis, and the places of values along it.

use super::plot::Scale;

/// Linear axes leave out values beyond this, since differences between larger ones could overflow.
const MOST: f64 = 1e300;

/// The visible part of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisSpan {
    /// How values are placed.
    pub scale: Scale,
    /// Its beginning: a value, on a logarithmic axis its decimal logarithm, and on one with both
    /// signs that of 1 + |value| / 10ᵏ with the value's sign.
    pub from: f64,
    /// Its end, in the same unit.
    pub to: f64,
}

impl AxisSpan {
    /// The place of a value along the axis: 0 at its beginning, 1 at its end. `None` for values
    /// without a place.
    pub fn share(&self, value: f64) -> Option<f64> {
        let place = axis_value(self.scale, value)?;
        // Far values stay finite: they count as a million frames away.
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

/// A value in the units of `from` and `to`; `None` for values without a place.
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
