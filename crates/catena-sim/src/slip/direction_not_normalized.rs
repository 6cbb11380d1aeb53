//! A spring force along the vector between its ends instead of the unit vector. The force is
//! therefore multiplied by the length of the spring.

use super::{ReplacedProperty, Slip, SlipInfo, SlipTarget};
use crate::body::Spring;
use crate::force::{ElasticSprings, SpringLaw};
use crate::named::Info;
use serde::Deserialize;
use std::sync::Arc;

/// Multiplies the force of each spring by its length.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectionNotNormalized {}
crate::identity!(DirectionNotNormalized {});

impl DirectionNotNormalized {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "DirectionNotNormalized",
        title: "direction not normalized",
        summary: "k (length - rest) times the vector between the ends, without / length",
        symptom: "my rope is far too stiff and explodes at steps that work for other programs, \
                  whatever k is",
        correct: "The force is k (length - rest) along the unit vector (b - a) / length.",
        options: &[],
    };
}

impl Slip for DirectionNotNormalized {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.needs_spring_forces(slip)?;
        target.replace_linear_springs(slip, |part| {
            Arc::new(ElasticSprings { law: Arc::new(HookeTimesLength {}), part })
        })
    }

    /// Returns `true`: the springs only have a different law.
    fn keeps_limit(&self) -> bool {
        true
    }

    fn replaces(&self) -> Option<ReplacedProperty> {
        Some(ReplacedProperty::Springs)
    }
}

/// Hooke's law times the length: T = k (L - l) L.
#[derive(Debug)]
struct HookeTimesLength {}
crate::identity!(HookeTimesLength {});

impl SpringLaw for HookeTimesLength {
    fn info(&self) -> Info {
        Info { name: "HookeTimesLength", summary: "tension k (L - l) L", options: &[] }
    }

    fn tension(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        spring.stiffness * (length - spring.rest_length) * length
    }

    fn slope(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        spring.stiffness * (2.0 * length - spring.rest_length)
    }

    /// Returns the integral of the tension from the rest length l: k s² (l/2 + s/3) with s = L - l.
    fn energy(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let stretch = length - spring.rest_length;
        spring.stiffness * stretch * stretch * (0.5 * spring.rest_length + stretch / 3.0)
    }
}
