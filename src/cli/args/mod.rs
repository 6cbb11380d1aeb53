//! Every option, in one place.

mod begin;
mod diff;
mod export;
mod film;
mod identify;
mod job;
mod merge;
mod paths;
mod render;
mod sweep;
mod trace;
mod value;
mod watch;

pub(super) use begin::{CompletionsArgs, FieldsArgs, ManArgs, MethodsArgs, NewArgs};
pub(super) use diff::DiffArgs;
pub(super) use export::ExportArgs;
pub(super) use film::{FilmArgs, FilmOptionsArgs};
pub(super) use identify::IdentifyArgs;
pub(super) use job::JobArgs;
pub(super) use merge::MergeArgs;
pub use paths::{PATH_OPTIONS, PathOption, PathRole};
pub(super) use render::RenderArgs;
pub(super) use sweep::{SweepArgs, SweepChoiceArgs};
pub(super) use trace::TraceArgs;
pub(super) use watch::WatchArgs;

use super::complete;
use crate::job::{MOST_FRAMES, MOST_PLAYER_FRAMES, PLAYER_FRAMES};
use crate::scene::{Access, Limits, Patch, Scene, SceneError, SceneText, load_within};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::PathBuf;
use value::{millimetres, minutes, seconds, whole};

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
    /// Write a commented scene to begin with.
    New(NewArgs),
    /// Render frames, a steady-state comparison and a manifest.
    Render(RenderArgs),
    /// Render a scene anew on each save.
    ///
    /// Errors are shown in place; with --serve frames are shown on a page in the browser.
    Watch(WatchArgs),
    /// Put the shards of a render or a sweep together.
    ///
    /// Names the shards that are missing or damaged.
    Merge(MergeArgs),
    /// Write the numbers of a scene as a table.
    ///
    /// One row per node and frame, the energy ledger, the forces on pins and colliders, or how
    /// ropes are linked.
    Trace(TraceArgs),
    /// Write ropes and cloth over time for other programs.
    ///
    /// glTF and USD for Blender, Houdini and three.js, VTK for ParaView, OBJ.
    Export(ExportArgs),
    /// Measure many variants of a scene: a table as csv and Parquet.
    Sweep(SweepArgs),
    /// Read scenes and say what they would make; write nothing.
    Check(CheckArgs),
    /// Find the longest stable step of each body.
    ///
    /// It is predicted from the spectrum of the body, then measured by runs.
    Stability(StabilityArgs),
    /// Make every figure about a scene, and a page that shows them.
    ///
    /// Figures are there as SVG, PDF and PNG, and their numbers as csv.
    Report(ReportArgs),
    /// Check the simulation against theory on this machine.
    ///
    /// Prints what was expected, what was measured, the error, and whether it passes.
    Verify(VerifyArgs),
    /// Make a film of a folder of frames.
    ///
    /// As mp4, mov, mkv, gif, apng, y4m or raw.
    Film(FilmArgs),
    /// Compare two folders of pictures, or two pictures.
    ///
    /// Exactly, or with a tolerance. Exits with 1 when they differ.
    Diff(DiffArgs),
    /// Find the method, variant and slip of a program.
    ///
    /// Runs all of them against the numbers that the program wrote, and says which one reproduces
    /// them, by what margin, or none. Exits with 1 when none does.
    Identify(IdentifyArgs),
    /// Print the job that renders a scene or runs a sweep on a cluster.
    ///
    /// A script or template for Slurm, Open Job Description, Kubernetes, HTCondor or GNU parallel.
    /// Nothing is submitted.
    Job(JobArgs),
    /// List or explain what a scene can name.
    ///
    /// Methods, shapes, step controls, spring laws, materials, forces, colliders, curves, actions
    /// and conditions of events, with their options.
    Methods(MethodsArgs),
    /// List or explain the fields of a scene.
    Fields(FieldsArgs),
    /// Print the script that completes commands in a shell.
    Completions(CompletionsArgs),
    /// Print or write the manual pages.
    Man(ManArgs),
    /// Lay out scenes and sweeps.
    ///
    /// Sets indentation, spaces and commas. Lines and comments stay where they are, and no value
    /// changes.
    Fmt(FmtArgs),
    /// Serve an editor.
    ///
    /// What is wrong as you type, completion, documentation, layout. Editors start this themselves;
    /// docs/editors.md says how.
    Lsp {
        /// Speak on standard input and output, as it does anyway; for editors that ask for it.
        #[arg(long)]
        stdio: bool,
        #[command(flatten)]
        access: AccessArgs,
    },
}

/// A scene and what is changed in it.
#[derive(Debug, Args)]
pub(super) struct SceneArgs {
    /// The scene file; - reads standard input.
    #[arg(add = complete::scenes())]
    pub(super) scene: PathBuf,
    /// Change a field of the scene in all panels, such as substeps=128 or rope.nodes=8. Text needs
    /// its quotes: 'style.color="red"'. It can be given several times.
    #[arg(long, value_name = "PATH=VALUE", add = complete::patches())]
    pub(super) set: Vec<Patch>,
    #[command(flatten)]
    pub(super) limit: LimitArgs,
}

impl SceneArgs {
    /// Reads the scene.
    pub(super) fn load(&self) -> Result<Scene, SceneError> {
        let limits = self.limit.limits();
        load_within(&SceneText::read_within(&self.scene, &limits)?, &self.set, &limits)
    }
}

