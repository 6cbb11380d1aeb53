//! Sets the speed at which routes pay out rope from the event on. Every route follows, except those
//! whose drum has a motor.

use super::{Action, Target};
use crate::named::{BadOption, Info, OptionInfo};
use serde::Deserialize;

/// Action that sets the speed of winches.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Winch {
    /// Length of rope paid out per unit of time. A negative speed reels in, and 0 stops the winch.
    pub speed: f64,
}
crate::identity!(Winch { speed });

const SPEED: OptionInfo = OptionInfo {
    name: "speed",
    summary: "speed at which rope is paid out; below 0 reels in, 0 stops",
    default: OptionInfo::NEEDED,
    range: "a number from -1e100 to 1e100",
    unit: "length/time",
    ..OptionInfo::PLAIN
};

impl Winch {
    pub(super) const INFO: Info = Info {
        name: "Winch",
        summary: "pays out or reels in the ropes of routes from then on",
        options: &[SPEED],
    };
}

impl Action for Winch {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        SPEED.check(self.speed.abs() <= 1e100)
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    fn words(&self) -> String {
        format!("Winch(speed: {})", self.speed)
    }

    fn happen(&self, target: &mut dyn Target) -> Result<Vec<usize>, String> {
        target.set_winch(self.speed).then(Vec::new).ok_or_else(|| {
            "the body has no Route that a winch could feed: list one in `forces`, or use Reel to \
             change the length of a rope"
                .into()
        })
    }
}
