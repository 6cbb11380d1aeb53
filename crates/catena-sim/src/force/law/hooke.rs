//! Hooke's law: T = k (L - l).

use super::SpringLaw;
use crate::body::Spring;
use crate::force::formula::tension;
use crate::named::Info;
use serde::Deserialize;

/// The law, without options.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hooke {}
crate::identity!(Hooke {});

impl Hooke {
    pub(super) const INFO: Info =
        Info { name: "Hooke", summary: "tension k (L - l), also in compression", options: &[] };
}

impl SpringLaw for Hooke {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn tension(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        tension(spring.stiffness, length, spring.rest_length)
    }

    fn slope(&self, spring: &Spring, _length: f64, _plastic: f64) -> f64 {
        spring.stiffness
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn energy(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let stretch = length - spring.rest_length;
        0.5 * spring.stiffness * stretch * stretch
    }
}
