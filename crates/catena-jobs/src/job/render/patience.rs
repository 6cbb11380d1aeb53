//! How long the steady-state comparison waits for bodies to rest: about as long as the frames take,
//! unless somebody asks for more.
//!
//! What is counted is work, not time, so that the picture is the same on every machine. Estimates
//! say which frame may be reached at the most; what a run counts while it goes on, contacts and
//! iterations among it, may end the wait before.

use catena_base::text::number::short;
use catena_scene::{Scene, limits::frame_cost};
use catena_sim::Setup;
use std::sync::Arc;

/// Waiting may take so many counted seconds of one core at least.
pub const LEAST_SECONDS: f64 = 5.0;

/// How long bodies of a scene are waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Patience {
    /// Seconds that a frame of all bodies takes, as estimated.
    a_frame: f64,
    /// The last frame that all bodies may reach while they are waited for.
    frames: u64,
    /// The last frame that is rendered, which bodies reach in any case.
    last: u64,
    /// The seconds of one core that somebody wants to spend.
    asked: Option<f64>,
}

impl Patience {
    /// `asked` is how many seconds of one core somebody wants to spend. `last` is the last frame
    /// that is rendered, which bodies reach in any case.
    pub(super) fn new(scene: &Scene, asked: Option<f64>, last: u64) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let a_frame: f64 = bodies.map(|body| 1e-9 * frame_cost(&body.setup) as f64).sum();
        let seconds = asked.unwrap_or(LEAST_SECONDS.max(a_frame * last as f64));
        // A scene that takes no time, or infinite seconds, give more than any limit of a scene.
        Self { a_frame, frames: ((seconds / a_frame) as u64).max(last), last, asked }
    }

    /// The frame after which the bodies of a panel are given up, where its scene says `limit`.
    pub(super) fn limit(self, limit: u64) -> u64 {
        limit.max(self.last).min(self.frames)
    }

    /// The wait in words, which are the same for equal waits.
    pub(super) fn words(self) -> String {
        match self.asked {
            Some(seconds) => format!("{} s of one core", short(seconds)),
            None => format!(
                "as long as {} frames take, and at least {} s of one core",
                self.last + 1,
                short(LEAST_SECONDS)
            ),
        }
    }

    /// Whether a body that is at a frame is waited for any longer. It has counted `spent`
    /// nanoseconds so far, and `at_last` of them by the last frame that is rendered.
    pub(super) fn lasts(self, setup: &Setup, frame: u64, [spent, at_last]: [u64; 2]) -> bool {
        // The share of this body in the seconds of all.
        let share = 1e-9 * frame_cost(setup) as f64 / self.a_frame.max(1e-9);
        let nanoseconds = |seconds: f64| (1e9 * seconds * share) as u64;
        let most = match self.asked {
            Some(seconds) => nanoseconds(seconds),
            None => nanoseconds(LEAST_SECONDS).max(at_last),
        };
        frame < self.last || spent < most
    }

    /// The setup of a body while it is waited for: whoever asks for more time allows more work.
    pub(super) fn allow(self, setup: &Arc<Setup>) -> Arc<Setup> {
        let mut setup = Arc::clone(setup);
        let asked = self.asked.map(|seconds| (1e9 * seconds) as u64);
        if let Some(asked) = asked.filter(|asked| *asked > setup.budget.work) {
            Arc::make_mut(&mut setup).budget.work = asked;
        }
        setup
    }

    /// How to wait up to the frame `limit`, where waiting ended at `frame`, before that.
    pub(super) fn way_on(self, frame: u64, limit: u64) -> Option<String> {
        // What was counted may be more than was estimated.
        let waited = self.asked.unwrap_or(LEAST_SECONDS.max(self.a_frame * self.last as f64));
        let counted = waited / frame.max(1) as f64;
        let seconds = (self.a_frame.max(counted) * limit as f64).ceil();
        (limit > frame).then(|| {
            format!(
                "note: waiting for rest ended at frame {frame}, so steady.png shows what moved there; --steady-time {seconds} waits up to about frame {limit}, the rest.limit of the scene"
            )
        })
    }
}
