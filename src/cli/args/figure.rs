//! Options of `catena figure`.

use super::{
    FontArgs, SceneArgs,
    value::{millimetres, seconds, whole},
};
use crate::figure::chart::Words;
use crate::figure::study::{NAMES, OF_SOME_SCENES};
use crate::job::{FigureStyle, MAX_FRAMES, ReportOptions};
use crate::text::shell;
use clap::{Args, ValueEnum, ValueHint, builder::PossibleValuesParser};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct FigureArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Figure to make; docs/figures.md describes each.
    #[arg(value_name = "FIGURE", value_parser = figure_names())]
    pub(in crate::cli) figure: String,
    /// Output file of the chart: .svg, .pdf, .png, or .csv for its data [default: nothing is
    /// written].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Print only the table, as CSV.
    #[arg(long)]
    pub(in crate::cli) csv: bool,
    /// Number of frames that the figure covers [default: the scene's value].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    frames: Option<u64>,
    /// Nodes whose paths, phase portraits and spectra are drawn, counted from 0, such as 3,7
    /// [default: the node farthest from the pins and the one halfway to it].
    #[arg(long, alias = "node", value_name = "A,B,…", value_delimiter = ',', value_parser = whole::<u64>(0..=999_999_999))]
    nodes: Option<Vec<u64>>,
    #[command(flatten)]
    style: FigureStyleArgs,
    /// Maximum CPU time of the simulations for the figure, in seconds; inf removes the limit
    /// [default: the share of the figure in a report].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    study_time: Option<f64>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
}

impl FigureArgs {
    /// Options of the job.
    pub(in crate::cli) fn options(&self) -> ReportOptions {
        ReportOptions {
            frames: self.frames,
            nodes: self.nodes.clone(),
            study_time: self.study_time,
            limits: self.scene.limit.limits(),
            ..self.style.options()
        }
    }
}

/// Size and text of figures, for every command that draws one.
#[derive(Debug, Args)]
pub(in crate::cli) struct FigureStyleArgs {
    /// Width of figures from 60 to 400 mm, such as 85mm, 17.5cm or 3.35in. Such figures have text
    /// of 7 to 9 points and no heading, for use in a paper [default: natural width].
    #[arg(long, value_name = "LENGTH", value_parser = millimetres)]
    figure_width: Option<f64>,
    /// Representation of text in SVG and PDF files.
    #[arg(long, value_enum, default_value_t = FigureTextKind::Outlines, value_name = "KIND")]
    figure_text: FigureTextKind,
    /// TrueType or OpenType font for the text of figures, such as the font of a paper [default:
    /// Inter].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    figure_font: Option<PathBuf>,
    #[command(flatten)]
    font: FontArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FigureTextKind {
    /// Outlines of letters, which look the same on every machine.
    Outlines,
    /// Text that can be searched and edited, with embedded fonts.
    Real,
}

impl FigureStyleArgs {
    /// Style of figures.
    pub(in crate::cli) fn style(&self) -> FigureStyle {
        let text = match self.figure_text {
            FigureTextKind::Outlines => Words::Outlines,
            FigureTextKind::Real => Words::Text,
        };
        let (fonts, figure_font) = (self.font.files.clone(), self.figure_font.clone());
        FigureStyle { width: self.figure_width, text, fonts, figure_font }
    }

    /// Options of a report with this style.
    pub(in crate::cli) fn options(&self) -> ReportOptions {
        let FigureStyle { width, text, fonts, figure_font } = self.style();
        let (figure_width, figure_text) = (width, text);
        ReportOptions { figure_width, figure_text, fonts, figure_font, ..ReportOptions::default() }
    }

    /// Returns the given options as words of a command.
    pub(in crate::cli) fn words(&self) -> Vec<String> {
        let width = self.figure_width.map(|width| format!("--figure-width {width}mm"));
        let is_real = self.figure_text == FigureTextKind::Real;
        let text = is_real.then(|| "--figure-text real".to_owned());
        let own = self.figure_font.iter().map(|path| ("--figure-font", path));
        let fonts = own.chain(self.font.files.iter().map(|path| ("--font", path)));
        let fonts = fonts.map(|(option, path)| format!("{option} {}", shell::quoted(path)));
        width.into_iter().chain(text).chain(fonts).collect()
    }
}

/// Names of all figures.
pub(in crate::cli) fn figure_names() -> PossibleValuesParser {
    PossibleValuesParser::new(NAMES.iter().chain(&OF_SOME_SCENES).copied())
}
