//! Which peaks of a spectrum belong to which modes.
//!
//! A peak has a width: that of a run's length, and that of damping. Modes closer than that share
//! one, and nobody can say which of them it is; so a peak belongs to one mode, or to several of
//! which none has another.

use super::{Tone, fourier};
use std::ops::Range;

/// Bins between the feet of a peak under Hann's window.
const FEET: f64 = 4.0;
/// A peak is so many times as high as the lowest point near it, and so high beside the greatest
/// one; less is noise.
const HEIGHT: f64 = 1.05;
const LOUD: f64 = 1e-6;
/// How far from where its mode should swing a peak is looked for, as a share of that, or as far as
/// it is wide.
const REACH: f64 = 0.1;

/// A peak, or where one should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// The modes that it belongs to, of those that are heard at the node, slow ones first.
    pub tones: Range<usize>,
    /// How far from each other modes have to be to have peaks of their own here, radians per time.
    pub width: f64,
    /// Where it is; `None` where there is none.
    pub measured: Option<f64>,
}

/// How far two modes must be from each other so that each has a peak, where a bin of the spectrum
/// is so wide.
fn width(a: &Tone, b: &Tone, bin: f64) -> f64 {
    FEET * bin + 0.5 * (a.damping + b.damping)
}

/// How wide a bin may be for all neighbours to have a peak of their own whom damping does not join;
/// infinite where there are none.
pub(super) fn widest_bin(tones: &[Tone]) -> f64 {
    let room = |pair: &[Tone]| {
        let free = pair[1].expected - pair[0].expected - width(&pair[0], &pair[1], 0.0);
        // Modes that are equal but for rounding are one.
        (free > 1e-3 * pair[1].expected).then_some(free / FEET)
    };
    tones.windows(2).filter_map(room).fold(f64::INFINITY, f64::min)
}

/// Finds the peaks of modes whose frequencies rise; `bin` is the width of a bin of the spectrum.
pub(super) fn find(tones: &[Tone], magnitudes: &[f64], bin: f64) -> Vec<Peak> {
    let greatest = super::greatest(magnitudes);
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (i, tone) in tones.iter().enumerate() {
        match groups.last_mut() {
            Some(group)
                if tone.expected - tones[i - 1].expected < width(&tones[i - 1], tone, bin) =>
            {
                group.end = i + 1;
            }
            _ => groups.push(i..i + 1),
        }
    }
    let peak = |(place, group): (usize, &Range<usize>)| {
        let [first, last] = [&tones[group.start], &tones[group.end - 1]];
        // Half way to the neighbours, so that no peak is looked at twice.
        let half = |a: &Tone, b: &Tone| 0.5 * (a.expected + b.expected);
        let before = place.checked_sub(1).map(|_| half(&tones[group.start - 1], first));
        let after = tones.get(group.end).map(|next| half(last, next));
        // A peak of a damped mode is wide, and its sides are what shows that it is one.
        let reach = |tone: &Tone| (REACH * tone.expected).max(width(tone, tone, bin));
        let [low, high] = [first.expected - reach(first), last.expected + reach(last)];
        let [low, high] =
            [before.map_or(low, |end| end.max(low)), after.map_or(high, |end| end.min(high))];
        let measured = fourier::peak_within(magnitudes, [low / bin, high / bin], HEIGHT)
            .filter(|place| magnitudes[place.round() as usize] > LOUD * greatest);
        Peak {
            tones: group.clone(),
            width: width(first, last, bin),
            measured: measured.map(|place| place * bin),
        }
    };
    groups.iter().enumerate().map(peak).collect()
}
