//! Values from key to key, each piece with the interpolation that the key at its beginning names.
//!
//! With h = t₁ - t₀ and s = (t - t₀)/h a Hermite piece is (1 - 3s² + 2s³) v₀ + (3s² - 2s³) v₁ +
//! h s(1-s)² b₀ - h s²(1-s) a₁, where b₀ is the rate at which the curve leaves the first key and a₁
//! that at which it arrives at the second: the CUBICSPLINE of glTF 2.0, appendix C. Catmull-Rom is
//! the same cubic with the rates (v_{i+1} - v_{i-1})/(t_{i+1} - t_{i-1}). Bézier pieces are in
//! `handles.rs`.

use super::{Track, handles};
use crate::body::curve::keys::{self, Knot, Location, Place};
use crate::named::BadSetup;

/// How a piece goes from its first key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds the value of the key until the next one.
    Step,
    /// Straight; rotations are normalised (nlerp).
    #[default]
    Linear,
    /// Along the shorter great circle at a constant angular velocity; for rotations alone.
    Slerp,
    /// A cubic with the rates of the keys; rotations are normalised.
    Hermite,
    /// A cubic with the handles of the keys; rotations are normalised.
    Bezier,
    /// A cubic with rates that follow from the neighbours; rotations are normalised.
    CatmullRom,
}

/// A value at a time, and what leads to and from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<const D: usize> {
    /// When, in the unit of time; finite, and later than the key before.
    pub time: f64,
    /// The value then.
    pub value: [f64; D],
    /// How the piece that begins here goes on.
    pub interpolation: Interpolation,
    /// Rates by time at which Hermite pieces arrive and leave.
    pub rates: [[f64; D]; 2],
    /// Times and values of the handles before and after the key, for Bézier pieces. The time of a
    /// handle lies strictly between its key and the neighbour on its side.
    pub handles: [Option<(f64, [f64; D])>; 2],
}

impl<const D: usize> Key<D> {
    /// A key that a straight piece leaves.
    pub fn new(time: f64, value: [f64; D]) -> Self {
        let interpolation = Interpolation::Linear;
        Self { time, value, interpolation, rates: [[0.0; D]; 2], handles: [None; 2] }
    }

    /// The same key with another interpolation of the piece that begins there.
    pub fn to_next(self, interpolation: Interpolation) -> Self {
        Self { interpolation, ..self }
    }

    /// The same key with rates by time of arriving and leaving, and a Hermite piece behind it.
    pub fn rates(self, arriving: [f64; D], leaving: [f64; D]) -> Self {
        Self { rates: [arriving, leaving], interpolation: Interpolation::Hermite, ..self }
    }

    /// The same key with handles before and after it, and a Bézier piece behind it.
    pub fn handles(self, before: (f64, [f64; D]), after: (f64, [f64; D])) -> Self {
        let handles = [Some(before), Some(after)];
        Self { handles, interpolation: Interpolation::Bezier, ..self }
    }

    fn is_finite(&self) -> bool {
        let handles = self.handles.iter().flatten();
        let of_handles = handles.flat_map(|(time, value)| value.iter().chain([time]));
        let numbers = self.value.iter().chain(self.rates.iter().flatten()).chain(of_handles);
        self.time.is_finite() && { numbers }.all(|number| number.is_finite())
    }
}

/// Refuses keys that no track can go along: none at all, numbers that are not finite, times that do
/// not rise, handles that are missing or out of the time of their piece.
fn check<const D: usize>(keys: &[Key<D>]) -> Result<(), BadSetup> {
    BadSetup::unless(!keys.is_empty(), "keys", "expected at least one key")?;
    for (i, key) in keys.iter().enumerate() {
        let rises = i == 0 || keys[i - 1].time < key.time;
        let message = match (key.is_finite(), rises) {
            (true, true) => continue,
            (false, _) => "expected finite numbers",
            (true, false) => "expected a time above that of the key before",
        };
        return Err(BadSetup::new(format!("keys[{i}]"), message));
    }
    for (i, pair) in keys.windows(2).enumerate() {
        if pair[0].interpolation != Interpolation::Bezier {
            continue;
        }
        let is_inside =
            |handle: &(f64, [f64; D])| pair[0].time < handle.0 && handle.0 < pair[1].time;
        for (key, handle, side) in
            [(i, &pair[0].handles[1], "after"), (i + 1, &pair[1].handles[0], "before")]
        {
            let is_fine = handle.as_ref().is_some_and(is_inside);
            let message = format!("expected a handle {side} it, at a time between the two keys");
            BadSetup::unless(is_fine, format!("keys[{key}]"), message)?;
        }
    }
    Ok(())
}

/// Keys that have been checked, laid out so that a value at a time touches little memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Keys<const D: usize> {
    times: Vec<f64>,
    values: Vec<[f64; D]>,
    kinds: Vec<Interpolation>,
    /// Rates of all keys; empty if there is no Hermite piece.
    rates: Vec<[[f64; D]; 2]>,
    /// Handles of all keys; empty if there is no Bézier piece.
    handles: Vec<[(f64, [f64; D]); 2]>,
}