#[derive(Debug, Args)]
pub(super) struct LimitArgs {
    /// Lift the limits on size, work and output. What is too large then fails when memory or disk
    /// is full.
    #[arg(long)]
    unlimited: bool,
    /// How many minutes of one core the run may take, as estimated from its steps, nodes and pixels
    /// [default: 1]; a sweep may take 60 times as many.
    #[arg(long, value_name = "N", conflicts_with = "unlimited", value_parser = minutes)]
    minutes: Option<f64>,
    #[command(flatten)]
    access: AccessArgs,
}

/// Files outside of the folder of a scene.
#[derive(Debug, Args)]
pub(super) struct AccessArgs {
    /// Let the scene also read files at and below this folder. By default it reads those at and
    /// below its own folder. Repeat the option for more folders.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = value::folder)]
    allow_path: Vec<PathBuf>,
    /// Let the scene read any file. For scenes that you trust.
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
    /// Given options as separate words.
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
    /// How to show progress on standard error.
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
    /// The scene files; - reads standard input.
    #[arg(required = true, add = complete::scenes())]
    pub(super) scenes: Vec<PathBuf>,
    /// Change a field of every scene in all panels, such as substeps=128 or rope.nodes=8. Text
    /// needs its quotes: 'style.color="red"'. It can be given several times.
    #[arg(long, value_name = "PATH=VALUE", add = complete::patches())]
    pub(super) set: Vec<Patch>,
    /// Say what so many frames take [default: what the scene says].
    #[arg(long, value_name = "N", value_parser = value::whole::<u64>(1..=MOST_FRAMES))]
    pub(super) frames: Option<u64>,
    #[arg(long, value_name = "WxH", help = value::size_help())]
    pub(super) size: Option<value::Size>,
    #[command(flatten)]
    pub(super) limit: LimitArgs,
    #[command(flatten)]
    pub(super) font: FontArgs,
    #[command(flatten)]
    pub(super) notes: NotesArgs,
}

#[derive(Debug, Args)]
pub(super) struct NotesArgs {
    /// Print all notes, such as every difference between panels. Without it two are printed, and
    /// how many more there are. Warnings are always printed.
    #[arg(long)]
    pub(super) notes: bool,
}

#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// The files of scenes and sweeps; - lays out standard input onto standard output.
    #[arg(required = true)]
    pub(super) scenes: Vec<PathBuf>,
    /// Write nothing: name the files that are not laid out, and exit with 1 if there is one.
    #[arg(long)]
    pub(super) check: bool,
}

#[derive(Debug, Args)]
pub(super) struct FontArgs {
    /// A TrueType or OpenType file for letters that the built-in typeface lacks, such as Chinese
    /// ones.
    #[arg(long = "font", value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    /// How many frames the report is about [default: what the scene says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    pub(super) frames: Option<u64>,
    /// The folder to write into [default: out/<scene name>/report].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) out: Option<PathBuf>,
    /// The frames of the contact sheet, such as 0,20,40 [default: five, equally far apart].
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = whole::<u64>(0..=MOST_FRAMES))]
    pub(super) strip: Option<Vec<u64>>,
    /// The nodes whose paths, phase portraits and spectra are drawn, counted from 0, such as 3,7
    /// [default: the one farthest from the pins and the one half way to it].
    #[arg(long, alias = "node", value_name = "A,B,…", value_delimiter = ',', value_parser = whole::<u64>(0..=999_999_999))]
    pub(super) nodes: Option<Vec<u64>>,
    /// The width of figures, such as 85mm for a column of a paper, 17.5cm or 3.35in, from 60 to 400
    /// mm: with words of 8 to 9 points, and without a heading [default: as wide as they come].
    #[arg(long, value_name = "LENGTH", value_parser = millimetres)]
    pub(super) figure_width: Option<f64>,
    /// How words stand in the SVG and PDF files of figures.
    #[arg(long, value_enum, default_value_t = FigureTextKind::Outlines, value_name = "KIND")]
    pub(super) figure_text: FigureTextKind,
    #[command(flatten)]
    pub(super) font: FontArgs,
    /// How many frames the player of the page has at most.
    #[arg(long, value_name = "N", default_value_t = PLAYER_FRAMES, value_parser = whole::<u64>(1..=MOST_PLAYER_FRAMES))]
    pub(super) player_frames: u64,
    /// How much the runs behind figures may compute together, in seconds of one core; inf lifts the
    /// limit. Seconds are counted, so the figures are the same on every machine [default: 72, of
    /// which each figure has its share].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) study_time: Option<f64>,
    /// How many threads run [default: as many as there are processors]. The
    /// bytes do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Print only errors.
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FigureTextKind {
    /// As outlines, which look the same everywhere.
    Outlines,
    /// As text that can be searched and edited, with the letters that it needs embedded.
    Real,
}

#[derive(Debug, Args)]
pub(super) struct StabilityArgs {
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    /// How many frames a run has to survive to count as stable [default: what the scene says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    pub(super) frames: Option<u64>,
    /// How many threads run [default: as many as there are processors]. The
    /// numbers do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Print a table as csv, one row per body, with all digits. The column reach says what
    /// predicted_dt holds for: whole (all of the film), until (up to reach_time) or too_long (it is
    /// too long); cut_short and film_survives are true or false. What is not known is empty.
    #[arg(long)]
    pub(super) csv: bool,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    /// Run only the checks whose group or name contains this, such as catenary or ω_max.
    #[arg(long, value_name = "TEXT")]
    pub(super) only: Option<String>,
    /// Print a table as csv, one row a check, with all digits.
    #[arg(long)]
    pub(super) csv: bool,
    /// How many threads run [default: as many as there are processors]. The
    /// numbers do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(super) threads: Option<u16>,
}
