//! Frames of a scene as pictures in memory.

mod order;
mod pipeline;
mod simulator;
mod states;
mod writer;

pub use order::{FrameOrder, FrameSequence};
pub use states::StateDrawing;

pub(super) use pipeline::FramePipeline;
pub(super) use simulator::{CheckpointPlan, FrameSimulator};
pub(super) use writer::{FrameEncoder, FramePainter, FrameWriter};

use super::{
    BodyOutcome, FrameChoice, Interruption, Progress, RunError,
    error::refused,
    prepare::{Drawing, DrawingRequest},
    threads,
};
use catena_draw::{canvas::Picture, frames::SceneRuns};
use catena_output::film::{FilmError, FrameSink, over_white};
use catena_output::manifest::FrameEntry;
use catena_output::names::FrameNames;
use catena_scene::{Limits, Scene, limits::Product};
use image::RgbImage;
use std::path::{Path, PathBuf};

/// Options of frames in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameOptions {
    /// Frames to draw.
    pub frames: FrameChoice,
    /// Width and height in pixels, each from 64 to 8192, or to 16384 if the limits allow it. `None`
    /// uses the size of the scene.
    pub size: Option<[u32; 2]>,
    /// TrueType or OpenType files for letters that the built-in typeface and earlier files lack.
    pub fonts: Vec<PathBuf>,
    /// Limits on the run.
    pub limits: Limits,
    /// Number of threads that draw, 1 to 1024. `None` uses the caller's rayon pool. The pictures do
    /// not depend on it.
    pub threads: Option<u16>,
}

/// Error of drawing frames.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The scene cannot be run with these options.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The job was interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl FrameOptions {
    /// Prepares pictures of a scene in memory. Messages name `place` as the destination.
    pub(super) fn drawing(
        &self,
        scene: &Scene,
        place: &Path,
        threads: usize,
    ) -> Result<Drawing, RunError> {
        self.drawing_of(scene, place, threads, &|size| Product::Shown { size })
    }

    /// Prepares the frames of a product, which is created from the size of its frames.
    pub(super) fn drawing_of(
        &self,
        scene: &Scene,
        place: &Path,
        threads: usize,
        product: &dyn Fn([u32; 2]) -> Product,
    ) -> Result<Drawing, RunError> {
        let request = DrawingRequest {
            frames: &self.frames,
            size: self.size,
            fonts: &self.fonts,
            limits: &self.limits,
            product,
            place,
            threads,
        };
        Drawing::new(scene, &request)
    }
}

/// Draws one frame of a scene, within the default limits and on the caller's thread. A translucent
/// picture is drawn over white.
///
/// The frames before it are simulated first, so use [`frames`] for more than one frame.
///
/// # Errors
/// The frame is not below [`super::MAX_FRAMES`], it would exceed the limits, or the scene's size
/// is too small for its panels or too large for the memory.
pub fn draw(scene: &Scene, frame: u64) -> Result<RgbImage, FrameError> {
    let frames = FrameChoice::Part(frame..frame.saturating_add(1));
    let options = FrameOptions { frames, ..FrameOptions::default() };
    let drawing = options.drawing(scene, Path::new("memory"), 1)?;
    let (painter, ahead) = drawing.painter(&drawing.range, &())?;
    let scene = &drawing.scene;
    let start = || SceneRuns::new(scene);
    let mut runs = ahead.map_or_else(start, |ahead| SceneRuns::after(scene, ahead));
    while runs.at() < frame && !runs.is_refused() {
        runs.advance();
    }
    if runs.is_refused()
        && let Some(refusal) = refused(scene, runs.simulations())
    {
        return Err(refusal.into());
    }
    let mut canvas = painter.canvas();
    let shown = runs.frame();
    painter.draw_moments(&mut canvas, &shown.panels, &shown.moments);
    Ok(match canvas.picture() {
        Picture::Opaque(image) => image.clone(),
        Picture::Translucent(image) => over_white(&image),
    })
}

/// Adds a picture to a film. If the film has no alpha, a translucent picture is drawn over white.
pub(super) fn add_to_film(sink: &mut dyn FrameSink, picture: Picture<'_>) -> Result<(), FilmError> {
    match picture {
        Picture::Opaque(image) => sink.add_frame(image),
        Picture::Translucent(image) if sink.keeps_alpha() => sink.add_translucent_frame(&image),
        Picture::Translucent(image) => sink.add_frame(&over_white(&image)),
    }
}

