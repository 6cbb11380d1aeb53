//! Every figure about a scene, and one page that shows them.

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
use catena_draw::{camera::SeenFrames, text::Font};
use catena_output::pages::PageFolder;
use catena_scene::{
    Scene,
    limits::{PlannedRun, Product},
};
use catena_study::figure::chart::Typeface;
use figures::{Contents, Publication};
use std::path::Path;

/// Why no whole report was made. An older one stays until the first page of the new one is made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The scene cannot be run with these options, or a file failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The job was ended early.
    #[error("interrupted")]
    Interrupted,
}

/// Writes every figure about a scene into a folder, as SVG, PDF, PNG and csv, and `index.html`,
/// which shows them. The page takes the place of an older report as soon as its player is made, and
/// is written anew with each part of its figures; until all are there it says what is to come.
///
/// Returns how many figures there are.
///
/// # Errors
/// An option out of its range, a run that takes more than the limits allow, too small a picture, a
/// file that fails, a folder that somebody else writes into or that holds another page, or an
/// interruption between two parts.
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
    // The positions for the view do not depend on the size of pictures.
    let seen = SeenFrames::wanted(&scene);
    let small = player::scene(&scene, &font, seen.as_ref())?;
    let painter = painter(&small, &font, seen.as_ref())?;
    keep_inputs(&scene, folder)?;
    let folder = PageFolder::open(folder).map_err(RunError::from)?;
    let typeface = Typeface::new(faces);
    folder.check_free(figures::all_names()).map_err(RunError::from)?;
    let extent = plan::Extent::new(progress);
    let plan = plan::Plan { frames: frame_count, scene: &scene, options, font: &font, extent };
    interruption.begins();
    let run = || {
        // First, since a scene whose frames use up their budget is refused here.
        plan.extent.begin("player", 1, studies::PARTS.len() + 1);
        let frames = player::frames(&plan, &painter, &small)?;
        if interruption.is_set() {
            return Err(ReportError::Interrupted);
        }
        let contents = Contents { plan: &plan, frames, frame_size: small.size };
        let mut page = Publication::begin(contents, &folder, &typeface, progress)?;
        let add = |part: &_, made, coming| Ok(page.add(part, made, coming)?);
        studies::all(&plan, interruption, add)?;
        Ok(page.figures())
    };
    threads::with(options.threads, run)?
}

/// Refuses a folder whose last page has a file that the scene was read from: this page would
/// replace it.
fn keep_inputs(scene: &Scene, folder: &Path) -> Result<(), RunError> {
    let inputs = scene_inputs(scene);
    let mut kept = PageFolder::recorded(folder).into_iter().map(|it| inputs.refuse("--out", &it));
    kept.try_for_each(|it| it).map_err(RunError::Option)
}
