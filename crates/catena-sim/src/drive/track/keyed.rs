//! Values between keys. The key at the start of each piece sets its interpolation.
//!
//! Let h = t₁ - t₀ and s = (t - t₀)/h. A Hermite piece is (1 - 3s² + 2s³) v₀ + (3s² - 2s³) v₁ + h
//! s(1-s)² b₀ - h s²(1-s) a₁. The curve leaves the first key at rate b₀ and arrives at the second
//! at rate a₁. This is CUBICSPLINE of glTF 2.0, appendix C. Catmull-Rom is the same cubic with the
//! rates (v_{i+1} - v_{i-1})/(t_{i+1} - t_{i-1}). `handle_piece` evaluates Bézier pieces.

use super::{Extent, Extremes, Track};
use crate::body::curve::spans::{self, Knot, Location, PlaceAndRate, bezier, hermite, rate};
use crate::named::BadOption;
use std::array::from_fn;

/// Interpolation between a key and the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Constant until the next key.
    Step,
    /// Linear; rotations are normalised (nlerp).
    #[default]
    Linear,
    /// Along the shorter great-circle arc at a constant angular velocity; for rotations only.
    Slerp,
    /// Cubic with the rates of the keys; rotations are normalised.
    Hermite,
    /// Cubic with the handles of the keys; rotations are normalised.
    Bezier,
    /// Cubic with rates from the neighbouring keys; rotations are normalised.
    CatmullRom,
}
crate::identity!(
    enum Interpolation {
        Step,
        Linear,
        Slerp,
        Hermite,
        Bezier,
        CatmullRom,
    }
);

/// Time and value of a handle of a Bézier piece.
pub type Handle<const D: usize> = (f64, [f64; D]);

/// A value at a time, and the interpolation around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key<const D: usize> {
    /// Time of the key; finite, and later than the previous key.
    pub time: f64,
    /// Value at that time.
    pub value: [f64; D],
    /// Interpolation of the piece that begins here.
    pub interpolation: Interpolation,
    /// Time derivatives of the value just before and just after the key, for Hermite pieces.
    pub rates: [[f64; D]; 2],
    /// Handles before and after the key, for Bézier pieces. The time of a handle is strictly
    /// between its key and the neighbour on that side.
    pub handles: [Option<Handle<D>>; 2],
}

impl<const D: usize> Key<D> {
    /// Creates a key followed by a linear piece.
    pub fn new(time: f64, value: [f64; D]) -> Self {
        let interpolation = Interpolation::Linear;
        Self { time, value, interpolation, rates: [[0.0; D]; 2], handles: [None; 2] }
    }

    /// Sets the interpolation of the piece that begins at this key.
    pub fn to_next(self, interpolation: Interpolation) -> Self {
        Self { interpolation, ..self }
    }

    /// Sets the rates of arriving and leaving, and makes the next piece Hermite.
    pub fn rates(self, arriving: [f64; D], leaving: [f64; D]) -> Self {
        Self { rates: [arriving, leaving], interpolation: Interpolation::Hermite, ..self }
    }