impl<const D: usize> Keys<D> {
    /// Keys in order of time.
    pub(crate) fn new(keys: &[Key<D>]) -> Result<Self, BadSetup> {
        check(keys)?;
        let has = |kind| keys.iter().any(|key| key.interpolation == kind);
        let [with_rates, with_handles] = [Interpolation::Hermite, Interpolation::Bezier]
            .map(|kind| if has(kind) { keys } else { &[] });
        let handle =
            |key: &Key<D>| key.handles.map(|handle| handle.unwrap_or((key.time, key.value)));
        Ok(Self {
            times: keys.iter().map(|key| key.time).collect(),
            values: keys.iter().map(|key| key.value).collect(),
            kinds: keys.iter().map(|key| key.interpolation).collect(),
            rates: with_rates.iter().map(|key| key.rates).collect(),
            handles: with_handles.iter().map(handle).collect(),
        })
    }

    /// Where a time lies among the keys.
    pub(crate) fn find(&self, t: f64) -> Location {
        keys::find(self.times.len(), |i| self.times[i], t)
    }

    /// Times of all keys.
    pub(crate) fn times(&self) -> &[f64] {
        &self.times
    }

    /// Values of all keys.
    pub(crate) fn values(&self) -> &[[f64; D]] {
        &self.values
    }

    /// How the piece behind a key goes on.
    pub(crate) fn kind(&self, i: usize) -> Interpolation {
        self.kinds[i]
    }

    /// First and last time.
    pub(crate) fn span(&self) -> Option<(f64, f64)> {
        Some((*self.times.first()?, *self.times.last()?))
    }

    /// The piece behind key i, which is not the last, where `value` gives the values of keys. Slerp
    /// is straight here.
    pub(crate) fn piece(&self, i: usize, t: f64, value: impl Fn(usize) -> [f64; D]) -> Place<D> {
        let [first, last] = [i, i + 1].map(|k| (self.times[k], value(k)));
        let knot = |(t, point): (f64, [f64; D]), tangent| Knot { t, point, tangent };
        match self.kinds[i] {
            Interpolation::Step => (first.1, [0.0; D]),
            Interpolation::Linear | Interpolation::Slerp => keys::linear(first, last, t),
            Interpolation::Hermite => {
                let (out, into) = (self.rates[i][1], self.rates[i + 1][0]);
                keys::hermite(knot(first, out), knot(last, into), t)
            }
            Interpolation::CatmullRom => {
                let [before, after] = [i.saturating_sub(1), (i + 2).min(self.times.len() - 1)];
                let out = keys::rate(value(before), last.1, last.0 - self.times[before]);
                let into = keys::rate(first.1, value(after), self.times[after] - first.0);
                keys::hermite(knot(first, out), knot(last, into), t)
            }
            Interpolation::Bezier => {
                let [out, into] = [self.handles[i][1], self.handles[i + 1][0]];
                handles::piece([first, out, into, last], t)
            }
        }
    }
}

/// A value that goes from key to key and rests before the first key and from the last one on. At
/// the time of a key it has the bits of the key's value, and the rate of the piece that begins.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyTrack<const D: usize> {
    keys: Keys<D>,
}

impl<const D: usize> KeyTrack<D> {
    /// A track along keys in order of time.
    ///
    /// # Errors
    /// Where there is no key, a number is not finite, times do not rise, a Bézier piece lacks a
    /// handle between its keys, or a piece is a Slerp, which is for rotations.
    pub fn new(keys: Vec<Key<D>>) -> Result<Self, BadSetup> {
        let slerp = keys.iter().position(|key| key.interpolation == Interpolation::Slerp);
        if let Some(i) = slerp {
            return Err(BadSetup::new(format!("keys[{i}]"), "Slerp is for rotations alone"));
        }
        Ok(Self { keys: Keys::new(&keys)? })
    }

    /// Straight pieces through times and values.
    ///
    /// # Errors
    /// As [`KeyTrack::new`].
    pub fn linear(keys: &[(f64, [f64; D])]) -> Result<Self, BadSetup> {
        Self::new(keys.iter().map(|&(time, value)| Key::new(time, value)).collect())
    }

    /// Times of all keys.
    pub fn times(&self) -> &[f64] {
        self.keys.times()
    }

    /// Values of all keys.
    pub fn values(&self) -> &[[f64; D]] {
        self.keys.values()
    }

    /// The key whose value the track has at a time without any arithmetic: that of this very time,
    /// or the outermost one outside.
    pub(super) fn resting(&self, t: f64) -> Option<usize> {
        match self.keys.find(t) {
            Location::Key(i) => Some(i),
            Location::Behind(i) => (self.keys.times[i] == t).then_some(i),
        }
    }
}

impl<const D: usize> Track<D> for KeyTrack<D> {
    fn at(&self, t: f64) -> Place<D> {
        let keys = &self.keys;
        let i = match keys.find(t) {
            Location::Key(i) => return (keys.values[i], [0.0; D]),
            Location::Behind(i) => i,
        };
        let (value, rate) = keys.piece(i, t, |k| keys.values[k]);
        (if keys.times[i] == t { keys.values[i] } else { value }, rate)
    }

    fn span(&self) -> Option<(f64, f64)> {
        self.keys.span()
    }
}
