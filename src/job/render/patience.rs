//! How long the steady-state comparison waits for bodies to rest: about as long as the frames take,
//! unless somebody asks for more.
//!
//! What is counted is estimated work, not time, so that the picture is the same on every machine.

use crate::scene::{Scene, limits::frame_cost};
use crate::sim::Setup;
use std::sync::Arc;

/// Waiting may take so many estimated seconds of one core at least.
pub(crate) const LEAST_SECONDS: f64 = 5.0;

/// How long bodies of a scene are waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Patience {
    /// Seconds that a frame of all bodies takes.
    a_frame: f64,
    /// The last frame that all bodies may reach while they are waited for.
    frames: u64,
    /// What was asked for, in nanoseconds.
    asked: Option<u64>,
}

impl Patience {
    /// `asked` is how many seconds of one core somebody wants to spend. `last` is the last frame
    /// that is rendered, which bodies reach in any case.
    pub(super) fn new(scene: &Scene, asked: Option<f64>, last: u64) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let a_frame: f64 = bodies.map(|body| 1e-9 * frame_cost(&body.setup) as f64).sum();
        let seconds = asked.unwrap_or(LEAST_SECONDS.max(a_frame * last as f64));
        // A scene that takes no time, or infinite seconds, give more than any limit of a scene.
        let asked = asked.map(|seconds| (1e9 * seconds) as u64);
        Self { a_frame, frames: ((seconds / a_frame) as u64).max(last), asked }
    }

    /// The frame after which the bodies of a panel are given up, where its scene says `limit`.
    pub(super) fn limit(self, limit: u64, last: u64) -> u64 {
        limit.max(last).min(self.frames)
    }

    /// The setup of a body while it is waited for: whoever asks for more time allows more work.
    pub(super) fn allow(self, setup: &Arc<Setup>) -> Arc<Setup> {
        let mut setup = Arc::clone(setup);
        if let Some(asked) = self.asked.filter(|asked| *asked > setup.budget.work) {
            Arc::make_mut(&mut setup).budget.work = asked;
        }
        setup
    }

    /// How to wait up to the frame `limit`, where waiting ends before.
    pub(super) fn way_on(self, limit: u64) -> Option<String> {
        let seconds = (self.a_frame * limit as f64).ceil();
        (limit > self.frames).then(|| {
            format!(
                "note: waiting for rest ended at frame {}, so steady.png shows what moved there; --steady-time {seconds} waits up to frame {limit}, the rest.limit of the scene",
                self.frames
            )
        })
    }
}
