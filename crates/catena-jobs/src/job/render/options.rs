//! What can be chosen about a folder of frames.

use crate::job::{FrameChoice, FrameOrder, MOST_FRAMES, RunError, options::within};
use catena_scene::Limits;
use std::{path::PathBuf, time::Duration};

/// How a folder of frames is rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderOptions {
    /// Which frames.
    pub frames: FrameChoice,
    /// Which of them are made first. Where processes share the folder, pieces follow each other.
    pub order: FrameOrder,
    /// Width and height in pixels, each from 64 to 8192, or to 16384 where the limits allow it;
    /// `None` takes the scene's.
    pub size: Option<[u32; 2]>,
    /// Shares the folder with other processes that render the same into it, on this machine or
    /// others. The value says when a process that gives no sign of life counts as gone, from a
    /// second to a day. `None` keeps the folder for this process.
    pub shared: Option<Duration>,
    /// Writes a checkpoint every so many frames, from 1 to [`MOST_FRAMES`]; `None` every two
    /// seconds of work.
    pub checkpoint_every: Option<u64>,
    /// Writes checkpoints at these frames and at the last one, and nowhere else; all of them stay,
    /// however many they are. Empty leaves it to `checkpoint_every`.
    pub checkpoint_at: Vec<u64>,
    /// Whether to make the steady-state comparison, for which bodies run on until they rest.
    pub steady: bool,
    /// How many seconds of one core to wait for rest, by estimate; 0 or more, or infinite. `None`
    /// waits as long as the frames take, and at least five seconds.
    pub steady_time: Option<f64>,
    /// A TrueType or OpenType file for letters that the built-in typeface lacks.
    pub font: Option<PathBuf>,
    /// What the run may take.
    pub limits: Limits,
    /// Replaces the frames of another source without a note, as where they are those of the scene
    /// before it was edited.
    pub replaces_quietly: bool,
    /// How many threads draw, from 1 to 1024; `None` takes the rayon pool of the caller. The bytes
    /// do not depend on it.
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

/// The longest time that a shared render waits for a sign of life.
const MOST_PATIENCE: f64 = 86_400.0;

impl RenderOptions {
    /// Refuses what is out of range; frames and size are checked beside the scene. `last` is the
    /// last frame that is asked for.
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
