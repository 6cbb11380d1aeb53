//! Assigns the peaks of a spectrum to modes.
//!
//! The width of a peak follows from the length of the run and from damping. Modes closer than that
//! share a peak and cannot be distinguished. So each mode has one peak, and a peak has one or more
//! modes.

use super::fourier;
use super::numerical::NumericalMode;
use std::ops::Range;

/// Width of a peak's base under Hann's window, in bins.
const FEET: f64 = 4.0;
/// Minimum ratio of a peak's height to the lowest point near it. Lower peaks are noise.
const HEIGHT: f64 = 1.05;
/// Minimum height of a peak, as a share of the highest one. Lower peaks are noise.
const LEAST_HEIGHT: f64 = 1e-6;
/// Maximum distance of a peak from the expected frequency, as a share of that frequency. The search
/// covers at least the width of the peak.
const SEARCHED: f64 = 0.1;

/// Peak of one or more modes, found or only expected. Frequencies are in radians per unit of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Range of the peak's modes among those visible at the node.
    pub modes: Range<usize>,
    /// Minimum distance of modes that would have separate peaks here.
    pub width: f64,
    /// Measured frequency; `None` if no peak was found.
    pub measured: Option<f64>,
}

/// Minimum distance of two modes that have separate peaks, for bins of width `bin`.
fn width(a: &NumericalMode, b: &NumericalMode, bin: f64) -> f64 {
    FEET * bin + 0.5 * (a.damping + b.damping)
}

/// Maximum bin width at which all neighbouring modes have separate peaks, except those that damping
/// merges. Infinite if no neighbours can be separated.
pub(super) fn widest_bin(modes: &[NumericalMode]) -> f64 {
    let room = |pair: &[NumericalMode]| {
        let free = pair[1].expected - pair[0].expected - width(&pair[0], &pair[1], 0.0);
        // Modes that are equal up to rounding count as one.
        (free > 1e-3 * pair[1].expected).then_some(free / FEET)
    };
    modes.windows(2).filter_map(room).fold(f64::INFINITY, f64::min)
}

/// Finds the peaks of modes in ascending order of frequency. `bin` is the bin width of the
/// spectrum.
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
        // The search ends halfway to the neighbours, so that no two groups find the same peak.
        let half = |a: &NumericalMode, b: &NumericalMode| 0.5 * (a.expected + b.expected);
        let before = place.checked_sub(1).map(|_| half(&modes[group.start - 1], first));
        let after = modes.get(group.end).map(|next| half(last, next));
        // The peak of a damped mode is wide, and only its slopes reveal it.
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
