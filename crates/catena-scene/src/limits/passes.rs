//! Simulations before the first picture, which find the view and the limits of the colour scale.

use crate::limits::planned::{PlannedRun, bodies};
use crate::parts::{Body, Scene};
use crate::values::{ColorBy, Fit};

/// Maximum work of a pass over all bodies, in nanoseconds of one core.
pub const PASS_WORK: u64 = 1_500_000_000;

/// Maximum size of the frames that a pass keeps for the pictures, in bytes.
const KEPT: u64 = 64 << 20;
/// Approximate size of a kept frame per coordinate of its nodes, in bytes.
const BYTES: u64 = 32;

/// Returns the minimum work to simulate a body once for a number of frames, in nanoseconds.
pub fn pass_work(body: &Body, frames: u64) -> u128 {
    let frames = frames.saturating_add(body.setup.warm_up);
    body.setup.frame_cost().saturating_mul(frames.into())
}

/// Returns [`pass_work`] of all bodies.
pub fn whole_pass_work(scene: &Scene, frames: u64) -> u128 {
    bodies(scene).map(|body| pass_work(body, frames)).fold(0, u128::saturating_add)
}

/// Returns the maximum number of frames that a pass may simulate, at least 1.
pub fn affordable_frames(scene: &Scene) -> u64 {
    let each = whole_pass_work(scene, 1).max(1);
    let maximum = u64::try_from(u128::from(PASS_WORK) / each).unwrap_or(u64::MAX);
    maximum.clamp(1, scene.frames.max(1))
}

/// Whether the view of a scene is fitted to the bodies' positions in its frames.
pub fn shows_frames(scene: &Scene) -> bool {
    let is_fitted = scene.panels.iter().any(|panel| match scene.axes {
        2 => panel.view.is_none(),
        _ => panel.viewpoint.is_none(),
    });
    (is_fitted || scene.shapes_only) && scene.fit == Fit::Frames
}

/// Returns the number of frames that are simulated for the view and not kept for the pictures.
pub(super) fn pass_frames(scene: &Scene, run: &PlannedRun) -> u64 {
    if !shows_frames(scene) || whole_pass_work(scene, scene.frames) > PASS_WORK.into() {
        return 0;
    }
    if scene.motion_blur.is_some() || bodies(scene).any(Body::shows_forces) {
        return scene.frames;
    }
    let numbers: usize = bodies(scene).map(|body| body.setup.initial.x.len()).sum();
    let kept = KEPT / (BYTES * numbers as u64).max(1);
    scene.frames.saturating_sub(kept.max(1).saturating_add(run.from))
}

/// Returns the number of frames that are simulated for the scale of colours.
pub(super) fn scale_frames(scene: &Scene) -> u64 {
    let mut styles = bodies(scene).flat_map(|body| &body.part_styles);
    let needs = |style: &crate::parts::Style| {
        style.color_by != ColorBy::None && style.color_range.is_none()
    };
    if styles.any(needs) { affordable_frames(scene) } else { 0 }
}
