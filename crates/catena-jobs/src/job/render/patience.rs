//! Waiting time of the steady-state comparison: about as long as the frames take, unless the user
//! requests more.
//!
//! The wait counts work instead of time, so that the picture is the same on every machine.
//! Estimates limit the frame that may be reached. Work counted during the run, such as contacts and
//! iterations, may end the wait earlier.

use catena_base::text::number::short;
use catena_scene::{Scene, limits::frame_cost};
use catena_sim::Setup;
use std::sync::Arc;

/// Minimum wait, in counted seconds of one core.
pub const LEAST_SECONDS: f64 = 5.0;

/// Waiting time for the bodies of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Patience {
    /// Estimated seconds per frame of all bodies.
    a_frame: f64,
    /// Last frame that bodies may reach while the render waits for them.
    frames: u64,
    /// Last rendered frame, which bodies reach in any case.
    last: u64,
    /// Seconds of one core that the user allows.
    asked: Option<f64>,
}

impl Patience {
    /// `asked` is the number of seconds of one core that the user allows. `last` is the last
    /// rendered frame, which bodies reach in any case.
    pub(super) fn new(scene: &Scene, asked: Option<f64>, last: u64) -> Self {
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let a_frame: f64 = bodies.map(|body| 1e-9 * frame_cost(&body.setup) as f64).sum();
        let seconds = asked.unwrap_or(LEAST_SECONDS.max(a_frame * last as f64));
        // A free scene or infinite seconds give a number above any limit of a scene.
        Self { a_frame, frames: ((seconds / a_frame) as u64).max(last), last, asked }
    }

    /// Frame after which the bodies of a panel are given up. `limit` is the limit from the scene.
    pub(super) fn limit(self, limit: u64) -> u64 {
        limit.max(self.last).min(self.frames)
    }

    /// Description of the wait. Equal waits have equal descriptions.
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

    /// Whether to continue waiting for a body at `frame`. It has used `spent` nanoseconds so far,
    /// and `at_last` of them by the last rendered frame.
    pub(super) fn lasts(self, setup: &Setup, frame: u64, [spent, at_last]: [u64; 2]) -> bool {
        // Share of this body in the seconds of all bodies.
        let share = 1e-9 * frame_cost(setup) as f64 / self.a_frame.max(1e-9);
        let nanoseconds = |seconds: f64| (1e9 * seconds * share) as u64;
        let most = match self.asked {
            Some(seconds) => nanoseconds(seconds),
            None => nanoseconds(LEAST_SECONDS).max(at_last),
        };
        frame < self.last || spent < most
    }

    /// Setup of a body during the wait. A longer requested wait raises its work budget.
    pub(super) fn allow(self, setup: &Arc<Setup>) -> Arc<Setup> {
        let mut setup = Arc::clone(setup);
        let asked = self.asked.map(|seconds| (1e9 * seconds) as u64);
        if let Some(asked) = asked.filter(|asked| *asked > setup.budget.work) {
            Arc::make_mut(&mut setup).budget.work = asked;
        }
        setup
    }

    /// Advice on waiting up to frame `limit`, if the wait ended at an earlier `frame`.
    pub(super) fn way_on(self, frame: u64, limit: u64) -> Option<String> {
        // The counted work may exceed the estimate.
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
