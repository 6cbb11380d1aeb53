//! Straight from key to key: between (t₀, p₀) and (t₁, p₁), p = p₀ + (p₁ - p₀)(t - t₀)/(t₁ - t₀). Before the first key and
//! after the last it stands still. At a key the velocity is that of the way that begins there; at the last it is 0.

use super::{
    Curve,
    keys::{self, KEYS},
};
use crate::named::Components;
use crate::named::{BadOption, Info};
use serde::Deserialize;

/// The curve and its keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// Time and place of each key, in order of time.
    pub keys: Vec<(f64, Components)>,
}

impl Linear {
    pub(super) const INFO: Info = Info {
        name: "Linear",
        summary: "straight from key to key, at rest outside",
        options: &[KEYS],
    };
}

impl Curve for Linear {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let times: Vec<f64> = self.keys.iter().map(|key| key.0).collect();
        keys::check_times(&KEYS, &times)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        keys::check_points(&KEYS, self.keys.iter().map(|key| &key.1), axes)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        self.keys.iter().map(|key| (key.0, key.1.xyz())).collect()
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let next = self.keys.partition_point(|(time, _)| *time <= t);
        if next == 0 || next == self.keys.len() {
            let key = &self.keys[next.min(self.keys.len() - 1)];
            return (key.1.xyz(), [0.0; 3]);
        }
        let ((t0, from), (t1, to)) = (self.keys[next - 1], self.keys[next]);
        let (from, to) = (from.xyz(), to.xyz());
        let velocity = [0, 1, 2].map(|axis| (to[axis] - from[axis]) / (t1 - t0));
        ([0, 1, 2].map(|axis| from[axis] + velocity[axis] * (t - t0)), velocity)
    }
}
