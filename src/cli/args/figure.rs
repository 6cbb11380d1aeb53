//! Options of `catena figure`.

use super::{
    FigureTextKind, FontArgs, SceneArgs,
    value::{millimetres, seconds, whole},
};
use crate::figure::study::{NAMES, OF_SOME_SCENES};
use crate::job::{MOST_FRAMES, ReportOptions};
use clap::{Args, ValueHint, builder::PossibleValuesParser};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct FigureArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// The figure; docs/figures.md says what each shows.
    #[arg(value_name = "FIGURE", value_parser = names())]
    pub(in crate::cli) figure: String,
    /// Path of the chart. The ending chooses .svg, .pdf, .png, or .csv for its data
    /// [default: nothing is written].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Print the table alone, as csv.
    #[arg(long)]
    pub(in crate::cli) csv: bool,
    /// Number of frames that the figure covers [default: what the scene says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    frames: Option<u64>,
    /// The nodes whose paths, phase portraits and spectra are drawn, counted from 0, such as 3,7
    /// [default: the one farthest from the pins and the one half way to it].
    #[arg(long, alias = "node", value_name = "A,B,…", value_delimiter = ',', value_parser = whole::<u64>(0..=999_999_999))]
    nodes: Option<Vec<u64>>,
    /// The width of the figure, such as 85mm for a column of a paper, from 60 to 400 mm
    /// [default: as wide as it comes].
    #[arg(long, value_name = "LENGTH", value_parser = millimetres)]
    figure_width: Option<f64>,
    /// Form of words in an SVG or PDF file.
    #[arg(long, value_enum, default_value_t = FigureTextKind::Outlines, value_name = "KIND")]
    figure_text: FigureTextKind,
    #[command(flatten)]
    font: FontArgs,
    /// Work of the runs behind the figure, in seconds of one core; inf lifts the limit
    /// [default: the share of the figure in a report].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    study_time: Option<f64>,
    /// Number of threads [default: as many as there are processors]. The
    /// bytes do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
}

impl FigureArgs {
    /// Options of the job.
    pub(in crate::cli) fn options(&self) -> ReportOptions {
        ReportOptions {
            frames: self.frames,
            nodes: self.nodes.clone(),
            figure_width: self.figure_width,
            figure_text: self.figure_text.words(),
            font: self.font.file.clone(),
            study_time: self.study_time,
            limits: self.scene.limit.limits(),
            ..ReportOptions::default()
        }
    }
}

/// Names of all figures.
fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(NAMES.iter().chain(&OF_SOME_SCENES).copied())
}
