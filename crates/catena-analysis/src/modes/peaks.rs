//! Which peaks of a spectrum belong to which modes.
//!
//! A peak has a width, from the length of the run and from damping. Modes closer together than that
//! share a peak and cannot be told apart, so a peak belongs to one mode or to several, and each
//! mode has one peak.

use super::fourier;
use super::numerical::NumericalMode;
use std::ops::Range;

/// Bins between the feet of a peak under Hann's window.
const FEET: f64 = 4.0;
/// A peak is at least this many times as high as the lowest point near it; less is noise.
const HEIGHT: f64 = 1.05;
/// A peak is higher than this share of the greatest one; less is noise.
const LEAST_HEIGHT: f64 = 1e-6;
/// How far from the expected frequency a peak is searched, as a share of it; at least its width.
const SEARCHED: f64 = 0.1;

/// A peak, or where one should be. Frequencies are in radians per time.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// The indices of its modes among those that show at the node.
    pub modes: Range<usize>,
    /// The least distance of modes that have peaks of their own here.
    pub width: f64,
    /// The measured frequency; `None` if there is no peak.
    pub measured: Option<f64>,
}

/// The least distance of two modes that have peaks of their own, with bins of this width.
fn width(a: &NumericalMode, b: &NumericalMode, bin: f64) -> f64 {
    FEET * bin + 0.5 * (a.damping + b.damping)
}

/// The widest bin with which all neighbours have peaks of their own, except those that damping
/// joins; infinite if there are no others.
pub(super) fn widest_bin(modes: &[NumericalMode]) -> f64 {
    let room = |pair: &[NumericalMode]| {
        let free = pair[1].expected - pair[0].expected - width(&pair[0], &pair[1], 0.0);
        // Modes that are equal to rounding count as one.
        (free > 1e-3 * pair[1].expected).then_some(free / FEET)
    };
    modes.windows(2).filter_map(room).fold(f64::INFINITY, f64::min)
}

/// Finds the peaks of modes whose frequencies rise; `bin` is the width of a bin of the spectrum.
pub(super) fn find(modes: &[NumericalMode], magnitudes: &[f64], bin: f64) -> Vec<Peak> {
    let greatest = fourier::greatest(magnitudes);
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (i, mode) in modes.iter().enumerate() {
        match groups.last_mut() {
            Some(group)
                if mode.expected - modes[i - 1].expected < width(&modes[i - 1], mode, bin) =>
            {
                group.end = i + 1;
            }
            _ => groups.push(i..i + 1),
        }
    }
    let peak = |(place, group): (usize, &Range<usize>)| {
        let [first, last] = [&modes[group.start], &modes[group.end - 1]];
        // Half way to the neighbours, so that no two modes find the same peak.
        let half = |a: &NumericalMode, b: &NumericalMode| 0.5 * (a.expected + b.expected);
        let before = place.checked_sub(1).map(|_| half(&modes[group.start - 1], first));
        let after = modes.get(group.end).map(|next| half(last, next));
        // The peak of a damped mode is wide, and only its sides show that it is one.
        let reach = |mode: &NumericalMode| (SEARCHED * mode.expected).max(width(mode, mode, bin));
        let [low, high] = [first.expected - reach(first), last.expected + reach(last)];
        let [low, high] =
            [before.map_or(low, |end| end.max(low)), after.map_or(high, |end| end.min(high))];
        let measured = fourier::peak_within(magnitudes, [low / bin, high / bin], HEIGHT)
            .filter(|place| magnitudes[place.round() as usize] > LEAST_HEIGHT * greatest);
        Peak {
            modes: group.clone(),
            width: width(first, last, bin),
            measured: measured.map(|place| place * bin),
        }
    };
    groups.iter().enumerate().map(peak).collect()
}
