//! What can be chosen about a report.

use crate::job::{RunError, options::within};
use catena_scene::{Limits, Scene};
use catena_study::figure::{chart::Words, study::subjects};
use std::{ops::RangeInclusive, path::PathBuf};

/// How many frames the player has by default.
pub const PLAYER_FRAMES: u64 = 120;
/// The most frames of the player.
pub const MOST_PLAYER_FRAMES: u64 = 10_000;
/// The most frames of a contact sheet.
const MOST_STRIP: usize = 12;
/// Widths of figures, in millimetres.
const FIGURE_WIDTHS: RangeInclusive<f64> = 60.0..=400.0;
/// The most nodes whose paths are drawn.
const MOST_NODES: usize = 6;

/// How a report is made.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportOptions {
    /// How many frames the report is about, from 1 to [`crate::job::MOST_FRAMES`]; `None` takes the
    /// scene's.
    pub frames: Option<u64>,
    /// The frames of the contact sheet, at most 12 of them; `None` takes five, equally far apart.
    pub strip: Option<Vec<u64>>,
    /// The nodes whose paths are drawn, counted from 0, at most 6 of them; `None` takes the one
    /// farthest from the pins and the one half way to it.
    pub nodes: Option<Vec<u64>>,
    /// The width of figures in millimetres, from 60 to 400; `None` makes them as wide as they come.
    pub figure_width: Option<f64>,
    /// How words stand in the SVG and PDF files of figures.
    pub figure_text: Words,
    /// A TrueType or OpenType file for letters that the built-in typeface lacks.
    pub font: Option<PathBuf>,
    /// How many frames the player of the page has at most, from 1 to [`MOST_PLAYER_FRAMES`].
    pub player_frames: u64,
    /// How many seconds of one core the runs behind figures may take together, as counted: at least
    /// 0, and infinite for no limit; `None` takes 72. Each figure has its share.
    pub study_time: Option<f64>,
    /// The command that makes the report again, for the page; it may be empty.
    pub command: String,
    /// What the run may take.
    pub limits: Limits,
    /// How many threads run, from 1 to 1024; `None` takes the rayon pool of the caller. The bytes
    /// do not depend on it.
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
    /// Refuses what is out of range, or what a scene of so many frames does not have.
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
