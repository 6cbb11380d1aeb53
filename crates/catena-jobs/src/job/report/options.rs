//! Options of a report.

use crate::job::{RunError, options::within};
use catena_scene::{Limits, Scene};
use catena_study::figure::{chart::Words, study::subjects};
use std::{ops::RangeInclusive, path::PathBuf};

/// Default number of frames of the player.
pub const PLAYER_FRAMES: u64 = 120;
/// Maximum number of frames of the player.
pub const MOST_PLAYER_FRAMES: u64 = 10_000;
/// Maximum number of frames of a contact sheet.
const MOST_STRIP: usize = 12;
/// Allowed widths of figures in millimetres.
const FIGURE_WIDTHS: RangeInclusive<f64> = 60.0..=400.0;
/// Maximum number of nodes whose paths are drawn.
const MOST_NODES: usize = 6;

/// Options of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportOptions {
    /// Number of frames that the report covers, from 1 to [`crate::job::MOST_FRAMES`]. `None` uses
    /// the number of the scene.
    pub frames: Option<u64>,
    /// Frames of the contact sheet, at most 12. `None` chooses five evenly spaced frames.
    pub strip: Option<Vec<u64>>,
    /// Indices of the nodes whose paths are drawn, at most 6. `None` chooses the node farthest from
    /// the pins and the one half way to it.
    pub nodes: Option<Vec<u64>>,
    /// Width of figures in millimetres, from 60 to 400. `None` uses the natural width.
    pub figure_width: Option<f64>,
    /// Form of words in the SVG and PDF files of figures.
    pub figure_text: Words,
    /// TrueType or OpenType file for letters that the built-in typeface lacks.
    pub font: Option<PathBuf>,
    /// Maximum number of frames of the page's player, from 1 to [`MOST_PLAYER_FRAMES`].
    pub player_frames: u64,
    /// Total budget of the runs behind figures, in counted seconds of one core. At least 0, and
    /// infinite for no limit; `None` means 72. Each figure has its share.
    pub study_time: Option<f64>,
    /// Command that repeats the report, for the page; may be empty.
    pub command: String,
    /// Limits on the run.
    pub limits: Limits,
    /// Number of threads, 1 to 1024. `None` uses the caller's rayon pool. The output does not
    /// depend on it.
    pub threads: Option<u16>,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            frames: None,
            strip: None,
            nodes: None,
            figure_width: None,
            figure_text: Words::Outlines,
            font: None,
            player_frames: PLAYER_FRAMES,
            study_time: None,
            command: String::new(),
            limits: Limits::default(),
            threads: None,
        }
    }
}

impl ReportOptions {
    /// Returns an error if an option is out of range, or refers to a node or frame that the scene
    /// lacks.
    pub(super) fn check(&self, scene: &Scene, frames: u64) -> Result<(), RunError> {
        within("player_frames", self.player_frames, 1..=MOST_PLAYER_FRAMES)?;
        within("study_time", self.study_time.unwrap_or(0.0), 0.0..=f64::INFINITY)?;
        let last = frames - 1;
        let strip = self.strip.as_deref().unwrap_or_default();
        if let Some(frame) = strip.iter().find(|frame| **frame > last) {
            return Err(RunError::Option(format!("--strip {frame}: the frames are 0 to {last}")));
        }
        if strip.len() > MOST_STRIP {
            return Err(RunError::Option(format!("--strip takes at most {MOST_STRIP} frames")));
        }
        if let Some(width) = self.figure_width.filter(|width| !FIGURE_WIDTHS.contains(width)) {
            let [least, most] = [FIGURE_WIDTHS.start(), FIGURE_WIDTHS.end()];
            let told = format!("--figure-width {width}mm: figures are {least} to {most} mm wide");
            return Err(RunError::Option(told));
        }
        let bodies = subjects(scene);
        let nodes = bodies.iter().map(|subject| subject.body.setup.model.nodes());
        let most = nodes.max().unwrap_or(1);
        let wanted = self.nodes.as_deref().unwrap_or_default();
        if wanted.len() > MOST_NODES {
            return Err(RunError::Option(format!("--nodes takes at most {MOST_NODES} nodes")));
        }
        match wanted.iter().find(|node| **node >= most as u64) {
            Some(node) => {
                Err(RunError::Option(format!("--nodes {node}: the nodes are 0 to {}", most - 1)))
            }
            None => Ok(()),
        }
    }
}
