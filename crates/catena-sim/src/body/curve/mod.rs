//! Curves: functions from time to position, one file each. Anchors move along them, gravity and
//! wind follow them, and ropes start along them.
//!
//! The `table!` call below lists them. To add a curve, add a file and a line there.

use crate::body::vector::norm;
use crate::drive::track::{Extent, Extremes};
use crate::identity::Identity;
use crate::named::{BadOption, Components, Info, Nested, table};
use glam::DQuat;
use serde::Deserializer;
use std::{fmt::Debug, sync::Arc};

/// A position and a velocity at every time.
pub trait Curve: Debug + Identity + Send + Sync {
    /// Name and options of the curve.
    fn info(&self) -> Info;

    /// Refuses options that are out of range, such as keys with decreasing times.
    fn check(&self) -> Result<(), BadOption>;

    /// Refuses points without exactly one component per axis.
    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption>;

    /// Position and velocity at a time; unused axes are 0.
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]);

    /// Times and positions of the keys or of the control points, in order.
    fn places(&self) -> Vec<(f64, [f64; 3])>;

    /// Interval of time in which the curve changes; [`Extent::Endless`] for curves that never stop
    /// changing. The default is the interval from the first to the last of [`Curve::places`].
    fn extent(&self) -> Extent {
        let places = self.places();
        let ends = places.first().zip(places.last());
        ends.map_or(Extent::Still, |(first, last)| Extent::Bounded(first.0, last.0))
    }

    /// Minimum and maximum of each component over all times, if known.
    fn extremes(&self) -> Option<[Extremes; 3]> {
        None
    }

    /// Rotation of the held object at a time; `None` if the curve has positions only.
    fn turn(&self, _t: f64) -> Option<DQuat> {
        None
    }

    /// Returns the curve for a run with another step, if the curve depends on the step; `None` for
    /// other curves.
    fn with_step(&self, _dt: f64) -> Option<Arc<dyn Curve>> {
        None
    }

    /// Number of sines that a value sums, for the cost estimate.
    fn sines(&self) -> u64 {
        0
    }

    /// Whether the position is discontinuous in time.
    fn jumps(&self) -> bool {
        false
    }

    /// File series, if this curve is a placeholder for the rows of a file.
    fn series(&self) -> Option<&Series> {
        None
    }
}

pub(crate) mod keys;
pub(crate) mod places;
pub(crate) mod spans;

table! {
    /// All curves, in the order of lists.
    CURVES: Info,
    /// Names of all curves, as scenes write them.
    CURVE_NAMES,
    Curve:
    linear::Linear,
    step::Step,
    hermite::Hermite,
    catmull_rom::CatmullRom,
    bezier::Bezier,
    b_spline::BSpline,
    keyed::Keys,
    gusts::Gusts,
    sine::Sine,
    series::Series,
}

pub use series::{SeriesFile, SeriesRow};

/// Names of the curves that other objects may contain: all except [`Series`], the last one. Its
/// file is read only if the curve is not part of another object.
const HELD_NAMES: &[&str] = match CURVE_NAMES.split_last() {
    Some((_series, others)) => others,
    None => &[],
};

impl Nested for dyn Curve {
    const KIND: &'static str = "curve";
    const NAMES: &'static [&'static str] = HELD_NAMES;

    fn read<'de, D: Deserializer<'de>>(
        name: &str,
        options: D,
    ) -> Option<Result<Box<Self>, D::Error>> {
        read(name, options)
    }
}

/// Number of samples of [`greatest`] between two keys.
const SAMPLES: u32 = 4;

/// Approximate maximum length of a curve's vector over all times. Samples keys, control points and
/// times between them.
pub fn greatest(curve: &dyn Curve) -> f64 {
    let places = curve.places();
    let keys = places.iter().map(|place| norm(place.1));
    let between = places.windows(2).flat_map(|pair| {
        let (from, step) = (pair[0].0, (pair[1].0 - pair[0].0) / f64::from(SAMPLES));
        (0..SAMPLES).map(move |sample| norm(curve.at(from + f64::from(sample) * step).0))
    });
    keys.chain(between).fold(0.0, f64::max)
}

/// Returns a curve that stays at one position of two or three components.
pub fn constant(place: &[f64]) -> Arc<dyn Curve> {
    let key: Components = match *place {
        [x, y, z] => [x, y, z].into(),
        [x, y] => [x, y].into(),
        _ => [f64::NAN; 2].into(),
    };
    Arc::new(Step { keys: vec![(0.0, key)] })
}