    /// Sets the handles before and after the key, and makes the next piece Bézier.
    pub fn handles(self, before: Handle<D>, after: Handle<D>) -> Self {
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

const KEYS: &str = "keys";

/// Returns an error about a key unless `is_fine`.
fn refuse_unless(is_fine: bool, key: usize, expected: &'static str) -> Result<(), BadOption> {
    BadOption::unless(is_fine, KEYS, expected).map_err(|bad| bad.of_entry(key))
}

/// Checks the keys of a track. There must be at least one, numbers must be finite, and times must
/// increase. Bézier pieces need handles at times within the piece.
fn check<const D: usize>(keys: &[Key<D>]) -> Result<(), BadOption> {
    BadOption::unless(!keys.is_empty(), KEYS, "at least one key")?;
    for (i, key) in keys.iter().enumerate() {
        refuse_unless(key.is_finite(), i, "finite numbers")?;
        let rises = i == 0 || keys[i - 1].time < key.time;
        refuse_unless(rises, i, "a time later than the time of the previous key")?;
    }
    for (i, pair) in keys.windows(2).enumerate() {
        if pair[0].interpolation != Interpolation::Bezier {
            continue;
        }
        let is_inside = |handle: &Handle<D>| pair[0].time < handle.0 && handle.0 < pair[1].time;
        const AFTER: &str =
            "a handle after it, at a time between the two keys: Bezier(after: (time, value))";
        const BEFORE: &str =
            "a handle before it, at a time between the two keys: Bezier(before: (time, value))";
        for (key, handle, side) in
            [(i, &pair[0].handles[1], AFTER), (i + 1, &pair[1].handles[0], BEFORE)]
        {
            let is_fine = handle.as_ref().is_some_and(is_inside);
            refuse_unless(is_fine, key, side)?;
        }
    }
    Ok(())
}

/// Validated keys, stored so that a lookup reads little memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Keys<const D: usize> {
    times: Vec<f64>,
    values: Vec<[f64; D]>,
    kinds: Vec<Interpolation>,
    /// Rates of all keys; empty if there are no Hermite pieces.
    rates: Vec<[[f64; D]; 2]>,
    /// Handles of all keys; empty if there are no Bézier pieces.
    handles: Vec<[Handle<D>; 2]>,
}
crate::identity!([const D: usize] Keys[D] { times, values, kinds, rates, handles });

impl<const D: usize> Keys<D> {
    /// Creates keys, which must be in order of time.
    pub(crate) fn new(keys: &[Key<D>]) -> Result<Self, BadOption> {
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

    /// Returns the location of a time among the keys.
    pub(crate) fn find(&self, t: f64) -> Location {
        spans::find(self.times.len(), |i| self.times[i], t)
    }

    /// Returns the times of all keys.
    pub(crate) fn times(&self) -> &[f64] {
        &self.times
    }

    /// Returns the values of all keys.
    pub(crate) fn values(&self) -> &[[f64; D]] {
        &self.values
    }

    /// Returns the interpolation of the piece after a key.
    pub(crate) fn kind(&self, i: usize) -> Interpolation {
        self.kinds[i]
    }

    /// Returns the range from the first key to the last.
    pub(crate) fn extent(&self) -> Extent {
        let ends = self.times.first().zip(self.times.last());
        ends.map_or(Extent::Still, |(first, last)| Extent::Bounded(*first, *last))
    }

    /// Whether a component of all values, rates and handles is 0.
    pub(crate) fn vanishes(&self, component: usize) -> bool {
        let handles = self.handles.iter().flatten().map(|(_, value)| value);
        let mut all = self.values.iter().chain(self.rates.iter().flatten()).chain(handles);
        all.all(|value| value.get(component) == Some(&0.0))
    }

    /// Evaluates the piece after key i, which must not be the last. `value` returns the values of
    /// keys. Slerp pieces are linear here.
    pub(crate) fn piece(
        &self,
        i: usize,
        t: f64,
        value: impl Fn(usize) -> [f64; D],
    ) -> PlaceAndRate<D> {
        self.shape(i, value).at(t)
    }

    /// Returns the minimum and the maximum of each component.
    fn extremes(&self) -> [Extremes; D] {
        let last = self.times.len() - 1;
        let end = self.values[last].map(|value| Extremes::constant(self.times[last], value));
        (0..last).rev().fold(end, |all, i| {
            let piece = self.shape(i, |k| self.values[k]);
            from_fn(|axis| piece.extremes(axis).with(all[axis]))
        })
    }

    /// Returns the shape of the piece after key i, which must not be the last.
    fn shape(&self, i: usize, value: impl Fn(usize) -> [f64; D]) -> PieceShape<D> {
        let [first, last] = [i, i + 1].map(|k| (self.times[k], value(k)));
        let knot = |(t, point): (f64, [f64; D]), tangent| Knot { t, point, tangent };
        match self.kinds[i] {
            Interpolation::Step => PieceShape::Held(first),
            Interpolation::Linear | Interpolation::Slerp => PieceShape::Straight(first, last),
            Interpolation::Hermite => {
                let (out, into) = (self.rates[i][1], self.rates[i + 1][0]);
                PieceShape::Cubic(knot(first, out), knot(last, into))
            }
            Interpolation::CatmullRom => {
                let [before, after] = [i.saturating_sub(1), (i + 2).min(self.times.len() - 1)];
                let out = rate(value(before), last.1, last.0 - self.times[before]);
                let into = rate(first.1, value(after), self.times[after] - first.0);
                PieceShape::Cubic(knot(first, out), knot(last, into))
            }
            Interpolation::Bezier => {
                let [out, into] = [self.handles[i][1], self.handles[i + 1][0]];
                PieceShape::Handles([first, out, into, last])
            }
        }
    }
}

/// A time and a value.
type Timed<const D: usize> = (f64, [f64; D]);

/// A piece between two keys.
enum PieceShape<const D: usize> {
    /// Constant at the value of its first key.
    Held(Timed<D>),
    /// Linear between two keys.
    Straight(Timed<D>, Timed<D>),
    /// Cubic with rates at its ends.
    Cubic(Knot<D>, Knot<D>),
    /// Cubic with handles that have their own times.
    Handles([Timed<D>; 4]),
}

impl<const D: usize> PieceShape<D> {
    /// Returns the value and the rate at a time.
    fn at(&self, t: f64) -> PlaceAndRate<D> {
        match *self {
            Self::Held((_, value)) => (value, [0.0; D]),
            Self::Straight(first, last) => spans::linear(first.0, first.1, last.0, last.1, t),
            Self::Cubic(first, last) => hermite(first, last, t),
            Self::Handles(points) => handle_piece(points, t),
        }
    }

