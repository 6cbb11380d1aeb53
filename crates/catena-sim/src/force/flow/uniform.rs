//! A flow with the same velocity everywhere and at all times.

use super::{EVEN, Flow, Gradient};
use crate::body::vector::{Vec3, norm};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// The velocity.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uniform {
    /// Velocity of the fluid, length/time.
    pub velocity: Components,
}
crate::identity!(Uniform { velocity });

const VELOCITY: OptionInfo = OptionInfo {
    name: "velocity",
    summary: "velocity of the fluid",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "length/time",
    ..OptionInfo::PLAIN
};

impl Uniform {
    pub(super) const INFO: Info = Info {
        name: "Uniform",
        summary: "the same velocity at every place and time",
        options: &[VELOCITY],
    };
}

impl Flow for Uniform {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.velocity.check(&VELOCITY, axes)
    }

    fn at(&self, _place: Vec3, _t: f64) -> Vec3 {
        self.velocity.xyz()
    }

    fn gradient(&self, _place: Vec3, _t: f64) -> Gradient {
        EVEN
    }

    fn fastest(&self) -> f64 {
        norm(self.velocity.xyz())
    }

    fn everywhere(&self, _t: f64) -> Option<Vec3> {
        Some(self.velocity.xyz())
    }
}
