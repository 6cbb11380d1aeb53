//! Every option, in one place.

mod begin;
mod completers;
mod diff;
mod export;
mod figure;
mod film;
mod fit;
mod identify;
mod job;
mod merge;
mod page;
mod paths;
mod render;
mod statics;
mod sweep;
mod trace;
mod value;
mod watch;

pub(super) use begin::{CompletionsArgs, FieldsArgs, ImportArgs, ManArgs, MethodsArgs, NewArgs};
pub(super) use diff::DiffArgs;
pub(super) use export::ExportArgs;
pub(super) use figure::{FigureArgs, FigureStyleArgs, figure_names};
pub(super) use film::{FilmArgs, FilmOptionsArgs};
pub(super) use fit::FitArgs;
pub(super) use identify::IdentifyArgs;
pub(super) use job::JobArgs;
pub(super) use merge::MergeArgs;
pub(super) use page::PageArgs;
pub use paths::{PATH_OPTIONS, PathOption, PathRole};
pub(super) use render::RenderArgs;
pub(super) use statics::StaticsArgs;
pub(super) use sweep::{SweepArgs, SweepChoiceArgs};
pub(super) use trace::TraceArgs;
pub(super) use watch::WatchArgs;

use crate::job::{MAX_FRAMES, MAX_PLAYER_FRAMES, PLAYER_FRAMES};
use crate::scene::{Access, Limits, Patch, Scene, SceneError, SceneText, load_whole, load_within};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;
use value::{minutes, seconds, whole};

/// Turns a scene file into pictures of ropes and cloth.
///
/// The same scene gives the same bytes on every machine.
#[derive(Debug, Parser)]
#[command(name = "catena", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write a commented scene to start from.
    New(NewArgs),
    /// Write the scene of a MoorDyn deck.
    ///
    /// Line types, points, lines and options become ropes, pins, forces and settings. Reports
    /// everything that a scene cannot express, with its position in the deck.
    Import(ImportArgs),
    /// Render frames, a steady-state comparison and a manifest.
    Render(RenderArgs),
    /// Render a scene again on each save.
    ///
    /// Shows errors as they occur. With --serve, shows the frames on a page in the browser.
    Watch(WatchArgs),
    /// Merge the shards of a render or a sweep.
    ///
    /// Lists missing and damaged shards.
    Merge(MergeArgs),
    /// Write the results of a simulation as a table.
    ///
    /// One row per node and frame, the energy ledger, the forces on pins and colliders, or the
    /// linking of ropes.
    Trace(TraceArgs),
    /// Export animated ropes and cloth for other programs.
    ///
    /// glTF and USD for Blender, Houdini and three.js, VTK for ParaView, OBJ.
    Export(ExportArgs),
    /// Measure variants of a scene: a table as CSV and Parquet.
    Sweep(SweepArgs),
    /// Validate scenes and estimate their cost; write nothing.
    Check(CheckArgs),
    /// Find the longest stable step of each body.
    ///
    /// Predicts the step from the spectrum of the body, then measures it by simulation.
    Stability(StabilityArgs),
    /// Find the shape at rest of each body from the balance of forces.
    ///
    /// Prints its stability, tensions, forces on pins and the lowest frequencies.
    Statics(StaticsArgs),
    /// Create all figures about a scene, and a page that shows them.
    ///
    /// Writes figures as SVG, PDF and PNG, and their numbers as CSV.
    Report(ReportArgs),
    /// Make one figure of a report, and print its numbers.
    ///
    /// Prints what the figure shows, what was found, and a table; -o writes the chart.
    Figure(FigureArgs),
    /// Write a page that plays scenes in a browser.
    ///
    /// One HTML file without a server: player, sliders, editor, and links that hold a scene.
    Page(PageArgs),
    /// Verify the simulation against theory on this machine.
    ///
    /// Prints the expected value, the measured value, the error and the result of each check.
    Verify(VerifyArgs),
    /// Find the values of fields that agree with data.
    ///
    /// Uses least squares. Prints intervals, and a warning if the data do not distinguish fields.
    Fit(FitArgs),
    /// Create a film from a folder of frames.
    ///
    /// Writes mp4, mov, mkv, webm, gif, apng, webp, y4m or raw.
    Film(FilmArgs),
    /// Compare two pictures, folders of pictures, or .csv files.
    ///
    /// Compares exactly or with a tolerance. Exits with code 1 if they differ.
    Diff(DiffArgs),
    /// Find the method, variant and slip of a program.
    ///
    /// Runs all of them and compares the results with the numbers that the program wrote. Prints
    /// which one reproduces them and by what margin. Exits with code 1 if none does.
    Identify(IdentifyArgs),
    /// Print a cluster job that renders a scene or runs a sweep.
    ///
    /// A script or template for Slurm, Open Job Description, Kubernetes, HTCondor or GNU parallel.
    /// Does not submit anything.
    Job(JobArgs),
    /// List or explain the names that a scene can use.
    ///
    /// Methods, shapes, step controls, spring laws, materials, forces, colliders, curves, actions
    /// and conditions of events, with their options.
    Methods(MethodsArgs),
    /// List or explain the fields of a scene.
    Fields(FieldsArgs),
    /// Print the completion script of a shell.
    Completions(CompletionsArgs),
    /// Print or write the manual pages.
    Man(ManArgs),
    /// Format scenes and sweeps.
    ///
    /// Changes only indentation, spaces and commas. Lines, comments and values stay the same.
    Fmt(FmtArgs),
    /// Run the language server for editors.
    ///
    /// Reports errors while you type, and offers completion, documentation and formatting. Editors
    /// start it themselves: see docs/editors.md.
    Lsp {
        /// Use standard input and output. This is the default; some editors require the option.
        #[arg(long)]
        stdio: bool,
        #[command(flatten)]
        access: AccessArgs,
    },
}

