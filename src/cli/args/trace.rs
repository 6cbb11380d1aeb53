//! The options of `catena trace`.

use super::{
    SceneArgs,
    value::{direction, whole},
};
use crate::cli::Failure;
use crate::job::{self, MAX_FRAMES, TopologyView, TraceTable};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct TraceArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Number of frames to simulate [default: the scene's value].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    frames: Option<u64>,
    #[command(flatten)]
    table: TableArgs,
    /// Direction towards the viewer, for counting crossings with --topology and --crossings
    /// [default: 0,0,1].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = direction)]
    toward: Option<[f64; 3]>,
    /// Write rows of --topology and --crossings for each step instead of each frame. Every step is
    /// checked in either case.
    #[arg(long)]
    each_step: bool,
    /// Write only these nodes, counted from 0, such as 3,7. Bodies without such a node are skipped
    /// [default: all].
    #[arg(long, alias = "node", value_name = "A,B,…", value_delimiter = ',', conflicts_with = "TableArgs", value_parser = whole::<u64>(0..=999_999_999))]
    nodes: Option<Vec<u64>>,
    /// Write only one panel, given by its label or by its number in `catena check`, counted from 1.
    /// Its rows keep the number of the panel, which counts from 0.
    #[arg(long, value_name = "PANEL", allow_hyphen_values = true)]
    pub(in crate::cli) panel: Option<String>,
    /// Format: csv, or npy for a NumPy structured array with the same columns [default: from the
    /// file extension, otherwise csv].
    #[arg(long, value_enum)]
    format: Option<TraceFormat>,
    /// Output file; - writes to standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(in crate::cli) output: PathBuf,
    /// Exit with code 4 if a body diverges. All rows are still written.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
}

/// Choice of the table; the table of nodes by default.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct TableArgs {
    /// Write the energy ledger, one row per body and frame. The columns begin with kinetic,
    /// gravitational and elastic energy. Then follow the gains since the last frame (losses below
    /// 0) from anchors, moving colliders, damping, contact, external forces, yielding springs and
    /// the method. The last columns are the residual and the total energy transferred, as a scale
    /// for rounding errors.
    #[arg(long)]
    energy: bool,
    /// Write the events as CSV, one row per event in the frame in which it happened. Columns:
    /// number, step, time, mean position of its nodes, the nodes, the action, and a note if it
    /// changed nothing. The first stop of each route, and its winch that slips, follow without a
    /// number.
    #[arg(long)]
    events: bool,
    /// Write the forces of each body on its pins and colliders, and of routes on their guides, over
    /// the last step and as a mean over the frame. is_collider is 0 for a pin, 1 for a collider and
    /// 2 for a pulley, ring or drum. The index is the node of a pin, or the position of a collider
    /// or guide among all colliders or guides of the body.
    #[arg(long)]
    forces: bool,
    /// Write the tensions, one row per structural spring with its nodes a and b, length and strain,
    /// then one per part of a route between guides that resist. In a rope, spring i joins nodes i
    /// and i + 1. Damping is not included.
    #[arg(long)]
    tensions: bool,
    /// Write the sections of rods, one row per segment: rod, segment, both nodes, tangent, normal
    /// of the section, curvature at the first node, and twist in radians per length.
    #[arg(long)]
    sections: bool,
    /// Write the linking of ropes, one row per part and one per pair of parts. gauss is the Gauss
    /// integral of a pair, or the writhe of a single part. For two rings, linking is the nearest
    /// whole number and deviation the rest. crossings counts crossings in the picture, reduced
    /// counts the crossings that sliding cannot undo, signs is the sum of the signs of all
    /// crossings, and passages counts passes of one part through another. Every step is checked:
    /// exits with code 7 if a part passes through another.
    #[arg(long)]
    topology: bool,
    /// Write the crossings of ropes in the picture, one row per crossing: both parts and the
    /// positions along them (segment and share), which part is above, the sign and the gap. They
    /// form the signed Gauss code. Every step is checked, as with --topology.
    #[arg(long)]
    crossings: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TraceFormat {
    Csv,
    Npy,
}

impl TraceArgs {
    /// Returns an error for options that do not apply to the requested table.
    pub(in crate::cli) fn check(&self) -> Result<(), Failure> {
        let TableArgs { topology, crossings, .. } = self.table;
        let options = [("--toward", self.toward.is_some()), ("--each-step", self.each_step)];
        match options.into_iter().find(|(_, is_given)| *is_given && !topology && !crossings) {
            Some((option, _)) => {
                Err(Failure::Usage(format!("{option} needs --topology or --crossings")))
            }
            None => Ok(()),
        }
    }

    /// Returns the format of the table: the requested one, or else the format of the file
    /// extension.
    fn format(&self) -> Result<job::TraceFormat, Failure> {
        let ending = self.output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        Ok(match (self.format, ending.as_deref()) {
            (Some(TraceFormat::Csv), _) | (None, None | Some("csv" | "txt" | "dat")) => {
                job::TraceFormat::Csv
            }
            (Some(TraceFormat::Npy), _) | (None, Some("npy")) => job::TraceFormat::Npy,
            (None, Some(_)) => {
                let file = self.output.display();
                let what = format!("unknown table format of {file}: use .csv, .npy or --format");
                return Err(Failure::Usage(what));
            }
        })
    }

    /// Returns the options of the job.
    ///
    /// # Errors
    /// No format has the file extension.
    pub(in crate::cli) fn options(&self) -> Result<job::TraceOptions, Failure> {
        let toward = self.toward.unwrap_or(TopologyView::default().toward);
        let view = TopologyView { toward, each_step: self.each_step };
        let table = match self.table {
            TableArgs { energy: true, .. } => TraceTable::Energy,
            TableArgs { events: true, .. } => TraceTable::Events,
            TableArgs { forces: true, .. } => TraceTable::Forces,
            TableArgs { tensions: true, .. } => TraceTable::Tensions,
            TableArgs { sections: true, .. } => TraceTable::Sections,
            TableArgs { topology: true, .. } => TraceTable::Topology(view),
            TableArgs { crossings: true, .. } => TraceTable::Crossings(view),
            _ => TraceTable::Nodes,
        };
        Ok(job::TraceOptions {
            frames: self.frames,
            table,
            nodes: self.nodes.clone(),
            panel: self.panel.clone(),
            format: self.format()?,
            limits: self.scene.limit.limits(),
        })
    }
}
