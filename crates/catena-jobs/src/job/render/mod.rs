//! Renders: folders of frames with a manifest and the steady-state comparison.

mod endings;
mod pieces;
mod shard;
mod shared;
mod steady;
mod task;

pub use catena_scene::limits::MIN_SECONDS;
pub(super) use shard::{FilmContent, RenderContent, segment_frames, whole_in_pack};
pub use shard::{RenderedShard, ShardOptions, ShardProduct, render_shard};

use super::prepare::{Drawing, DrawingRequest};
use super::{BodyOutcome, Interruption, Progress, RunError, threads};
use crate::job::options::within;
use crate::job::progress::{Stage, time};
use crate::job::{FrameChoice, FrameOrder, MAX_FRAMES};
use catena_output::OutputError;
use catena_output::film::FilmError;
use catena_output::folder::Folder;
use catena_output::journal::Journal;
use catena_output::lock::LockMode;
use catena_output::manifest::Manifest;
use catena_output::names::{FrameFormat, FrameNames};
use catena_scene::limits::{FilmEncoding, Product};
use catena_scene::{Body, Limits, Scene};
use image::RgbImage;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use task::Task;

/// Result of a render.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered {
    /// Number of requested frames that exist.
    pub frames: u64,
    /// Whether there is a steady-state comparison.
    pub has_steady: bool,
    /// Advice on waiting longer, if a body was still moving at the end of the wait.
    pub note: Option<String>,
    /// Outcome of each body in the order of the panels.
    pub bodies: Vec<BodyOutcome>,
}

/// Error of a render. Written frames are kept, and repeating the render resumes it.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The scene cannot be run with these options, or a file could not be read or written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A segment of a film cannot be made.
    #[error(transparent)]
    Film(FilmError),
    /// The job was interrupted.
    #[error("interrupted with {there} of {frames} frames")]
    Interrupted {
        /// Number of requested frames that exist.
        there: u64,
        /// Number of requested frames.
        frames: u64,
    },
}

impl From<OutputError> for RenderError {
    fn from(error: OutputError) -> Self {
        Self::Run(error.into())
    }
}

/// Renders frames of a scene into a folder, with `manifest.json` and `steady.png`.
///
/// Intact frames of the same scene and options are reused. Other frames written by catena are
/// removed. Foreign files are kept, and are an error if they are in the way.
///
/// # Errors
/// An option is out of range, the run would exceed the limits, the picture is too small, or there
/// is not enough memory. A file cannot be read or written, another process renders into the folder,
/// or the job is interrupted.
pub fn render(
    scene: &Scene,
    folder: &Path,
    options: &RenderOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Rendered, RenderError> {
    let run = |task: Task<'_>| match options.shared {
        Some(patience) => shared::run(&task, patience),
        None => {
            let folder = Folder::open(task.path, LockMode::Exclusive)?;
            render_into(&task, &folder).map(|(rendered, _)| rendered)
        }
    };
    with_task(scene, folder, options, &TaskPart::of(&|all| all), progress, interruption, run)
}

/// Draws the steady-state comparison of a scene in memory. The picture equals the `steady.png` of
/// [`render`] with the same options. `None` if all bodies are rigs without ropes, which never come
/// to rest.
///
/// # Errors
/// The errors of [`render`], except errors while writing files.
pub fn steady_picture(
    scene: &Scene,
    options: &RenderOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Option<RgbImage>, RenderError> {
    let options = &RenderOptions { steady: true, ..options.clone() };
    let run = |task: Task<'_>| {
        if !task.options.steady {
            return Ok(None);
        }
        let picture = steady::picture(&task);
        picture.map(Some).ok_or(RenderError::Interrupted { there: 0, frames: 0 })
    };
    let (place, part) = (Path::new("memory"), TaskPart::of(&|all| all.start..all.start));
    with_task(scene, place, options, &part, progress, interruption, run)
}

/// Part of a render that a process makes.
struct TaskPart<'a> {
    /// Returns the frames that the process draws, given all frames.
    frames: &'a (dyn Fn(Range<u64>) -> Range<u64> + Sync),
    /// Encoding of the frames, if they become a film.
    encoding: Option<FilmEncoding>,
}

impl<'a> TaskPart<'a> {
    /// Part that consists of pictures.
    fn of(frames: &'a (dyn Fn(Range<u64>) -> Range<u64> + Sync)) -> Self {
        Self { frames, encoding: None }
    }
}

