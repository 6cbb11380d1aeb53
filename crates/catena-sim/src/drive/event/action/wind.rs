//! Changes the wind from the event on. Wind has an effect only with drag.

use super::{Action, Target};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// Action that changes the wind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wind {
    /// Velocity of the medium after the event.
    pub velocity: Components,
}
crate::identity!(Wind { velocity });

const VELOCITY: OptionInfo = OptionInfo {
    name: "velocity",
    summary: "new velocity of the medium",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "length/time",
    ..OptionInfo::PLAIN
};

impl Wind {
    pub(super) const INFO: Info =
        Info { name: "Wind", summary: "changes the wind", options: &[VELOCITY] };
}

impl Action for Wind {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.velocity.check(&VELOCITY, axes)
    }

    fn words(&self) -> String {
        format!("Wind(velocity: {})", self.velocity)
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        let velocity = self.velocity.on(target.model().axes);
        target.set_wind(&velocity);
        Ok(Vec::new())
    }
}
