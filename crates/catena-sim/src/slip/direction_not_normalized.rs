//! A spring force along the vector between its ends, where the unit vector belongs: the length of
//! the spring multiplies the force.

use super::{Slip, SlipInfo, SlipTarget};
use crate::body::Spring;
use crate::force::{ElasticSprings, SpringForce, SpringLaw};
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
        symptom: "my rope is far too stiff and explodes at steps at which others run, whatever k is",
        correct: "The force is k (length - rest) along the unit vector (b - a) / length.",
        options: &[],
    };
}

impl Slip for DirectionNotNormalized {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        target.needs_spring_forces(Self::INFO.name)?;
        let mut has_springs = false;
        for force in target.forces.iter_mut() {
            let Some(SpringForce::Elastic { law, part }) = force.spring_force() else { continue };
            if !law.is_linear() {
                return Err(format!(
                    "{} is a slip of springs with law: Hooke, and the law here is {}: \
                     leave `law` out",
                    Self::INFO.name,
                    law.info().name
                ));
            }
            let law = Arc::new(HookeTimesLength {});
            *force = Arc::new(ElasticSprings { law, part });
            has_springs = true;
        }
        if has_springs {
            return Ok(());
        }
        Err("there are no springs whose direction could go wrong, or another slip has replaced \
             them: write DirectionNotNormalized first"
            .into())
    }

    /// Returns `true`: the springs are still springs, of another law.
    fn keeps_limit(&self) -> bool {
        true
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