    /// Returns the minimum and the maximum of a component.
    fn extremes(&self, axis: usize) -> Extremes {
        let straight = |from: f64, to: f64| move |s: f64| from + (to - from) * s;
        match self {
            Self::Held((t, value)) => Extremes::constant(*t, value[axis]),
            Self::Straight((t0, from), (t1, to)) => {
                Extremes::of_piece(&[from[axis], to[axis]], straight(*t0, *t1))
            }
            Self::Cubic(from, to) => {
                let third = (to.t - from.t) / 3.0;
                let inner = from.point[axis] + third * from.tangent[axis];
                let outer = to.point[axis] - third * to.tangent[axis];
                let coefficients = [from.point[axis], inner, outer, to.point[axis]];
                Extremes::of_piece(&coefficients, straight(from.t, to.t))
            }
            Self::Handles(points) => {
                let times = points.map(|point| [point.0]);
                let time = |s| bezier(times, s).0[0];
                Extremes::of_piece(&points.map(|point| point.1[axis]), time)
            }
        }
    }
}

/// A value that is interpolated between keys, and constant before the first and after the last. At
/// the time of a key, the value is bit-identical to the key's value, and the rate belongs to the
/// piece that begins there.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyTrack<const D: usize> {
    keys: Keys<D>,
}
crate::identity!([const D: usize] KeyTrack[D] { keys });

impl<const D: usize> KeyTrack<D> {
    /// Creates a track from keys in order of time.
    ///
    /// # Errors
    /// Returns an error if there is no key, a number is not finite, or times do not increase. A
    /// Bézier piece without a handle between its keys is also an error, and so is a Slerp piece,
    /// which is for rotations only.
    pub fn new(keys: Vec<Key<D>>) -> Result<Self, BadOption> {
        for (i, key) in keys.iter().enumerate() {
            let is_fine = key.interpolation != Interpolation::Slerp;
            refuse_unless(is_fine, i, "a piece other than Slerp, which is only for rotations")?;
        }
        Ok(Self { keys: Keys::new(&keys)? })
    }

    /// Creates a track with linear pieces between times and values.
    ///
    /// # Errors
    /// Returns the errors of [`KeyTrack::new`].
    pub fn linear(keys: &[(f64, [f64; D])]) -> Result<Self, BadOption> {
        Self::new(keys.iter().map(|&(time, value)| Key::new(time, value)).collect())
    }

    /// Returns the times of all keys.
    pub fn times(&self) -> &[f64] {
        self.keys.times()
    }

    /// Returns the values of all keys.
    pub fn values(&self) -> &[[f64; D]] {
        self.keys.values()
    }

    /// Returns the key whose value the track has exactly at time `t`: a key at that time, or the
    /// outermost key outside.
    pub(super) fn resting(&self, t: f64) -> Option<usize> {
        match self.keys.find(t) {
            Location::Key(i) => Some(i),
            Location::Behind(i) => (self.keys.times[i] == t).then_some(i),
        }
    }
}

impl<const D: usize> Track<D> for KeyTrack<D> {
    fn at(&self, t: f64) -> PlaceAndRate<D> {
        let keys = &self.keys;
        let i = match keys.find(t) {
            Location::Key(i) => return (keys.values[i], [0.0; D]),
            Location::Behind(i) => i,
        };
        let (value, rate) = keys.piece(i, t, |k| keys.values[k]);
        (if keys.times[i] == t { keys.values[i] } else { value }, rate)
    }

    fn extent(&self) -> Extent {
        self.keys.extent()
    }

    fn extremes(&self) -> Option<[Extremes; D]> {
        Some(self.keys.extremes())
    }

    fn vanishes(&self, component: usize) -> bool {
        self.keys.vanishes(component)
    }
}

/// Maximum number of iterations for s of a Bézier piece. Newton's method doubles the number of
/// digits per iteration. If its step leaves the bracket, a bisection adds one bit.
const HANDLE_STEPS: usize = 60;

/// Returns the value and its rate at a time between the first and the last control point, for a
/// Bézier piece whose handles have their own times.
///
/// (t, v)(s) = Σ B_j(s) (t_j, v_j) with cubic Bernstein polynomials. The value at a time follows
/// from the s at which t(s) is that time. Both inner times are strictly between the outer ones, so
/// t'(s) > 0 everywhere and s is the only root. The rate is dv/dt = v'(s)/t'(s). With handles at
/// thirds of the piece, t(s) is linear and v(s) an ordinary Bézier curve. Source: Farin, "Curves
/// and Surfaces for CAGD", 4 and 13.
fn handle_piece<const D: usize>(points: [(f64, [f64; D]); 4], t: f64) -> PlaceAndRate<D> {
    let times = points.map(|point| [point.0]);
    let s = handle_root(times, t);
    let (_, [speed]) = bezier(times, s);
    let (value, slope) = bezier(points.map(|point| point.1), s);
    (value, slope.map(|component| component / speed))
}

/// Returns the s from 0 to 1 at which the cubic through `times` equals `t`.
fn handle_root(times: [[f64; 1]; 4], t: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut s = (t - times[0][0]) / (times[3][0] - times[0][0]);
    for _ in 0..HANDLE_STEPS {
        let ([time], [speed]) = bezier(times, s);
        let off = time - t;
        if off > 0.0 {
            high = s;
        } else {
            low = s;
        }
        let newton = s - off / speed;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        if next == s {
            break;
        }
        s = next;
    }
    s
}
