//! Numbers and scales that stay as they are, or that a curve moves.

use crate::scene::diagnostic::Fault;
use crate::scene::layered::FieldValue;
use crate::scene::over_time::VectorOverTime;
use crate::scene::read::FromRon;
use crate::scene::values::{Finite, Positive};
use crate::sim::BadSetup;
use crate::sim::drive::track::{Animated, SplineTrack, WrittenKey, WrittenTrack};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// How curves of any value are written.
pub(super) const CURVE: &str =
    "[(time, value, piece), …], Keys(keys: …, repeat: …) or BSpline(degree: …, points: …)";

/// A B-spline of values.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenSpline<V> {
    /// Its degree.
    #[serde(default = "cubic")]
    pub(super) degree: usize,
    /// Its control points.
    pub(super) points: Vec<V>,
    /// Its knots; left out, evenly from `start` to `end`, beginning and ending at the outer points.
    #[serde(default)]
    pub(super) knots: Option<Vec<f64>>,
    /// When it begins, where no knots are written.
    #[serde(default)]
    pub(super) start: f64,
    /// When it ends, where no knots are written.
    #[serde(default)]
    pub(super) end: Option<f64>,
}

fn cubic() -> usize {
    3
}

impl<V> WrittenSpline<V> {
    /// The spline of its points as components.
    pub(super) fn track<const D: usize>(
        &self,
        value: impl Fn(&V) -> [f64; D],
    ) -> Result<SplineTrack<D>, BadSetup> {
        let points = self.points.iter().map(value).collect();
        match (&self.knots, self.end) {
            (Some(knots), None) => SplineTrack::new(self.degree, knots.clone(), points),
            (None, Some(end)) => SplineTrack::clamped(self.degree, (self.start, end), points),
            _ => Err(BadSetup::new("knots", "expected either `knots`, or `start` and `end`")),
        }
    }
}

/// A curve of values as it is written.
#[derive(Clone, Debug)]
pub(super) enum WrittenCurve<V> {
    /// From key to key.
    Keys(WrittenTrack<V>),
    /// Near control points.
    Spline(WrittenSpline<V>),
}

impl<V: DeserializeOwned> WrittenCurve<V> {
    /// Reads a curve; `None` where the text is none, but a value.
    pub(super) fn read(text: &str) -> Result<Option<Self>, Fault> {
        let bare = text.trim_start();
        if bare.starts_with('[') {
            let keys = Vec::<WrittenKey<V>>::from_ron(text)?;
            return Ok(Some(Self::Keys(WrittenTrack::new(keys))));
        }
        let moved = |name: &str, fault: Fault| fault.moved(text.len() - bare.len() + name.len());
        if let Some(rest) = bare.strip_prefix("Keys") {
            let track = WrittenTrack::from_ron(rest).map_err(|fault| moved("Keys", fault))?;
            return Ok(Some(Self::Keys(track)));
        }
        if let Some(rest) = bare.strip_prefix("BSpline") {
            let spline = WrittenSpline::from_ron(rest).map_err(|fault| moved("BSpline", fault))?;
            return Ok(Some(Self::Spline(spline)));
        }
        Ok(None)
    }

    /// The curve of values of D components.
    pub(super) fn track<const D: usize>(
        &self,
        value: impl Fn(&V) -> [f64; D],
    ) -> Result<Animated<D>, BadSetup> {
        match self {
            Self::Keys(keys) => keys.track(value),
            Self::Spline(spline) => spline.track(value).map(Animated::moving),
        }
    }
}

/// The fault of a curve that cannot be.
pub(super) fn fault(bad: &BadSetup, text: &str) -> Fault {
    Fault::new(format!("`{}` of the curve: {}", bad.field, bad.message)).at(0..text.len())
}

/// A number, or a curve of numbers.
#[derive(Clone, Debug)]
pub struct NumberTrack(pub Animated<1>);

impl FromRon for NumberTrack {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        match WrittenCurve::<Finite>::read(text)? {
            None => Finite::from_ron(text).map(|number| Self(Animated::number(number.0))),
            Some(curve) => {
                curve.track(|number| [number.0]).map(Self).map_err(|bad| fault(&bad, text))
            }
        }
    }
}

impl FieldValue for NumberTrack {
    fn expected() -> String {
        format!("{}; or a curve: {CURVE}", Finite::expected())
    }
}

/// A scale along all axes, or one for each; it may move.
#[derive(Clone, Debug)]
pub enum ScaleTrack {
    /// Alike along all axes.
    Even(Animated<1>),
    /// Along each axis.
    Each(VectorOverTime),
}

impl FromRon for ScaleTrack {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        let bare = text.trim_start();
        if bare.starts_with('(') || bare.starts_with(char::is_alphabetic) {
            return VectorOverTime::from_ron(text).map(Self::Each);
        }
        match WrittenCurve::<Positive>::read(text)? {
            None => Positive::from_ron(text).map(|number| Self::Even(Animated::number(number.0))),
            Some(curve) => {
                let track = curve.track(|number| [number.0]);
                track.map(Self::Even).map_err(|bad| fault(&bad, text))
            }
        }
    }
}

impl FieldValue for ScaleTrack {
    fn expected() -> String {
        format!("{}, or a vector of them; or a curve: {CURVE}", Positive::expected())
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        if let Self::Each(vector) = self {
            vector.vectors(path, all);
        }
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        if let Self::Each(vector) = self {
            vector.check_choices(path, faults);
        }
    }
}