/// Prepares a render, and calls `run` in its threads.
fn with_task<R: Send>(
    scene: &Scene,
    folder: &Path,
    options: &RenderOptions,
    part: &TaskPart<'_>,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
    run: impl FnOnce(Task<'_>) -> Result<R, RenderError> + Send,
) -> Result<R, RenderError> {
    // Rigs without ropes never come to rest, so there is nothing to compare.
    let bodies = || scene.panels.iter().flat_map(|panel| &panel.bodies);
    let steady = options.steady && !bodies().all(Body::is_rig_alone);
    let options = &RenderOptions { steady, ..options.clone() };
    let run = || {
        options.check(options.frames.of(scene)?.end.saturating_sub(1))?;
        let request = DrawingRequest {
            frames: &options.frames,
            size: options.size,
            fonts: &options.fonts,
            limits: &options.limits,
            product: &|size| match part.encoding {
                Some(encoding) => Product::Film { size, encoding },
                None => Product::Pictures { size, settles: options.steady },
            },
            place: folder,
            threads: rayon::current_num_threads(),
        };
        let drawing = Drawing::new(scene, &request)?;
        let all = drawing.range.clone();
        // Checkpoints at chosen frames are written when a run passes those frames.
        let chooses = options.checkpoint_every.is_some() || !options.checkpoint_at.is_empty();
        // Frames with motion vectors need the previous frames.
        let needs_previous = options.names.format() == FrameFormat::Exr;
        let part =
            if chooses || needs_previous { all.start..all.start } else { (part.frames)(all) };
        let (painter, ahead) = drawing.painter(&part, progress)?;
        let task = Task::new(&drawing, &painter, folder, options, progress, interruption);
        run(task.with_ahead(ahead))
    };
    threads::draw_with(options.threads, options.size.unwrap_or(scene.size), run)?
}

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
    /// Interval between checkpoints in frames, from 1 to [`MAX_FRAMES`]. `None` writes one every
    /// two seconds of work.
    pub checkpoint_every: Option<u64>,
    /// Frames at which checkpoints are written, in addition to the last frame. All of them are
    /// kept. If empty, `checkpoint_every` applies.
    pub checkpoint_at: Vec<u64>,
    /// Whether to draw the steady-state comparison. For this purpose, bodies are simulated until
    /// they are at rest.
    pub steady: bool,
    /// Time to wait for rest, in estimated seconds of one core; 0 or more, possibly infinite.
    /// `None` waits as long as the frames take, and at least five seconds.
    pub steady_time: Option<f64>,
    /// TrueType or OpenType files for letters that the built-in typeface and earlier files lack.
    pub fonts: Vec<PathBuf>,
    /// File names of frames. Their extension determines the format.
    pub names: FrameNames,
    /// Limits on the run.
    pub limits: Limits,
    /// Whether to replace frames of another source without a note, for example frames of the scene
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
            fonts: Vec::new(),
            names: FrameNames::default(),
            limits: Limits::default(),
            replaces_quietly: false,
            threads: None,
        }
    }
}

/// Maximum heartbeat timeout of a shared render, in seconds.
const MAX_PATIENCE: f64 = 86_400.0;

impl RenderOptions {
    /// Returns an error if an option is out of range, except for frames and size, which are checked
    /// with the scene. `last` is the last requested frame.
    fn check(&self, last: u64) -> Result<(), RunError> {
        if let Some(frame) = self.checkpoint_at.iter().find(|frame| !(1..=last).contains(*frame)) {
            return Err(RunError::Option(format!(
                "checkpoint_at: {frame} is not from 1 to {last}, the last rendered frame"
            )));
        }
        if let (Some(_), FrameChoice::Listed(list)) = (self.shared, &self.frames) {
            return Err(RunError::Option(format!(
                "shared: processes can share a range of frames, but not the list {list}; render it \
                 without sharing, or render its ranges one after another"
            )));
        }
        if let Some(patience) = self.shared {
            within("shared", patience.as_secs_f64(), 1.0..=MAX_PATIENCE)?;
        }
        if let Some(every) = self.checkpoint_every {
            within("checkpoint_every", every, 1..=MAX_FRAMES)?;
        }
        within("steady_time", self.steady_time.unwrap_or(0.0), 0.0..=f64::INFINITY)
    }
}

/// Renders into a folder to which this process has exclusive access. Also returns the manifest.
fn render_into(task: &Task<'_>, folder: &Folder) -> Result<(Rendered, Manifest), RenderError> {
    let Task { progress, interruption, .. } = *task;
    let found = time(progress, Stage::Prepare, || task.prepare(folder))?;
    let mut manifest = Manifest { frames: found.frames, steady: found.steady, ..task.manifest() };
    interruption.started();
    let missing = task.missing(&manifest.frames);
    let wants_steady = manifest.steady.is_none() && task.options.steady;
    if !missing.is_empty() || wants_steady {
        task.withdraw_report()?;
    }
    task.begin(missing.len(), &found.notes);
    let journal = Journal::create(&folder.journal(), &task.key)?;
    let has_failed = AtomicBool::new(false);
    let fail = || has_failed.store(true, Ordering::Relaxed);
    let pipeline = task.pipeline(&fail);
    let (mut simulator, missing) = task.simulator_of(folder, missing);
    let writer = task.writer(simulator.first(), folder, task.care);
    let mut write = || {
        let written = pipeline.write(&writer, &mut simulator, &missing, &journal, &|| true)?;
        // Simulating to the last frame also reports bodies that diverge if all pictures already
        // exist.
        time(progress, Stage::Simulate, || simulator.advance_to(task.last()))?;
        simulator.write_checkpoint(true)?;
        if simulator.refusal().is_some() {
            fail();
        }
        Ok::<_, OutputError>(written)
    };
    // The two tasks are independent. On one thread the frames come first.
    let (written, steady) = rayon::join(
        || write().inspect_err(|_| fail()),
        || {
            let is_wanted = || !has_failed.load(Ordering::Relaxed);
            let make = || steady::make(task, folder, &journal, &is_wanted);
            wants_steady.then(make).transpose()
        },
    );
    manifest.frames.extend(written?);
    manifest.frames.sort_by_key(|entry| entry.frame);
    if wants_steady {
        manifest.steady = steady?.flatten();
    }
    let refusal = simulator.refusal();
    if !interruption.is_set() && refusal.is_none() {
        manifest.under_way = None;
    }
    manifest.write(folder.path())?;
    folder.remove_journal()?;
    if interruption.is_set() {
        return Err(task.interrupted(&manifest.frames));
    }
    match refusal {
        Some(refusal) => Err(refusal.into()),
        None => Ok((task.rendered(&simulator, &manifest), manifest)),
    }
}
