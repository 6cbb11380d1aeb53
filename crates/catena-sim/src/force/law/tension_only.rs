//! A cord that only pulls: T = k (L - l) if it is longer than its rest length, otherwise 0.

use super::SpringLaw;
use crate::body::Spring;
use crate::named::Info;
use serde::Deserialize;

/// Hooke's law without compression.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TensionOnly {}
crate::identity!(TensionOnly {});

impl TensionOnly {
    pub(super) const INFO: Info = Info {
        name: "TensionOnly",
        summary: "tension k (L - l) of a stretched cord; no force when slack",
        options: &[],
    };
}

impl SpringLaw for TensionOnly {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn tension(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        spring.stiffness * (length - spring.rest_length).max(0.0)
    }

    /// Returns 0 at the rest length, where the slope is not defined.
    fn slope(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        if length > spring.rest_length { spring.stiffness } else { 0.0 }
    }

    fn energy(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let stretch = (length - spring.rest_length).max(0.0);
        0.5 * spring.stiffness * stretch * stretch
    }
}
