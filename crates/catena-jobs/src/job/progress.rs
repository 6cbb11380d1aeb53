//! Progress reports of a running job, and its interruption.

use catena_sim::run::Path;
use std::time::{Duration, Instant};

/// Receiver of progress reports. Every method does nothing by default, and several threads may call
/// them at the same time.
pub trait Progress: Sync {
    /// Called when progress counts other items than frames. `_what` is their plural noun, such as
    /// `rows`.
    fn counts(&self, _what: &'static str) {}

    /// Called when the frames begin. There will be `_total` frames, of which `_there` already
    /// exist.
    fn begin(&self, _total: u64, _there: u64) {}

    /// Called when one more frame has been written or passed on.
    fn frame(&self) {}

    /// Called with a message for the user, which starts with `note:`.
    fn note(&self, _text: &str) {}

    /// Called when part `_number` of `_of` of a report begins. Numbers start at 1.
    fn part(&self, _name: &str, _number: u64, _of: u64) {}

    /// Called with the progress within the part: `_done` of at most `_all` units.
    fn part_reached(&self, _done: u64, _all: u64) {}

    /// Called when all bodies start to settle, for at most `_frames` frames in total.
    fn settling_started(&self, _frames: u64) {}

    /// Called when a settling body has reached `_frame` of at most `_limit`.
    fn settling(&self, _frame: u64, _limit: u64) {}

    /// Called when a body has stopped settling, `_saved` frames before its limit.
    fn settled(&self, _saved: u64) {}

    /// Called when all bodies have stopped settling.
    fn settling_ended(&self) {}

    /// Called with the execution path of a body's steps in its last frame.
    fn path(&self, _body: &str, _path: &Path) {}

    /// Called with the time that one thread spent on a stage of the work.
    fn spent(&self, _stage: Stage, _time: Duration) {}
}

/// Discards all reports.
impl Progress for () {}

/// Request to end a job early.
pub trait Interruption: Sync {
    /// Whether the job should end. Jobs call this between frames, so it must be fast.
    fn is_set(&self) -> bool;

    /// Called before the first query. Until then a job may work for a long time without a query,
    /// for example while it verifies existing frames.
    fn started(&self) {}
}

/// Never ends a job.
impl Interruption for () {
    fn is_set(&self) -> bool {
        false
    }
}

/// Ends a job as soon as the function returns true.
impl<F: Fn() -> bool + Sync> Interruption for F {
    fn is_set(&self) -> bool {
        self()
    }
}

/// A stage of the work, whose time is reported to [`Progress::spent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading the scene, computing the layout and preparing the folder.
    Prepare,
    /// Simulating frames.
    Simulate,
    /// Drawing frames.
    Draw,
    /// Encoding frames as PNG.
    Encode,
    /// Hashing files.
    Hash,
    /// Writing files or passing frames on.
    Write,
    /// Simulating until bodies are at rest.
    Settle,
    /// Drawing and writing the steady-state comparison.
    Steady,
}

/// Runs `work` and reports its duration.
pub(crate) fn time<R>(progress: &dyn Progress, stage: Stage, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    progress.spent(stage, start.elapsed());
    result
}
