//! A time step that is counted in frames: one frame counts as one unit of time.

use super::{ReplacedProperty, Slip, SlipInfo, SlipTarget};
use serde::Deserialize;

/// Simulates one unit of time per frame, for every frame time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtInFrames {}
crate::identity!(DtInFrames {});

impl DtInFrames {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "DtInFrames",
        title: "dt in frames",
        summary: "dt = 1/substeps instead of frame_time/substeps: a frame counts as a second",
        symptom: "my rope moves far too fast, or explodes with the constants that work elsewhere",
        correct: "The step is the time of a frame divided by its substeps: dt = frame_time / substeps.",
        options: &[],
    };
}

impl Slip for DtInFrames {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        if *target.frame_time == 1.0 {
            return Err("with a frame_time of 1, a frame is already a unit of time: set another \
                        frame_time, such as 0.016666667"
                .into());
        }
        *target.frame_time = 1.0;
        Ok(())
    }

    /// Returns `true`: only the step is different.
    fn keeps_limit(&self) -> bool {
        true
    }

    fn replaces(&self) -> Option<ReplacedProperty> {
        Some(ReplacedProperty::Step)
    }
}
