//! Frames of a scene in memory. All panels are simulated, frame after frame; each frame has the
//! shapes to draw and the hash of its states. The module uses no clock, file or process.

mod ahead;
mod batches;
mod runs;

pub use ahead::{FramesAhead, Lookahead, simulate_ahead};
pub use batches::Batches;
pub use runs::{SceneCheckpoint, SceneRuns};

use crate::PanelFrame;
use catena_scene::{Body, Scene};

/// Approximate size of a body in a frame without its positions, in bytes.
const BODY_BYTES: usize = 2048;
/// Approximate ratio of the memory that positions occupy in a frame to the size of the positions
/// alone.
const BODY_FACTOR: usize = 4;

/// A frame that is simulated and not drawn yet.
#[derive(Clone, Debug)]
pub struct SimulatedFrame {
    /// Number of the frame.
    pub frame: u64,
    /// All panels, in the order of the scene.
    pub panels: Vec<PanelFrame>,
    /// All panels at the moments of the frame that motion blur mixes; empty for a sharp frame.
    pub moments: Vec<Vec<PanelFrame>>,
    /// All panels at the previous frame, if one exists and was kept.
    pub before: Option<Vec<PanelFrame>>,
    /// SHA-256 of the states of all bodies, in hexadecimal.
    pub state_sha256: String,
}

/// Bytes of the positions of a frame, including its ghosts and trails.
pub fn position_bytes(scene: &Scene) -> usize {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let bytes = |body: &Body| {
        let positions = body.setup.initial.x.len() * size_of::<f64>();
        let trails = body.trails.len() * size_of::<[f64; 3]>();
        let ghosts = positions.saturating_mul(1 + body.style.ghosts as usize);
        ghosts.saturating_add(trails.saturating_mul(body.style.trail_frames as usize))
    };
    let moments = scene.motion_blur.map_or(1, |blur| 1 + blur.samples as usize);
    bodies.map(bytes).fold(0, usize::saturating_add).saturating_mul(moments)
}

/// Approximate number of bytes of a frame in memory; at least 1.
pub fn frame_bytes(scene: &Scene) -> usize {
    let count: usize = scene.panels.iter().map(|panel| panel.bodies.len()).sum();
    BODY_FACTOR.saturating_mul(position_bytes(scene)).saturating_add(BODY_BYTES * count).max(1)
}
