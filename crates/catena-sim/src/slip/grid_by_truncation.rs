//! Grid for self-contact whose cell indices are truncated instead of rounded down, with the XOR of
//! the indices as the key of a cell. Pairs are found several times, or not at all.

use super::{Slip, SlipInfo, SlipTarget};
use crate::contact::ContactFault;
use serde::Deserialize;

/// Searches pairs of nodes in a grid whose cell indices are truncated instead of rounded down.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridByTruncation {}
crate::identity!(GridByTruncation {});

impl GridByTruncation {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "GridByTruncation",
        title: "grid by truncation",
        summary: "self-contact cells by (int)(x / width) with keys x ^ y: pairs count twice",
        symptom: "my rope bounces off itself too hard, and differently in other places",
        correct: "Cells are floor(x / width), keys are compared with the whole cell, and each pair \
                  counts once.",
        options: &[],
    };
}

impl Slip for GridByTruncation {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        target.break_contact(ContactFault::TruncatedGrid)
    }

    /// Returns `true`: contacts do not affect the stability limit.
    fn keeps_limit(&self) -> bool {
        true
    }
}
