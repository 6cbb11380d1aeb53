//! Report: all figures about a scene, and a page that shows them.

mod budgets;
mod figures;
mod films;
mod maps;
mod options;
mod plan;
mod player;
mod strip;
mod studies;

pub(super) use figures::{stage_figure, stage_page_figure, stage_page_files};
pub use options::{MOST_PLAYER_FRAMES, PLAYER_FRAMES, ReportOptions};

use super::{
    Interruption, Progress, RunError,
    options::count,
    prepare::{limited, painter},
    scene_inputs, threads,
    typeface::faces,
};
use catena_draw::text::Font;
use catena_output::pages::PageFolder;
use catena_scene::{
    Scene,
    limits::{PlannedRun, Product},
};
use catena_study::figure::chart::Typeface;
use figures::{PageContents, Publication};
use std::path::Path;

/// Error of a report. An older report is kept until the first page of the new one is written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The scene cannot be run with these options, or a file could not be read or written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The job was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// Writes all figures about a scene into a folder as SVG, PDF, PNG and csv, with an `index.html`
/// that shows them. The page replaces an older report as soon as its player is finished. Each part
/// of the figures updates the page, which lists the parts still to come.
///
/// Returns the number of figures.
///
/// # Errors
/// An option is out of range, the run would exceed the limits, the picture is too small, a file
/// cannot be read or written, another process uses the folder or it holds another page, or the job
/// is interrupted between two parts.
pub fn report(
    scene: &Scene,
    folder: &Path,
    options: &ReportOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<usize, ReportError> {
    let frame_count = count(options.frames, scene)?;
    let product = Product::Pictures { size: scene.size, settles: true };
    let scene = limited(scene, &options.limits, &PlannedRun::up_to(frame_count, product))?;
    options.check(&scene, frame_count)?;
    let (faces, _) = faces(options.font.as_deref()).map_err(RunError::from)?;
    let font = Font::new(faces.clone());
    let small = player::scene(&scene, &font)?;
    let painter = painter(&small, &font)?;
    keep_inputs(&scene, folder)?;
    let folder = PageFolder::open(folder).map_err(RunError::from)?;
    let typeface = Typeface::new(faces);
    folder.check_free(figures::all_names()).map_err(RunError::from)?;
    let extent = plan::Extent::new(progress);
    let plan =
        plan::ReportPlan { frames: frame_count, scene: &scene, options, font: &font, extent };
    interruption.begins();
    let run = || {
        // The player comes first, because it refuses a scene whose frames exhaust their budget.
        plan.extent.begin("player", 1, studies::PARTS.len() + 1);
        let frames = player::frames(&plan, &painter, &small)?;
        if interruption.is_set() {
            return Err(ReportError::Interrupted);
        }
        let contents = PageContents { plan: &plan, frames, frame_size: small.size };
        let mut page = Publication::begin(contents, &folder, &typeface, progress)?;
        let add = |part: &_, made, coming| Ok(page.add(part, made, coming)?);
        studies::all(&plan, interruption, add)?;
        Ok(page.figures())
    };
    threads::with(options.threads, run)?
}

/// Returns an error if a file of the folder's last page is an input file of the scene, which this
/// page would replace.
fn keep_inputs(scene: &Scene, folder: &Path) -> Result<(), RunError> {
    let inputs = scene_inputs(scene);
    let mut kept = PageFolder::recorded(folder).into_iter().map(|it| inputs.refuse("--out", &it));
    kept.try_for_each(|it| it).map_err(RunError::Option)
}
