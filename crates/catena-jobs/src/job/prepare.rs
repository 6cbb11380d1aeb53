//! What comes before the first frame: options are applied, and what would be too much is refused.

use super::{
    FrameChoice, Progress, RunError,
    memory::Need,
    options::size,
    progress::{Stage, time},
    typeface::faces,
};
use catena_draw::{
    Painter,
    camera::SeenFrames,
    frames::{FramesAhead, look_ahead},
    text::Font,
};
use catena_output::OutputError;
use catena_scene::{
    Limits, Scene,
    limits::{PlannedRun, Product},
};
use std::{io, ops::Range, path::Path};

/// A copy of the scene for a run within limits.
///
/// # Errors
/// When the run would take more than they allow, or a panel or body was taken out of the scene.
pub(super) fn limited(scene: &Scene, limits: &Limits, run: &PlannedRun) -> Result<Scene, RunError> {
    if scene.panels.is_empty() || scene.panels.iter().any(|panel| panel.bodies.is_empty()) {
        let what = "panels: a scene has one at least, and each has a body";
        return Err(RunError::Option(what.into()));
    }
    limits.check_run(&scene.source_text(), scene, run)?;
    let mut scene = scene.clone();
    limits.allot(&mut scene, run);
    Ok(scene)
}

/// What frames are drawn of.
pub(super) struct DrawingRequest<'a> {
    pub(super) frames: &'a FrameChoice,
    pub(super) size: Option<[u32; 2]>,
    pub(super) font: Option<&'a Path>,
    pub(super) limits: &'a Limits,
    /// What is made of frames of the final size.
    pub(super) product: &'a dyn Fn([u32; 2]) -> Product,
    /// Where the frames go, for messages.
    pub(super) place: &'a Path,
    /// How many threads draw at once.
    pub(super) threads: usize,
}

/// A scene that is ready to be drawn.
pub(super) struct Drawing {
    pub(super) scene: Scene,
    /// The frames that are asked for.
    pub(super) range: Range<u64>,
    pub(super) font: Font,
    pub(super) font_sha256: Option<String>,
}

impl Drawing {
    /// Checks a request and reads its font.
    pub(super) fn new(scene: &Scene, request: &DrawingRequest<'_>) -> Result<Self, RunError> {
        let wanted = request.size.unwrap_or(scene.size);
        size(wanted)?;
        let range = request.frames.of(scene)?;
        let product = (request.product)(wanted);
        let run = PlannedRun { frames: range.end, from: range.start, product };
        let mut scene = limited(scene, request.limits, &run)?;
        scene.size = wanted;
        ask_for_memory(request.place, wanted, request.threads)?;
        let (faces, font_sha256) = faces(request.font)?;
        Ok(Self { scene, range, font: Font::new(faces), font_sha256 })
    }

    /// Lays out the pictures, for which `new` has asked for memory. If the view holds the frames of
    /// the scene, they are simulated here, and the frames in `frames` are returned.
    pub(super) fn painter(
        &self,
        frames: &Range<u64>,
        progress: &dyn Progress,
    ) -> Result<(Painter<'_>, Option<FramesAhead>), RunError> {
        let found = time(progress, Stage::Simulate, || look_ahead(&self.scene, frames));
        let (seen, ahead) = found.unzip();
        let ahead = ahead.flatten();
        let painter = time(progress, Stage::Prepare, || lay_out(&self.scene, &self.font, seen));
        Ok((painter?, ahead))
    }
}

/// Lays out the pictures of a scene, if there is memory for one picture. `seen` has positions
/// that an earlier simulation has found.
pub(super) fn painter<'a>(
    scene: &'a Scene,
    font: &Font,
    seen: Option<&SeenFrames>,
) -> Result<Painter<'a>, RunError> {
    let [width, height] = scene.size;
    if !Need::of_pictures(scene.size).is_met_by_one() {
        let what = format!("there is too little memory for pictures of {width}x{height}");
        let cause = io::Error::new(io::ErrorKind::OutOfMemory, what);
        return Err(OutputError::new("lay out", &scene.name, cause).into());
    }
    lay_out(scene, font, seen.cloned())
}

fn lay_out<'a>(
    scene: &'a Scene,
    font: &Font,
    seen: Option<SeenFrames>,
) -> Result<Painter<'a>, RunError> {
    let refuse = |error| RunError::TooSmall { scene: scene.source_text().origin, error };
    let font = font.clone();
    let laid_out = match seen {
        None => Painter::new(scene, font),
        Some(seen) => Painter::of_seen(scene, font, seen),
    };
    laid_out.map_err(refuse)
}

/// Refuses frames for which there is too little memory.
fn ask_for_memory(place: &Path, size: [u32; 2], threads: usize) -> Result<(), OutputError> {
    let [width, height] = size;
    if Need::of_pictures(size).is_met(threads) {
        return Ok(());
    }
    let what = format!(
        "there is too little memory for {threads} threads and pictures of {width}x{height}; lower --threads or --size"
    );
    let cause = io::Error::new(io::ErrorKind::OutOfMemory, what);
    Err(OutputError::new("render into", place, cause))
}