/// Scene and changes to its fields.
#[derive(Debug, Args)]
pub(super) struct SceneArgs {
    /// Scene file; - reads standard input.
    #[arg(add = completers::scenes())]
    pub(super) scene: PathBuf,
    /// Set a field of the scene in all panels, such as substeps=128 or rope.nodes=8. Quote text:
    /// 'style.color="red"'. Can be repeated.
    #[arg(long, value_name = "PATH=VALUE", add = completers::patches())]
    pub(super) set: Vec<Patch>,
    #[command(flatten)]
    pub(super) limit: LimitArgs,
}

impl SceneArgs {
    /// Reads the scene.
    pub(super) fn load(&self) -> Result<Scene, SceneError> {
        self.load_for(None)
    }

    /// Reads the scene for a command that may choose a panel. If a panel is chosen, panels that
    /// changes make equal are kept, so that each panel has the same number as in the file.
    pub(super) fn load_for(&self, panel: Option<&str>) -> Result<Scene, SceneError> {
        let load = if panel.is_some() { load_whole } else { load_within };
        let limits = self.limit.limits();
        load(&SceneText::read_within(&self.scene, &limits)?, &self.set, &limits)
    }
}

#[derive(Debug, Args)]
pub(super) struct LimitArgs {
    /// Remove the limits on size, computation and output. Scenes that are too large then fail when
    /// memory or disk is full.
    #[arg(long)]
    unlimited: bool,
    /// Maximum minutes of CPU time, estimated from steps, nodes and pixels. A sweep may take 60
    /// times as long [default: 1].
    #[arg(long, value_name = "N", conflicts_with = "unlimited", value_parser = minutes)]
    minutes: Option<f64>,
    #[command(flatten)]
    access: AccessArgs,
}

/// Access to files outside the folder of a scene.
#[derive(Debug, Args)]
pub(super) struct AccessArgs {
    /// Allow the scene to read files in this folder and its subfolders. By default it can read the
    /// files in its own folder. Can be repeated.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = value::folder)]
    allow_path: Vec<PathBuf>,
    /// Allow the scene to read any file. Only for scenes that you trust.
    #[arg(long, conflicts_with = "allow_path")]
    allow_any_path: bool,
}

impl AccessArgs {
    /// Files that a scene may read.
    pub(super) fn access(&self) -> Access {
        match self.allow_any_path {
            true => Access::unlimited(),
            false => Access::to_folders(self.allow_path.clone()),
        }
    }
}

impl LimitArgs {
    /// Returns the given options as separate words.
    pub(super) fn words(&self) -> Vec<String> {
        let unlimited = self.unlimited.then(|| "--unlimited".into());
        let minutes = self.minutes.map(|minutes| ["--minutes".into(), minutes.to_string()]);
        let limit = unlimited.into_iter().chain(minutes.into_iter().flatten());
        limit.chain(self.access.access().options()).collect()
    }

    pub(super) fn limits(&self) -> Limits {
        let limits = match self.minutes {
            _ if self.unlimited => Limits::unlimited(),
            None => Limits::default(),
            Some(minutes) => Limits::default().with_minutes(minutes),
        };
        limits.with_access(self.access.access())
    }
}

#[derive(Debug, Args)]
pub(super) struct ProgressArgs {
    /// Print only errors.
    #[arg(short, long, conflicts_with = "progress")]
    pub(super) quiet: bool,
    /// Format of progress on standard error.
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto, value_name = "KIND")]
    pub(super) progress: ProgressKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressKind {
    /// A bar on a terminal, plain lines elsewhere.
    Auto,
    /// A plain line every few seconds.
    Plain,
    /// One JSON object per line.
    Json,
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Scene files; - reads standard input.
    #[arg(required = true, add = completers::scenes())]
    pub(super) scenes: Vec<PathBuf>,
    /// Set a field of every scene in all panels, such as substeps=128 or rope.nodes=8. Quote text:
    /// 'style.color="red"'. Can be repeated.
    #[arg(long, value_name = "PATH=VALUE", add = completers::patches())]
    pub(super) set: Vec<Patch>,
    /// Number of frames to estimate [default: the scene's value].
    #[arg(long, value_name = "N", value_parser = value::whole::<u64>(1..=MAX_FRAMES))]
    pub(super) frames: Option<u64>,
    #[arg(long, value_name = "WxH", help = value::size_help())]
    pub(super) size: Option<value::Size>,
    #[command(flatten)]
    pub(super) limit: LimitArgs,
    #[command(flatten)]
    pub(super) font: FontArgs,
    #[command(flatten)]
    pub(super) notes: NotesArgs,
    /// Print the operations that the estimates count, each with its price.
    #[arg(long)]
    pub(super) prices: bool,
}

