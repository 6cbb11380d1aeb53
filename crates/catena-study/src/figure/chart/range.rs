//! Ranges of axes, from a chart's settings and its data, and positions along them.

use super::plot::{Axis, Chart, Mark, Plot, Scale};
use catena_base::text::round::{power, round_step};

/// Ends of the data along both axes of a plot, if there are data.
type AxisEnds = [Option<[f64; 2]>; 2];

/// Minimum margin at both ends of a symmetric logarithmic axis, as a share of the data's extent.
const SYMLOG_MARGIN: f64 = 0.03;

/// Horizontal and vertical ranges of all plots; `sizes` are those of their frames.
pub(super) fn spans(chart: &Chart, sizes: &[[f64; 2]]) -> Vec<[AxisSpan; 2]> {
    let ends: Vec<AxisEnds> =
        chart.plots.iter().map(|plot| [0, 1].map(|axis| data_range(plot, axis))).collect();
    // Axes of different scales cannot share a range.
    let shared = |axis: usize, scale: Scale| {
        let alike = chart.plots.iter().zip(&ends);
        let known = alike.filter_map(|(plot, ends)| {
            if [&plot.x, &plot.y][axis].scale == scale { ends[axis] } else { None }
        });
        known.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    };
    let of = |((plot, ends), size): ((&Plot, &AxisEnds), &[f64; 2])| {
        let mut spans = [0, 1].map(|index| {
            let axis = [&plot.x, &plot.y][index];
            let data = if chart.one_scale { shared(index, axis.scale) } else { ends[index] };
            span(axis, data, plot.equal_aspect)
        });
        if plot.equal_aspect {
            equalise_units(&mut spans, *size);
        }
        spans
    };
    chart.plots.iter().zip(&ends).zip(sizes).map(of).collect()
}

/// Minimum and maximum of a plot's data along an axis, in the units of its span.
fn data_range(plot: &Plot, axis: usize) -> Option<[f64; 2]> {
    let scale = [&plot.x, &plot.y][axis].scale;
    let mut ends: Option<[f64; 2]> = None;
    let mut see = |value: f64| {
        if let Some(place) = axis_value(scale, value) {
            let [least, most] = ends.unwrap_or([place; 2]);
            ends = Some([least.min(place), most.max(place)]);
        }
    };
    for mark in &plot.marks {
        match mark {
            Mark::Line { points, .. } | Mark::Points { points, .. } => {
                points.iter().filter(|p| is_finite(p)).for_each(|p| see(p[axis]));
            }
            Mark::Area { upper, lower, .. } => {
                upper.iter().chain(lower).filter(|p| is_finite(p)).for_each(|p| see(p[axis]));
            }
            Mark::Rule { at, is_horizontal, .. } => {
                if *is_horizontal == (axis == 1) {
                    see(*at);
                }
            }
            Mark::Cells { x_edges, y_edges, .. } => {
                [x_edges, y_edges][axis].iter().for_each(|edge| see(*edge));
            }
            Mark::Picture { corners, .. } => corners.iter().for_each(|corner| see(corner[axis])),
            Mark::Text { at, .. } => see(at[axis]),
        }
    }
    ends
}

fn is_finite(point: &[f64; 2]) -> bool {
    point.iter().all(|value| value.is_finite())
}

fn span(axis: &Axis, data: Option<[f64; 2]>, is_padded: bool) -> AxisSpan {
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
    let Some([least, most]) = data else { return span([0.0, 1.0]) };
    // A difference that may be rounding counts as none.
    let size = least.abs().max(most.abs());
    if most - least <= 1e-12 * size || most == least {
        let around = match scale {
            _ if size == 0.0 => 1.0,
            Scale::Log => 0.5,
            Scale::Linear | Scale::SymLog(_) => 0.1 * size,
        };
        return span(rounded(scale, [least - around, most + around]));
    }
    let pad = if is_padded { 0.05 * (most - least) } else { 0.0 };
    span(rounded(scale, [least - pad, most + pad]))
}

/// Span between two values, extended to round numbers.
pub(in crate::figure) fn span_of(scale: Scale, ends: [f64; 2]) -> AxisSpan {
    let ends = ends.map(|end| axis_value(scale, end));
    let data = ends[0].zip(ends[1]).map(|(low, high)| [low.min(high), low.max(high)]);
    span(&Axis { scale, ..Axis::default() }, data, false)
}

/// Extends a range to round numbers.
fn rounded(scale: Scale, [least, most]: [f64; 2]) -> [f64; 2] {
    match scale {
        Scale::Linear => {
            let (mantissa, exponent) = round_step(most - least, 6);
            let step = mantissa as f64 * power(exponent);
            // Rounding to a fraction of a step: a whole step could leave much of the frame empty.
            let part = if mantissa == 2 { step / 4.0 } else { step / 5.0 };
            [(least / part + 1e-9).floor() * part, (most / part - 1e-9).ceil() * part]
        }
        // Within half a decade, values are as evenly spaced as on a linear axis.
        Scale::Log if most - least < 0.5 && most.abs() < 290.0 => {
            let values = [least, most].map(|end| libm::pow(10.0, end));
            rounded(Scale::Linear, values).map(libm::log10)
        }
        // Half decades are round enough, since only decades have ticks. A margin keeps curves off
        // the border.
        Scale::SymLog(_) => {
            let pad = |end: f64| if end == 0.0 { 0.0 } else { SYMLOG_MARGIN * (most - least) };
            let [low, high] = [least - pad(least), most + pad(most)];
            [(2.0 * low + 1e-9).floor() / 2.0, (2.0 * high - 1e-9).ceil() / 2.0]
        }
        Scale::Log => {
            let steps = [0.0, libm::log10(2.0), libm::log10(5.0), 1.0];
            let [low, high] = [least + 1e-9, most - 1e-9].map(f64::floor);
            let below = steps.iter().rev().find(|step| low + **step <= least + 1e-9);
            let above = steps.iter().find(|step| high + **step >= most - 1e-9);
            [low + below.unwrap_or(&0.0), high + above.unwrap_or(&1.0)]
        }
    }
}

/// Extends one of the ranges so that a unit has the same length along both.
fn equalise_units(spans: &mut [AxisSpan; 2], size: [f64; 2]) {
    let length = |span: &AxisSpan| (span.to - span.from).abs();
    let a_pixel = (length(&spans[0]) / size[0]).max(length(&spans[1]) / size[1]);
    for (span, pixels) in spans.iter_mut().zip(size) {
        let (middle, half) = ((span.from + span.to) / 2.0, a_pixel * pixels / 2.0);
        let half = if span.from < span.to { half } else { -half };
        (span.from, span.to) = (middle - half, middle + half);
    }
}

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
fn axis_value(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => (value.abs() <= MOST).then_some(value),
        Scale::Log => (value > 0.0 && value.is_finite()).then(|| libm::log10(value)),
        Scale::SymLog(decade) => {
            let size = libm::log10(1.0 + value.abs() / libm::pow(10.0, f64::from(decade)));
            value.is_finite().then(|| libm::copysign(size, value))
        }
    }
}