/// Draws frames of a scene, and calls `show` in order with the number and picture of each. While
/// all threads draw frames, the next frames are simulated. Translucent pictures are drawn over
/// white.
///
/// Returns the outcome of each body in the order of the panels.
///
/// # Errors
/// The first error of `show`, which ends the job, or a [`FrameError`]: an option is out of range,
/// the run would exceed the limits, the picture is too small, there is not enough memory, or the
/// job was interrupted.
pub fn frames<E: From<FrameError> + Send>(
    scene: &Scene,
    options: &FrameOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
    mut show: impl FnMut(u64, &RgbImage) -> Result<(), E> + Send,
) -> Result<Vec<BodyOutcome>, E> {
    let run = || -> Result<_, E> {
        let refuse = |error: RunError| E::from(FrameError::Run(error));
        let place = Path::new("memory");
        let drawing =
            options.drawing(scene, place, rayon::current_num_threads()).map_err(refuse)?;
        let (painter, ahead) = drawing.painter(&drawing.range, progress).map_err(refuse)?;
        let frames = drawing.frames();
        interruption.started();
        progress.begin(frames.len() as u64, 0);
        let pipeline = FramePipeline { progress, interruption, on_failure: &|| {} };
        // Finished pictures wait in memory, so chunks are short.
        let maximum = 2 * rayon::current_num_threads();
        let mut simulator = FrameSimulator::new(&drawing.scene, None, interruption, maximum, ahead);
        let painter = FramePainter::new(&painter, progress);
        let refuse_output = |error| refuse(RunError::Output(error));
        pipeline.show(&painter, &mut simulator, &frames, refuse_output, |frame, picture| {
            match picture {
                Picture::Opaque(image) => show(frame, image),
                Picture::Translucent(image) => show(frame, &over_white(&image)),
            }
        })?;
        match simulator.refusal() {
            _ if interruption.is_set() => Err(FrameError::Interrupted.into()),
            Some(refusal) => Err(refuse(refusal)),
            None => Ok(simulator.outcomes(None)),
        }
    };
    let size = options.size.unwrap_or(scene.size);
    let done = threads::draw_with(options.threads, size, run);
    done.map_err(|error| E::from(FrameError::Run(error)))?
}

/// Draws frames of a scene as PNG files in memory, and calls `receive` with the number and bytes of
/// each. `order` is the order of the calls. The bytes are the same as in a render.
///
/// Returns the outcome of each body in the order of the panels.
///
/// # Errors
/// A [`FrameError`]: an option is out of range, the run would exceed the limits, the picture is too
/// small, there is not enough memory, or the job was interrupted.
pub fn pictures(
    scene: &Scene,
    options: &FrameOptions,
    order: FrameOrder,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
    mut receive: impl FnMut(u64, &[u8]) + Send,
) -> Result<Vec<BodyOutcome>, FrameError> {
    let run = || {
        let threads = rayon::current_num_threads();
        let drawing = options.drawing(scene, Path::new("memory"), threads)?;
        let (painter, ahead) = drawing.painter(&drawing.range, progress)?;
        interruption.started();
        let wanted = drawing.frames();
        progress.begin(wanted.len() as u64, 0);
        let maximum = 2 * threads;
        let mut simulator = FrameSimulator::new(&drawing.scene, None, interruption, maximum, ahead);
        let frames = simulator.arrange(wanted, order);
        let names = FrameNames::default();
        let encoder = FrameEncoder::new(&painter, simulator.first(), &names, progress);
        let pipeline = FramePipeline { progress, interruption, on_failure: &|| {} };
        let each = |entry: FrameEntry, bytes: &[u8]| {
            receive(entry.frame, bytes);
            Ok(())
        };
        let made = pipeline.encode(&encoder, &mut simulator, &frames, each);
        made.map_err(RunError::from)?;
        match simulator.refusal() {
            _ if interruption.is_set() => Err(FrameError::Interrupted),
            Some(refusal) => Err(refusal.into()),
            // The frame drawn last is not always the last frame of the range.
            None => {
                simulator
                    .advance_to(drawing.range.end.saturating_sub(1))
                    .map_err(RunError::from)?;
                Ok(simulator.outcomes(None))
            }
        }
    };
    let size = options.size.unwrap_or(scene.size);
    threads::draw_with(options.threads, size, run)?
}
