//! Straight lines from key to key: p = p₀ + (p₁ - p₀)(t - t₀)/(t₁ - t₀) between (t₀, p₀) and (t₁,
//! p₁). The curve rests before the first key and after the last. At a key, the velocity equals the
//! velocity of the line that begins there; at the last key it is 0.

use super::{
    Curve,
    keys::{self, KEYS},
};
use crate::body::curve::spans::linear;
use crate::named::{BadOption, Components, Info};
use serde::Deserialize;

/// Curve of straight lines between keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// Time and position of each key, in order of time.
    pub keys: Vec<(f64, Components)>,
}
crate::identity!(Linear { keys });

impl Linear {
    pub(super) const INFO: Info = Info {
        name: "Linear",
        summary: "straight lines between keys, constant before the first and after the last",
        options: &[KEYS],
    };
}

impl Curve for Linear {
    fn info(&self) -> Info {
        Self::INFO
    }

    keys::keyed! {Linear}

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let next = self.keys.partition_point(|(time, _)| *time <= t);
        if next == 0 || next == self.keys.len() {
            let key = &self.keys[next.min(self.keys.len() - 1)];
            return (key.1.xyz(), [0.0; 3]);
        }
        let [(t0, from), (t1, to)] = [next - 1, next].map(|index| self.keys[index]);
        linear(t0, from.xyz(), t1, to.xyz(), t)
    }
}
