//! What a job tells while it works, and what may end it early.

use catena_sim::run::Path;
use std::time::{Duration, Instant};

/// Is told how far a job is. Every method does nothing unless it is implemented; several threads
/// call them at once.
pub trait Progress: Sync {
    /// What is counted from here on is not frames but these, such as `rows`.
    fn counts(&self, _what: &'static str) {}

    /// The frames begin: `total` of them will be there at the end, and `there` are already.
    fn begin(&self, _total: u64, _there: u64) {}

    /// One more frame is written, or handed on.
    fn frame(&self) {}

    /// A person should know this sentence, which begins with `note:`.
    fn note(&self, _text: &str) {}

    /// A part of a report begins, the one of this number of so many; the first has number 1.
    fn part(&self, _name: &str, _number: u64, _of: u64) {}

    /// So much of the part is done, of at most `all`.
    fn part_reached(&self, _done: u64, _all: u64) {}

    /// All bodies begin to run until they rest, for at most `frames` frames together.
    fn settling_begins(&self, _frames: u64) {}

    /// A body on its way to rest has reached `frame`, of at most `limit`.
    fn settling(&self, _frame: u64, _limit: u64) {}

    /// A body is at rest or given up, `saved` frames before its limit.
    fn settled(&self, _saved: u64) {}

    /// No body runs on any more.
    fn settling_ends(&self) {}

    /// The steps of a body took this path in its last frame.
    fn path(&self, _body: &str, _path: &Path) {}

    /// A stage of the work took so long on one thread.
    fn spent(&self, _stage: Stage, _time: Duration) {}
}

/// Tells nobody.
impl Progress for () {}

/// Says whether a job is to end early.
pub trait Interruption: Sync {
    /// Whether it is. Jobs ask this between frames, so it should be quick.
    fn is_set(&self) -> bool;

    /// The job calls this before it asks for the first time. Until then it may take long without
    /// asking, as when it reads frames that are already there.
    fn begins(&self) {}
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

/// A part of the work whose time is told to [`Progress::spent`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading the scene, laying out its pictures and preparing the folder.
    Prepare,
    /// Simulating frames.
    Simulate,
    /// Drawing frames.
    Draw,
    /// Encoding frames as PNG.
    Encode,
    /// Hashing files.
    Hash,
    /// Writing files, or handing frames on.
    Write,
    /// Simulating on until bodies rest.
    Settle,
    /// Drawing and writing the steady-state comparison.
    Steady,
}

/// Does the work and tells how long it took.
pub(crate) fn time<R>(progress: &dyn Progress, stage: Stage, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    progress.spent(stage, start.elapsed());
    result
}
