//! A spring force with the wrong sign: a stretched spring pushes its ends farther apart.

use super::{ReplacedProperty, Slip, SlipInfo, SlipTarget};
use crate::body::Spring;
use crate::force::{ElasticSprings, SpringLaw};
use crate::named::Info;
use serde::Deserialize;
use std::sync::Arc;

/// Reverses the force of every spring.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpringSignReversed {}
crate::identity!(SpringSignReversed {});

impl SpringSignReversed {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "SpringSignReversed",
        title: "spring force reversed",
        summary: "k (rest - length) along the spring, so that a stretched spring pushes its ends apart",
        symptom: "my rope shoots apart at once, whatever the step, and a larger k makes it faster",
        correct: "A stretched spring pulls a towards b: k (length - rest) (b - a) / length on a.",
        options: &[],
    };
}

impl Slip for SpringSignReversed {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.needs_spring_forces(slip)?;
        target.replace_linear_springs(slip, |part| {
            Arc::new(ElasticSprings { law: Arc::new(HookeReversed {}), part })
        })
    }

    fn replaces(&self) -> Option<ReplacedProperty> {
        Some(ReplacedProperty::Springs)
    }
}

/// Hooke's law with the opposite sign: T = -k (L - l).
#[derive(Debug)]
struct HookeReversed {}
crate::identity!(HookeReversed {});

impl SpringLaw for HookeReversed {
    fn info(&self) -> Info {
        Info { name: "HookeReversed", summary: "tension -k (L - l)", options: &[] }
    }

    fn tension(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        spring.stiffness * (spring.rest_length - length)
    }

    fn slope(&self, spring: &Spring, _length: f64, _plastic: f64) -> f64 {
        -spring.stiffness
    }

    fn energy(&self, spring: &Spring, length: f64, _plastic: f64) -> f64 {
        let stretch = length - spring.rest_length;
        -0.5 * spring.stiffness * stretch * stretch
    }
}
