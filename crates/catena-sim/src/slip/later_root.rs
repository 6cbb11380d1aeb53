//! The later root of the quadratic for the time of a hit: nodes pass through each other and stop on
//! the opposite side.

use super::{Slip, SlipInfo, SlipTarget};
use crate::contact::ContactFault;
use serde::Deserialize;

/// Uses the time at which two nodes separate as the time at which they meet.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaterRoot {}
crate::identity!(LaterRoot {});

impl LaterRoot {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "LaterRoot",
        title: "later root",
        summary: "self-contact at (-b + sqrt(D)) / 2a, where nodes part instead of where they meet",
        symptom: "my rope passes through itself and then sticks to the far side",
        correct: "Of the two roots the earlier one is the hit: t = (-b - sqrt(D)) / 2a.",
        options: &[],
    };
}

impl Slip for LaterRoot {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        target.break_contact(ContactFault::LaterRoot)
    }

    /// Returns `true`: contacts do not affect the stability limit.
    fn keeps_limit(&self) -> bool {
        true
    }
}
