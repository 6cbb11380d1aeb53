//! A smooth curve through all keys, in cubic Hermite pieces. The velocity at key i is (p_{i+1} -
//! p_{i-1})/(t_{i+1} - t_{i-1}). At the first and the last key, it equals the velocity of the
//! straight line to the neighbouring key. Intervals of time between keys may differ.
//!
//! Position and velocity are continuous. The curve rests before the first key and from the last key
//! on. Source: Catmull and Rom 1974, "A class of local interpolating splines".

use super::keys::KEYS;
use super::{Curve, keys};
use crate::body::curve::spans::{Knot, Location, PlaceAndRate, find, hermite, rate};
use crate::named::{BadOption, Components, Info};
use serde::Deserialize;

/// Smooth curve through keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatmullRom {
    /// Time and position of each key, in order of time.
    pub keys: Vec<(f64, Components)>,
}
crate::identity!(CatmullRom { keys });

impl CatmullRom {
    pub(super) const INFO: Info = Info {
        name: "CatmullRom",
        summary: "smooth curve through all keys, with velocities derived from their neighbours",
        options: &[KEYS],
    };

    /// Key i with its velocity; there are at least two keys.
    fn knot(&self, i: usize) -> Knot {
        let (from, to) = (i.saturating_sub(1), (i + 1).min(self.keys.len() - 1));
        let ((t0, before), (t1, after)) = (self.keys[from], self.keys[to]);
        let tangent = rate(before.xyz(), after.xyz(), t1 - t0);
        Knot { t: self.keys[i].0, point: self.keys[i].1.xyz(), tangent }
    }
}

impl Curve for CatmullRom {
    fn info(&self) -> Info {
        Self::INFO
    }

    keys::keyed! {CatmullRom}

    fn at(&self, t: f64) -> PlaceAndRate {
        match find(self.keys.len(), |i| self.keys[i].0, t) {
            Location::Key(i) => (self.keys[i].1.xyz(), [0.0; 3]),
            Location::Behind(i) => hermite(self.knot(i), self.knot(i + 1), t),
        }
    }
}
