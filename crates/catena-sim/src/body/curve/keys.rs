//! Shared parts of curves, for values of any number of components: checks of keys and times, the
//! search for a time among keys, and the pieces between two keys.

use crate::body::curve::spans::PlaceAndRate;
use crate::drive::track::{Extremes, Key, KeyTrack, Track};
use crate::named::{BadOption, Components, OptionInfo};

/// Pairs control points with times at equal intervals over the duration of a curve.
pub(super) fn evenly(start: f64, end: f64, points: &[Components]) -> Vec<(f64, [f64; 3])> {
    let steps = points.len().max(2) - 1;
    let time = |index: usize| start + (end - start) * index as f64 / steps as f64;
    points.iter().enumerate().map(|(index, point)| (time(index), point.xyz())).collect()
}

/// Option `keys` of curves that go from key to key.
pub(super) const KEYS: OptionInfo = OptionInfo {
    name: "keys",
    summary: "times and positions: [(0, (0, 0)), (2.5, (100, 0))]",
    default: OptionInfo::NEEDED,
    range: "at least one (time, point), the times finite and each later than the one before it",
    unit: OptionInfo::OF_KEYS,
    ..OptionInfo::PLAIN
};

pub(super) const START: OptionInfo = OptionInfo {
    name: "start",
    summary: "start time of the curve",
    default: OptionInfo::NEEDED,
    range: "a finite number",
    unit: "time",
    ..OptionInfo::PLAIN
};

pub(super) const END: OptionInfo = OptionInfo {
    name: "end",
    summary: "end time of the curve",
    default: OptionInfo::NEEDED,
    range: "a finite number above `start`",
    unit: "time",
    ..OptionInfo::PLAIN
};

/// Refuses an empty list of keys and times that do not increase.
pub(super) fn check_times(option: &OptionInfo, times: &[f64]) -> Result<(), BadOption> {
    option.check(!times.is_empty())?;
    let is_fine = |i: usize| times[i].is_finite() && (i == 0 || times[i - 1] < times[i]);
    (0..times.len()).try_for_each(|i| option.check(is_fine(i)).map_err(|bad| bad.of_entry(i)))
}

/// Implements the methods of [`Curve`](super::Curve) that all curves with `keys: Vec<(f64,
/// Components)>` share.
macro_rules! keyed {
    ($piece:ident) => {
        fn check(&self) -> Result<(), BadOption> {
            let times: Vec<f64> = self.keys.iter().map(|key| key.0).collect();
            keys::check_times(&KEYS, &times)
        }

        fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
            keys::check_points(&KEYS, self.keys.iter().map(|key| [&key.1]), axes)
        }

        fn places(&self) -> Vec<(f64, [f64; 3])> {
            self.keys.iter().map(|key| (key.0, key.1.xyz())).collect()
        }

        fn extremes(&self) -> Option<[crate::drive::track::Extremes; 3]> {
            use crate::drive::track::{Interpolation, Key};
            let key = |key: &(f64, Components)| {
                Key::new(key.0, key.1.xyz()).to_next(Interpolation::$piece)
            };
            keys::extremes(self.keys.iter().map(key))
        }
    };
}

pub(super) use keyed;

/// Extremes of the track of these keys; `None` for invalid keys.
pub(super) fn extremes(keys: impl Iterator<Item = Key<3>>) -> Option<[Extremes; 3]> {
    KeyTrack::new(keys.collect()).ok()?.extremes()
}

/// Refuses a curve that does not end after its start.
pub(super) fn check_span(start: f64, end: f64) -> Result<(), BadOption> {
    START.check(start.is_finite())?;
    END.check(end.is_finite() && end > start)
}

/// Refuses points without exactly one component per axis. Each entry of the option may have several
/// points.
pub(super) fn check_points<'a, P: IntoIterator<Item = &'a Components>>(
    option: &OptionInfo,
    entries: impl IntoIterator<Item = P>,
    axes: usize,
) -> Result<(), BadOption> {
    let check = |(i, points): (usize, P)| {
        let mut points = points.into_iter();
        points.try_for_each(|point| point.check(option, axes)).map_err(|bad| bad.of_entry(i))
    };
    entries.into_iter().enumerate().try_for_each(check)
}

/// Pieces of equal duration from `start` to `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) count: usize,
}
crate::identity!(Pieces { start, end, count });

impl Pieces {
    /// Position and velocity at `t`. `piece(i, s)` returns the position on piece i at 0 <= s <= 1
    /// and its derivative with respect to s.
    pub(super) fn at(self, t: f64, piece: impl Fn(usize, f64) -> PlaceAndRate) -> PlaceAndRate {
        let still = |(position, _): PlaceAndRate| (position, [0.0; 3]);
        if t < self.start {
            return still(piece(0, 0.0));
        }
        if t >= self.end {
            return still(piece(self.count - 1, 1.0));
        }
        let rate = self.count as f64 / (self.end - self.start);
        let u = (t - self.start) * rate;
        let i = (u as usize).min(self.count - 1);
        let (position, velocity) = piece(i, u - i as f64);
        (position, velocity.map(|component| component * rate))
    }
}
