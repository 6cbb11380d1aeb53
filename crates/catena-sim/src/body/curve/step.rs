//! Piecewise constant positions: each key holds its position until the next one. The velocity is 0
//! everywhere, so a method sees a node whose position jumps between two steps.

use super::keys::KEYS;
use super::{Curve, keys};
use crate::body::curve::spans::{Location, PlaceAndRate, find};
use crate::named::{BadOption, Components, Info};
use serde::Deserialize;

/// Curve that jumps from key to key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Time and position of each key, in order of time.
    pub keys: Vec<(f64, Components)>,
}
crate::identity!(Step { keys });

impl Step {
    pub(super) const INFO: Info =
        Info { name: "Step", summary: "constant from each key to the next", options: &[KEYS] };
}

impl Curve for Step {
    fn info(&self) -> Info {
        Self::INFO
    }

    keys::keyed! {Step}

    fn jumps(&self) -> bool {
        true
    }

    fn at(&self, t: f64) -> PlaceAndRate {
        let (Location::Key(i) | Location::Behind(i)) = find(self.keys.len(), |i| self.keys[i].0, t);
        (self.keys[i].1.xyz(), [0.0; 3])
    }
}
