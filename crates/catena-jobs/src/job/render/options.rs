//! Options of a render.

use crate::job::{FrameChoice, FrameOrder, MOST_FRAMES, RunError, options::within};
use catena_scene::Limits;
use std::{path::PathBuf, time::Duration};

/// Options of a render into a folder.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderOptions {
    /// Frames to render.
    pub frames: FrameChoice,
    /// Order of the frames. If processes share the folder, pieces are always in ascending order.
    pub order: FrameOrder,
    /// Width and height in pixels, each from 64 to 8192, or to 16384 if the limits allow it. `None`
    /// uses the size of the scene.
    pub size: Option<[u32; 2]>,
    /// Shares the folder with other processes that render the same scene, on any machine. The value
    /// is the time without a heartbeat after which a process counts as dead, from a second to a
    /// day. `None` reserves the folder for this process.
    pub shared: Option<Duration>,
    /// Interval between checkpoints in frames, from 1 to [`MOST_FRAMES`]. `None` writes one every
    /// two seconds of work.
    pub checkpoint_every: Option<u64>,
    /// Frames at which checkpoints are written, in addition to the last frame. All of them are
    /// kept. If empty, `checkpoint_every` applies.
    pub checkpoint_at: Vec<u64>,
    /// Whether to draw the steady-state comparison, for which bodies are simulated until they are
    /// at rest.
    pub steady: bool,
    /// Time to wait for rest, in estimated seconds of one core; 0 or more, possibly infinite.
    /// `None` waits as long as the frames take, and at least five seconds.
    pub steady_time: Option<f64>,
    /// TrueType or OpenType file for letters that the built-in typeface lacks.
    pub font: Option<PathBuf>,
    /// Limits on the run.
    pub limits: Limits,
    /// Whether to replace frames of another source without a note, for example those of the scene
    /// before an edit.
    pub replaces_quietly: bool,
    /// Number of threads that draw, 1 to 1024. `None` uses the caller's rayon pool. The output does
    /// not depend on it.
    pub threads: Option<u16>,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            frames: FrameChoice::All,
            order: FrameOrder::Film,
            size: None,
            shared: None,
            checkpoint_every: None,
            checkpoint_at: Vec::new(),
            steady: true,
            steady_time: None,
            font: None,
            limits: Limits::default(),
            replaces_quietly: false,
            threads: None,
        }
    }
}

/// Maximum heartbeat timeout of a shared render, in seconds.
const MOST_PATIENCE: f64 = 86_400.0;

impl RenderOptions {
    /// Returns an error if an option is out of range, except for frames and size, which are checked
    /// with the scene. `last` is the last requested frame.
    pub(super) fn check(&self, last: u64) -> Result<(), RunError> {
        if let Some(frame) = self.checkpoint_at.iter().find(|frame| !(1..=last).contains(*frame)) {
            return Err(RunError::Option(format!(
                "checkpoint_at: {frame} is not from 1 to {last}, the last frame that is rendered"
            )));
        }
        if let Some(patience) = self.shared {
            within("shared", patience.as_secs_f64(), 1.0..=MOST_PATIENCE)?;
        }
        if let Some(every) = self.checkpoint_every {
            within("checkpoint_every", every, 1..=MOST_FRAMES)?;
        }
        within("steady_time", self.steady_time.unwrap_or(0.0), 0.0..=f64::INFINITY)
    }
}
