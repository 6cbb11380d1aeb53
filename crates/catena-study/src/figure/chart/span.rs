//! Span of an axis, which ends at round numbers.

use crate::figure::chart::axis::Axis;
use crate::figure::chart::axis::Scale;
use catena_base::text::round::{power, round_step};

/// Minimum margin at both ends of a symmetric logarithmic axis, as a share of the data's extent.
const SYMLOG_MARGIN: f64 = 0.03;

/// Maximum magnitude on linear axes, since differences between larger values could overflow.
pub(crate) const MAX: f64 = 1e300;

/// Span between two values, extended to round numbers.
pub(in crate::figure) fn span_of(scale: Scale, range: [f64; 2]) -> AxisSpan {
    let range = range.map(|end| axis_value(scale, end));
    let data = range[0].zip(range[1]).map(|(low, high)| [low.min(high), low.max(high)]);
    span(&Axis { scale, ..Axis::default() }, data, false)
}

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

    /// Value at a share of the axis, the inverse of [`AxisSpan::share`].
    pub fn value_at(&self, share: f64) -> f64 {
        let place = self.from + share * (self.to - self.from);
        match self.scale {
            Scale::Linear => place,
            Scale::Log => libm::pow(10.0, place),
            Scale::SymLog(decade) => {
                let size = libm::pow(10.0, place.abs()) - 1.0;
                libm::copysign(size * libm::pow(10.0, f64::from(decade)), place)
            }
        }
    }

    /// Lower and upper end.
    pub(crate) fn range(&self) -> [f64; 2] {
        [self.from.min(self.to), self.from.max(self.to)]
    }

    /// Position of a value given in the units of `from` and `to`.
    pub(crate) fn share_of(&self, place: f64) -> f64 {
        (place - self.from) / (self.to - self.from)
    }
}

pub(crate) fn span(axis: &Axis, data: Option<[f64; 2]>, is_padded: bool) -> AxisSpan {
    let scale = axis.scale;
    let span = |[from, to]: [f64; 2]| AxisSpan { scale, from, to };
    if !axis.categories.is_empty() {
        return span([0.0, axis.categories.len() as f64]);
    }
    if let Some([from, to]) = axis.range
        && let (Some(from), Some(to)) = (axis_value(scale, from), axis_value(scale, to))
        && from != to
    {
        return span([from, to]);
    }
    let Some([minimum, maximum]) = data else { return span([0.0, 1.0]) };
    // A difference that may be a rounding error counts as 0.
    let size = minimum.abs().max(maximum.abs());
    if maximum - minimum <= 1e-12 * size || maximum == minimum {
        let around = match scale {
            _ if size == 0.0 => 1.0,
            Scale::Log => 0.5,
            Scale::Linear | Scale::SymLog(_) => 0.1 * size,
        };
        return span(rounded(scale, [minimum - around, maximum + around]));
    }
    let pad = if is_padded { 0.05 * (maximum - minimum) } else { 0.0 };
    span(rounded(scale, [minimum - pad, maximum + pad]))
}

/// Converts a value into the units of `from` and `to`. Returns `None` for values without a
/// position.
pub(crate) fn axis_value(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => (value.abs() <= MAX).then_some(value),
        Scale::Log => (value > 0.0 && value.is_finite()).then(|| libm::log10(value)),
        Scale::SymLog(decade) => {
            let size = libm::log10(1.0 + value.abs() / libm::pow(10.0, f64::from(decade)));
            value.is_finite().then(|| libm::copysign(size, value))
        }
    }
}

/// Extends a range to round numbers.
pub(crate) fn rounded(scale: Scale, [minimum, maximum]: [f64; 2]) -> [f64; 2] {
    match scale {
        Scale::Linear => {
            let (mantissa, exponent) = round_step(maximum - minimum, 6);
            let step = mantissa as f64 * power(exponent);
            // Rounds to a fraction of a step, since a whole step could leave much of the frame
            // empty.
            let part = if mantissa == 2 { step / 4.0 } else { step / 5.0 };
            [(minimum / part + 1e-9).floor() * part, (maximum / part - 1e-9).ceil() * part]
        }
        // Within half a decade, values are as evenly spaced as on a linear axis.
        Scale::Log if maximum - minimum < 0.5 && maximum.abs() < 290.0 => {
            let values = [minimum, maximum].map(|end| libm::pow(10.0, end));
            rounded(Scale::Linear, values).map(libm::log10)
        }
        // Half decades are round enough, since only decades have ticks. A margin keeps curves off
        // the border.
        Scale::SymLog(_) => {
            let pad = |end: f64| if end == 0.0 { 0.0 } else { SYMLOG_MARGIN * (maximum - minimum) };
            let [low, high] = [minimum - pad(minimum), maximum + pad(maximum)];
            [(2.0 * low + 1e-9).floor() / 2.0, (2.0 * high - 1e-9).ceil() / 2.0]
        }
        Scale::Log => {
            let steps = [0.0, libm::log10(2.0), libm::log10(5.0), 1.0];
            let [low, high] = [minimum + 1e-9, maximum - 1e-9].map(f64::floor);
            let below = steps.iter().rev().find(|step| low + **step <= minimum + 1e-9);
            let above = steps.iter().find(|step| high + **step >= maximum - 1e-9);
            [low + below.unwrap_or(&0.0), high + above.unwrap_or(&1.0)]
        }
    }
}