#[derive(Debug, Args)]
pub(super) struct NotesArgs {
    /// Print all notes, such as every difference between panels. By default, only two notes and the
    /// number of further ones are printed. Warnings are always printed.
    #[arg(long)]
    pub(super) notes: bool,
}

#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Scene and sweep files; - formats standard input to standard output.
    #[arg(required = true)]
    pub(super) scenes: Vec<PathBuf>,
    /// List files that are not formatted instead of changing them. Exits with code 1 if there are
    /// any.
    #[arg(long)]
    pub(super) check: bool,
}

#[derive(Debug, Args)]
pub(super) struct FontArgs {
    /// TrueType or OpenType font for characters that the built-in font lacks, such as Chinese or
    /// Arabic. May be given several times: each file is for characters that the files before it
    /// lack.
    #[arg(id = "font", long, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    /// Number of frames that the report covers [default: the scene's value].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    pub(super) frames: Option<u64>,
    /// Output folder [default: out/<scene name>/report].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) out: Option<PathBuf>,
    /// Frames of the contact sheet, such as 0,20,40 [default: five, evenly spaced].
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = whole::<u64>(0..=MAX_FRAMES))]
    pub(super) strip: Option<Vec<u64>>,
    /// Figures to make, such as energy,order; docs/figures.md describes each [default: all].
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = figure_names())]
    pub(super) only: Option<Vec<String>>,
    /// Also write the report as a PDF file for print: A4 pages with findings, figures and tables.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) pdf: Option<PathBuf>,
    /// Nodes whose paths, phase portraits and spectra are drawn, counted from 0, such as 3,7
    /// [default: the node farthest from the pins and the one halfway to it].
    #[arg(long, alias = "node", value_name = "A,B,…", value_delimiter = ',', value_parser = whole::<u64>(0..=999_999_999))]
    pub(super) nodes: Option<Vec<u64>>,
    #[command(flatten)]
    pub(super) style: FigureStyleArgs,
    /// Maximum number of frames in the player of the page.
    #[arg(long, value_name = "N", default_value_t = PLAYER_FRAMES, value_parser = whole::<u64>(1..=MAX_PLAYER_FRAMES))]
    pub(super) player_frames: u64,
    /// Maximum CPU time of all simulations for figures, in seconds; inf removes the limit. The time
    /// is estimated rather than measured, so figures are the same on every machine. Each figure
    /// gets a share [default: 90].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) study_time: Option<f64>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Print only errors.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
pub(super) struct StabilityArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    /// Number of frames that a stable run must survive [default: the scene's value].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    pub(super) frames: Option<u64>,
    /// Use only the bodies of this panel, given by its label or by its number, counted from 1.
    #[arg(long, value_name = "PANEL", allow_hyphen_values = true)]
    pub(super) panel: Option<String>,
    /// Maximum CPU time of the runs of each body, in seconds; inf removes the limit. The time is
    /// estimated rather than measured, so numbers are the same on every machine [default: 4, and
    /// less for more than twelve bodies].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) study_time: Option<f64>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Print a CSV table with one row per body and full precision. The column reach states how long
    /// predicted_dt holds: whole (the whole film), until (up to reach_time), uncorrected (forces
    /// alone, without corrections of lengths) or too_long (the step is too long). cut_short and
    /// film_survives are true or false. Unknown values are empty.
    #[arg(long)]
    pub(super) csv: bool,
    /// Also write the chart of stability regions in the plane of hλ, with the eigenvalues of the
    /// bodies times dt, and print its findings and table. The extension selects .svg, .pdf, .png,
    /// or .csv for the data of the chart.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) figure: Option<PathBuf>,
    #[command(flatten)]
    pub(super) style: FigureStyleArgs,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Run only checks whose group or name contains this text, such as catenary or ω_max.
    #[arg(long, value_name = "TEXT")]
    pub(super) only: Option<String>,
    /// Print a CSV table with one row per check and full precision.
    #[arg(long)]
    pub(super) csv: bool,
    /// Instead of the checks, print the errors of rods with 8 to 64 segments, and write their
    /// chart, ending in .svg, .pdf, .png or .csv.
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["only", "csv"]
    )]
    pub(super) rod_orders: Option<PathBuf>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
}
