//! A folder of frames, with a manifest and the steady-state comparison.

mod endings;
mod exclusive;
mod gather;
mod options;
mod patience;
mod pieces;
mod shard;
mod shared;
mod steady;
mod task;

pub use options::RenderOptions;
pub use patience::LEAST_SECONDS;
pub(super) use shard::{FilmContent, RenderContent, segment_frames, whole_in_pack};
pub use shard::{RenderedShard, ShardOptions, ShardProduct, render_shard};

use super::{
    BodyOutcome, Interruption, Progress, RunError,
    prepare::{Drawing, DrawingRequest},
    threads,
};
use catena_output::OutputError;
use catena_output::film::FilmError;
use catena_scene::{Body, Scene, limits::Product};
use image::RgbImage;
use std::{ops::Range, path::Path};
use task::Task;

/// A folder that is rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered {
    /// How many frames there are of those that were asked for.
    pub frames: u64,
    /// Whether there is a steady-state comparison.
    pub has_steady: bool,
    /// How to wait longer for rest, where waiting ended too early for a body.
    pub note: Option<String>,
    /// What became of each body, panel by panel.
    pub bodies: Vec<BodyOutcome>,
}

/// Why a folder was not rendered to its end. What is written stays, and the same render goes on.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The scene cannot be run with these options, or a file failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A segment of a film cannot be made.
    #[error(transparent)]
    Film(FilmError),
    /// The job was ended early.
    #[error("interrupted with {there} of {frames} frames")]
    Interrupted {
        /// How many of the frames that were asked for are there.
        there: u64,
        /// How many were asked for.
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
/// Frames of the same scene and options that are there and whole are taken over. Others that catena
/// wrote are removed. What it did not write stays, and is an error where it is in the way.
///
/// # Errors
/// An option out of its range, a run that takes more than the limits allow, too small a picture,
/// too little memory, a file that fails, a folder that somebody else renders into, or an
/// interruption.
pub fn render(
    scene: &Scene,
    folder: &Path,
    options: &RenderOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Rendered, RenderError> {
    let run = |task: Task<'_>| match options.shared {
        Some(patience) => shared::run(&task, patience),
        None => exclusive::run(&task).map(|(rendered, _)| rendered),
    };
    with_task(scene, folder, options, &|all| all, (progress, interruption), run)
}

/// Makes the steady-state comparison of a scene in memory: the picture that [`render`] with the
/// same options writes as `steady.png`. `None` where bodies are rigs alone, which come to no rest.
///
/// # Errors
/// As [`render`], but that no file is written.
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
    let place = Path::new("memory");
    with_task(scene, place, options, &|all| all.start..all.start, (progress, interruption), run)
}

/// Prepares a render, and calls `run` in its threads. `part` returns the frames that this process
/// draws.
fn with_task<R: Send>(
    scene: &Scene,
    folder: &Path,
    options: &RenderOptions,
    part: &(dyn Fn(Range<u64>) -> Range<u64> + Sync),
    (progress, interruption): (&dyn Progress, &dyn Interruption),
    run: impl FnOnce(Task<'_>) -> Result<R, RenderError> + Send,
) -> Result<R, RenderError> {
    // Rigs alone come to no rest that one could compare.
    let bodies = || scene.panels.iter().flat_map(|panel| &panel.bodies);
    let steady = options.steady && !bodies().all(Body::is_rig_alone);
    let options = &RenderOptions { steady, ..options.clone() };
    let run = || {
        options.check(options.frames.of(scene)?.end.saturating_sub(1))?;
        let request = DrawingRequest {
            frames: &options.frames,
            size: options.size,
            font: options.font.as_deref(),
            limits: &options.limits,
            product: &|size| Product::Pictures { size, settles: options.steady },
            place: folder,
            threads: rayon::current_num_threads(),
        };
        let drawing = Drawing::new(scene, &request)?;
        let all = drawing.range.clone();
        // Checkpoints at chosen frames are written when a run passes those frames.
        let chooses = options.checkpoint_every.is_some() || !options.checkpoint_at.is_empty();
        let part = if chooses { all.start..all.start } else { part(all) };
        let (painter, ahead) = drawing.painter(&part, progress)?;
        let task = Task::new(&drawing, &painter, folder, options, (progress, interruption));
        run(task.with_ahead(ahead))
    };
    threads::draw_with(options.threads, options.size.unwrap_or(scene.size), run)?
}
