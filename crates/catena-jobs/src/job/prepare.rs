//! Preparation of a job: options are applied, and excessive work is refused.

use super::options::size;
use super::progress::{Stage, time};
use super::threads::MemoryNeed;
use super::{FrameChoice, Progress, RunError};
use catena_base::read;
use catena_draw::camera::SeenFrames;
use catena_draw::faces::Faces;
use catena_draw::frames::{FramesAhead, simulate_ahead};
use catena_draw::text::Font;
use catena_draw::{Painter, PainterOptions, TooSmall};
use catena_output::OutputError;
use catena_output::hash::sha256;
use catena_scene::limits::{PlannedRun, Product};
use catena_scene::{Fit, Limits, Scene};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Returns a copy of the scene with its budgets set from the limits.
///
/// # Errors
/// The run would exceed the limits, or the scene lacks a panel or body.
pub(super) fn limited(scene: &Scene, limits: &Limits, run: &PlannedRun) -> Result<Scene, RunError> {
    if scene.panels.is_empty() || scene.panels.iter().any(|panel| panel.bodies.is_empty()) {
        let what = "panels: a scene needs at least one panel, and each panel at least one body";
        return Err(RunError::Option(what.into()));
    }
    limits.check_run(&scene.source_text(), scene, run)?;
    let mut scene = scene.clone();
    limits.allot(&mut scene, run);
    Ok(scene)
}

/// Request for the drawing of frames.
pub(super) struct DrawingRequest<'a> {
    pub(super) frames: &'a FrameChoice,
    pub(super) size: Option<[u32; 2]>,
    pub(super) fonts: &'a [PathBuf],
    pub(super) limits: &'a Limits,
    /// Product made of frames of the given final size, for the cost estimate.
    pub(super) product: &'a dyn Fn([u32; 2]) -> Product,
    /// Destination of the frames, for messages.
    pub(super) place: &'a Path,
    /// Number of threads that draw at the same time.
    pub(super) threads: usize,
}

/// A scene that is ready to be drawn.
pub(super) struct Drawing {
    pub(super) scene: Scene,
    /// Range of the requested frames, from the first to the last.
    pub(super) range: Range<u64>,
    /// Selection within the range.
    choice: FrameChoice,
    pub(super) font: Font,
    pub(super) font_sha256: Option<String>,
}

impl Drawing {
    /// Validates a request and reads its font.
    pub(super) fn new(scene: &Scene, request: &DrawingRequest<'_>) -> Result<Self, RunError> {
        let wanted = request.size.unwrap_or(scene.size);
        size(wanted)?;
        let range = request.frames.of(scene)?;
        let product = (request.product)(wanted);
        let run = PlannedRun { frames: range.end, from: range.start, product };
        let mut scene = limited(scene, request.limits, &run)?;
        scene.size = wanted;
        ask_for_memory(request.place, wanted, request.threads)?;
        let (faces, font_sha256) = faces(request.fonts)?;
        let choice = request.frames.clone();
        Ok(Self { scene, range, choice, font: Font::new(faces), font_sha256 })
    }

    /// Requested frames, ascending.
    pub(super) fn frames(&self) -> Vec<u64> {
        self.range.clone().filter(|frame| self.choice.has(*frame)).collect()
    }

    /// Computes the layout of the pictures, for which `new` has checked the memory. If the view
    /// depends on the frames of the scene, they are simulated here and returned in `frames`.
    pub(super) fn painter(
        &self,
        frames: &Range<u64>,
        progress: &dyn Progress,
    ) -> Result<(Painter<'_>, Option<FramesAhead>), RunError> {
        let found = time(progress, Stage::Simulate, || simulate_ahead(&self.scene, frames));
        let (seen, ahead) = found.unzip();
        let ahead = ahead.flatten();
        let painter = time(progress, Stage::Prepare, || lay_out(&self.scene, &self.font, seen));
        Ok((painter?, ahead))
    }
}

/// Computes the layout of a scene's pictures, if there is enough memory for one picture. `seen`
/// contains positions from an earlier simulation.
pub(super) fn painter<'a>(
    scene: &'a Scene,
    font: &Font,
    seen: Option<&SeenFrames>,
) -> Result<Painter<'a>, RunError> {
    ask_for_one(scene)?;
    lay_out(scene, font, seen.cloned())
}

/// Region shown by panels without a view of their own. `None` if the pictures of the scene have no
/// layout.
pub(super) fn view_fit(
    scene: &Scene,
    font: &Font,
    seen: Option<&SeenFrames>,
) -> Result<Option<Fit>, RunError> {
    ask_for_one(scene)?;
    Painter::fit_of(scene, font, seen.cloned()).map_err(|error| too_small(scene, error))
}

/// Returns an error if there is not enough memory for one picture.
fn ask_for_one(scene: &Scene) -> Result<(), OutputError> {
    if MemoryNeed::of_pictures(scene.size).try_allocate_one() {
        return Ok(());
    }
    let [width, height] = scene.size;
    let what = format!("not enough memory for pictures of {width}x{height}");
    let cause = io::Error::new(io::ErrorKind::OutOfMemory, what);
    Err(OutputError::new("lay out", &scene.name, cause))
}

fn too_small(scene: &Scene, error: TooSmall) -> RunError {
    RunError::TooSmall { scene: scene.source_text().origin, error }
}

fn lay_out<'a>(
    scene: &'a Scene,
    font: &Font,
    seen: Option<SeenFrames>,
) -> Result<Painter<'a>, RunError> {
    let options = PainterOptions { seen, ..PainterOptions::default() };
    Painter::with_options(scene, font.clone(), options).map_err(|error| too_small(scene, error))
}

/// Returns an error if there is not enough memory for the frames.
fn ask_for_memory(place: &Path, size: [u32; 2], threads: usize) -> Result<(), OutputError> {
    let [width, height] = size;
    if MemoryNeed::of_pictures(size).try_allocate(threads) {
        return Ok(());
    }
    let what = format!(
        "not enough memory for {threads} threads and pictures of {width}x{height}; use a lower \
         --threads or --size"
    );
    let cause = io::Error::new(io::ErrorKind::OutOfMemory, what);
    Err(OutputError::new("render into", place, cause))
}

/// Loads the built-in typeface, with the font files as fallbacks in this order. Also returns the
/// SHA-256 of the files, separated by commas.
///
/// # Errors
/// A file cannot be read or is not a font.
pub fn faces(paths: &[PathBuf]) -> Result<(Faces, Option<String>), OutputError> {
    let broken = |error| OutputError::new("use", "the built-in font", io::Error::other(error));
    let mut faces = Faces::built_in().map_err(broken)?;
    let mut hashes = Vec::new();
    for path in paths {
        let refuse = |cause| OutputError::new("use the font file", path, cause);
        let bytes = read::file(path, read::FONT).map_err(refuse)?;
        hashes.push(sha256(&bytes));
        let added = faces.with_fallback(bytes);
        faces = added.map_err(|error| refuse(io::Error::other(error)))?;
    }
    Ok((faces, (!hashes.is_empty()).then(|| hashes.join(","))))
}
