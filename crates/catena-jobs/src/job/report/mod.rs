//! Report: all figures about a scene, and a page that shows them.

mod budgets;
mod figures;
mod films;
mod grouping;
mod lecture;
mod maps;
mod plan;
mod player;
mod references;
mod regions;
mod settling;
mod single;
mod strip;
mod studies;
mod style;

pub(super) use figures::{stage_figure, stage_page_figure, stage_page_files};
pub use single::{SceneFigure, figure};
pub use style::{FigureFormat, FigureStyle, FigureWriter};

use super::options::count;
use super::prepare::{limited, painter};
use super::{Interruption, Progress, RunError, scene_inputs, threads};
use crate::job::options::within;
use catena_draw::{camera::SeenFrames, text::Font};
use catena_output::pages::PageFolder;
use catena_scene::limits::{PlannedRun, Product};
use catena_scene::{Body, Limits, Scene};
use catena_study::figure::chart::Words;
use catena_study::figure::{
    findings::Finding,
    study::{NAMES, OF_SOME_SCENES, subjects},
};
use figures::{PageContents, Publication};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

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
/// # Errors
/// An option is out of range, the run would exceed the limits, or the picture is too small. A file
/// cannot be read or written, another process uses the folder, or it holds another page. The job is
/// interrupted between two parts.
pub fn report(
    scene: &Scene,
    folder: &Path,
    options: &ReportOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<ReportSummary, ReportError> {
    let frame_count = count(options.frames, scene)?;
    let product = Product::Pictures { size: scene.size, settles: true };
    let scene = limited(scene, &options.limits, &PlannedRun::up_to(frame_count, product))?;
    options.check(&scene, frame_count)?;
    let writer = FigureWriter::new(&options.style())?;
    let font = Font::new(writer.typeface().faces().clone());
    // The positions that determine the view do not depend on the size of pictures.
    let seen = SeenFrames::wanted(&scene);
    let small = player::scene(&scene, &font, seen.as_ref())?;
    let painter = painter(&small, &font, seen.as_ref())?;
    keep_inputs(&scene, folder)?;
    let folder = PageFolder::open(folder).map_err(RunError::from)?;
    folder.check_free(figures::all_names()).map_err(RunError::from)?;
    let extent = plan::Extent::new(progress);
    let known = plan::Knowledge::new(&scene, frame_count);
    let frames = frame_count;
    let plan = plan::ReportPlan { frames, scene: &scene, options, font: &font, extent, known };
    interruption.started();
    let run = || {
        // The player comes first, because an exhausted budget of the frames is an error of the
        // scene.
        plan.extent.begin("player", 1, studies::wanted(&plan).len() + 1);
        let frames = player::frames(&plan, &painter, &small)?;
        if interruption.is_set() {
            return Err(ReportError::Interrupted);
        }
        let contents = PageContents { plan: &plan, frames, frame_size: small.size };
        let mut page = Publication::begin(contents, &folder, &writer, progress)?;
        let add = |part: &_, made, coming| Ok(page.add(part, made, plan.findings(), coming)?);
        studies::all(&plan, interruption, add)?;
        let pdf = options.pdf.then(|| page.pdf()).transpose()?;
        Ok(ReportSummary { figures: page.figures(), findings: plan.findings(), pdf })
    };
    threads::with(options.threads, run)?
}

/// Returns an error if a file of the page in this folder, which the new page replaces, is an input
/// file of the scene.
fn keep_inputs(scene: &Scene, folder: &Path) -> Result<(), RunError> {
    let inputs = scene_inputs(scene);
    let mut kept = PageFolder::recorded(folder).into_iter().map(|it| inputs.refuse("--out", &it));
    kept.try_for_each(|it| it).map_err(RunError::Option)
}

/// Result of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportSummary {
    /// Number of figures.
    pub figures: usize,
    /// Findings, as on the page.
    pub findings: Vec<Finding>,
    /// Report as a PDF file, if requested.
    pub pdf: Option<Vec<u8>>,
}

/// Default number of frames of the player.
pub const PLAYER_FRAMES: u64 = 120;
/// Maximum number of frames of the player.
pub const MAX_PLAYER_FRAMES: u64 = 10_000;
/// Maximum number of frames of a contact sheet.
const MAX_STRIP: usize = 12;
/// Allowed widths of figures in millimetres.
pub const FIGURE_WIDTHS: RangeInclusive<f64> = 60.0..=400.0;
/// Maximum number of nodes whose paths are drawn.
const MAX_NODES: usize = 6;

