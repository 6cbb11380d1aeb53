//! Cubic pieces from key to key with given velocities: with h = t₁ - t₀ and s = (t - t₀)/h,
//! p = (1 - 3s² + 2s³) p₀ + (3s² - 2s³) p₁ + h s(1-s)² m₀ - h s²(1-s) m₁.
//!
//! Position and velocity are continuous. The curve rests before the first key and from the last key
//! on. Source: Hermite 1878; Farin, "Curves and Surfaces for CAGD", 7.5.

use super::{Curve, keys};
use crate::body::curve::spans::{Knot, Location, PlaceAndRate, find, hermite};
use crate::drive::track::{Extremes, Key};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// Curve of cubic pieces between keys with given velocities.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hermite {
    /// Time, position and velocity of each key, in order of time.
    pub keys: Vec<(f64, Components, Components)>,
}
crate::identity!(Hermite { keys });

const KEYS: OptionInfo = OptionInfo {
    name: "keys",
    summary: "times, positions and velocities: [(0, (0, 0), (10, 0)), (2.5, (100, 0), (0, 0))]",
    default: OptionInfo::NEEDED,
    range: "at least one (time, point, tangent), the times finite and each later than the one before it",
    unit: OptionInfo::OF_KEYS,
    ..OptionInfo::PLAIN
};

impl Hermite {
    pub(super) const INFO: Info = Info {
        name: "Hermite",
        summary: "cubic pieces between keys, with the velocities given at the keys",
        options: &[KEYS],
    };

    fn knot(&self, i: usize) -> Knot {
        let (t, point, tangent) = &self.keys[i];
        Knot { t: *t, point: point.xyz(), tangent: tangent.xyz() }
    }
}

impl Curve for Hermite {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let times: Vec<f64> = self.keys.iter().map(|key| key.0).collect();
        keys::check_times(&KEYS, &times)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        keys::check_points(&KEYS, self.keys.iter().map(|key| [&key.1, &key.2]), axes)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        self.keys.iter().map(|key| (key.0, key.1.xyz())).collect()
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        let key = |(t, point, rate): &(f64, Components, Components)| {
            Key::new(*t, point.xyz()).rates(rate.xyz(), rate.xyz())
        };
        keys::extremes(self.keys.iter().map(key))
    }

    fn at(&self, t: f64) -> PlaceAndRate {
        match find(self.keys.len(), |i| self.keys[i].0, t) {
            Location::Key(i) => (self.knot(i).point, [0.0; 3]),
            Location::Behind(i) => hermite(self.knot(i), self.knot(i + 1), t),
        }
    }
}
