//! Changes gravity from the event on.

use super::{Action, Target};
use crate::named::{BadOption, Components, Info, OptionInfo};
use serde::Deserialize;

/// Action that changes gravity.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gravity {
    /// Acceleration of gravity after the event.
    pub acceleration: Components,
}
crate::identity!(Gravity { acceleration });

const ACCELERATION: OptionInfo = OptionInfo {
    name: "acceleration",
    summary: "new acceleration of gravity",
    default: OptionInfo::NEEDED,
    range: Components::EXPECTED,
    unit: "length/time²",
    ..OptionInfo::PLAIN
};

impl Gravity {
    pub(super) const INFO: Info =
        Info { name: "Gravity", summary: "changes gravity", options: &[ACCELERATION] };
}

impl Action for Gravity {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.acceleration.check(&ACCELERATION, axes)
    }

    fn words(&self) -> String {
        format!("Gravity(acceleration: {})", self.acceleration)
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        let acceleration = self.acceleration.on(target.model().axes);
        target.set_gravity(&acceleration);
        Ok(Vec::new())
    }
}