/// Options of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportOptions {
    /// Number of frames that the report covers, from 1 to [`crate::job::MAX_FRAMES`]. `None` uses
    /// the number of the scene.
    pub frames: Option<u64>,
    /// Frames of the contact sheet, at most 12. `None` chooses five evenly spaced frames.
    pub strip: Option<Vec<u64>>,
    /// Indices of the nodes whose paths are drawn, at most 6. `None` chooses the node farthest from
    /// the pins and the node halfway to it.
    pub nodes: Option<Vec<u64>>,
    /// Width of figures in millimetres, from 60 to 400. `None` uses the natural width.
    pub figure_width: Option<f64>,
    /// Form of words in the SVG and PDF files of figures.
    pub figure_text: Words,
    /// TrueType or OpenType files for letters that the built-in typeface and earlier files lack.
    pub fonts: Vec<PathBuf>,
    /// TrueType or OpenType file for the words of figures, before the built-in typeface.
    pub figure_font: Option<PathBuf>,
    /// Maximum number of frames of the page's player, from 1 to [`MAX_PLAYER_FRAMES`].
    pub player_frames: u64,
    /// Total budget of the runs behind figures, in counted seconds of one core. At least 0, and
    /// infinite for no limit. `None` means 90. Each figure has a share.
    pub study_time: Option<f64>,
    /// Names of the figures to make, as in [`NAMES`] and [`OF_SOME_SCENES`]. `None` makes all
    /// figures.
    pub only: Option<Vec<String>>,
    /// Whether to also format the report as a PDF file.
    pub pdf: bool,
    /// Command that repeats the report, for the page. May be empty.
    pub command: String,
    /// Limits on the run.
    pub limits: Limits,
    /// Number of threads, 1 to 1024. `None` uses the caller's rayon pool. The output does not
    /// depend on it.
    pub threads: Option<u16>,
}

/// Reason why a scene cannot have this optional figure. `None` if it can.
fn reason_against(scene: &Scene, name: &str) -> Option<&'static str> {
    let has =
        |wanted: fn(&Body) -> bool| scene.panels.iter().flat_map(|panel| &panel.bodies).any(wanted);
    match name {
        "reference" if !has(|body| body.reference.is_some()) => {
            Some("no panel has a `reference`; --set 'reference=(file: \"mine.csv\")' adds one")
        }
        "iterations" if !has(|body| body.setup.method.iterations().is_some()) => {
            Some("no method of the scene corrects lengths iteratively")
        }
        _ => None,
    }
}

/// Message about a figure that the scene cannot have, which lists the available figures.
fn lacks(scene: &Scene, name: &str) -> Option<String> {
    let why = reason_against(scene, name)?;
    let others = OF_SOME_SCENES.iter().filter(|other| reason_against(scene, other).is_none());
    let all: Vec<&str> = NAMES.iter().chain(others).copied().collect();
    Some(format!(
        "the scene has no figure \"{name}\": {why}; the available figures are {}",
        all.join(
            ", \
        "
        )
    ))
}

/// Message about an unknown name of a figure.
fn no_figure(name: &str) -> String {
    let all = [&NAMES[..], &OF_SOME_SCENES].concat().join(", ");
    format!("there is no figure \"{name}\"; the figures are {all}")
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            frames: None,
            strip: None,
            nodes: None,
            figure_width: None,
            figure_text: Words::Outlines,
            fonts: Vec::new(),
            figure_font: None,
            player_frames: PLAYER_FRAMES,
            study_time: None,
            only: None,
            pdf: false,
            command: String::new(),
            limits: Limits::default(),
            threads: None,
        }
    }
}

impl ReportOptions {
    /// Size and text of the figures.
    pub fn style(&self) -> FigureStyle {
        let (width, text) = (self.figure_width, self.figure_text);
        let (fonts, figure_font) = (self.fonts.clone(), self.figure_font.clone());
        FigureStyle { width, text, fonts, figure_font }
    }

    /// Returns an error if an option is out of range, or refers to a node or frame that does not
    /// exist in the scene.
    fn check(&self, scene: &Scene, frames: u64) -> Result<(), RunError> {
        within("player_frames", self.player_frames, 1..=MAX_PLAYER_FRAMES)?;
        within("study_time", self.study_time.unwrap_or(0.0), 0.0..=f64::INFINITY)?;
        let is_known = |name: &&String| {
            !NAMES.iter().chain(&OF_SOME_SCENES).any(|known| *known == name.as_str())
        };
        if let Some(name) = self.only.iter().flatten().find(is_known) {
            return Err(RunError::Option(no_figure(name)));
        }
        if let Some(why) = self.only.iter().flatten().find_map(|name| lacks(scene, name)) {
            return Err(RunError::Option(why));
        }
        let last = frames - 1;
        let strip = self.strip.as_deref().unwrap_or_default();
        if let Some(frame) = strip.iter().find(|frame| **frame > last) {
            return Err(RunError::Option(format!(
                "--strip {frame}: frames are numbered from 0 to \
                                                 {last}"
            )));
        }
        if strip.len() > MAX_STRIP {
            return Err(RunError::Option(format!("--strip takes at most {MAX_STRIP} frames")));
        }
        let bodies = subjects(scene);
        let nodes = bodies.iter().map(|subject| subject.body.setup.model.nodes());
        let maximum = nodes.max().unwrap_or(1);
        let wanted = self.nodes.as_deref().unwrap_or_default();
        if wanted.len() > MAX_NODES {
            return Err(RunError::Option(format!("--nodes takes at most {MAX_NODES} nodes")));
        }
        match wanted.iter().find(|node| **node >= maximum as u64) {
            Some(node) => Err(RunError::Option(format!(
                "--nodes {node}: nodes are numbered from 0 to {}",
                maximum - 1
            ))),
            None => Ok(()),
        }
    }
}
