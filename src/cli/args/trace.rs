//! The options of `catena trace`.

use super::{
    SceneArgs,
    value::{direction, whole},
};
use crate::cli::Failure;
use crate::job::{self, MOST_FRAMES, TopologyView, TraceTable};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct TraceArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// How many frames to simulate [default: what the scene says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    frames: Option<u64>,
    #[command(flatten)]
    table: TableArgs,
    /// The direction towards the viewer in whose picture --topology and --crossings count
    /// crossings [default: 0,0,1].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = direction)]
    toward: Option<[f64; 3]>,
    /// Write rows of --topology and --crossings for each step, not only for each frame. Steps are
    /// watched either way.
    #[arg(long)]
    each_step: bool,
    /// Write these nodes alone, counted from 0, such as 3,7; bodies without one of them leave it
    /// out [default: all].
    #[arg(long, alias = "node", value_name = "A,B,…", value_delimiter = ',', conflicts_with = "TableArgs", value_parser = whole::<u64>(0..=999_999_999))]
    nodes: Option<Vec<u64>>,
    /// csv, or npy: one NumPy structured array with the same columns [default: by the ending of
    /// the file, else csv].
    #[arg(long, value_enum)]
    format: Option<TraceFormat>,
    /// Where to write; - is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(in crate::cli) output: PathBuf,
    /// Exit with 4 when a body diverges; all rows are written all the same.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
}

/// Which table is written; that of the nodes where none of them is given.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct TableArgs {
    /// Write the energy ledger instead, one row per body and frame: kinetic, gravitational and
    /// elastic energy; what was gained since the frame before (below 0: lost) through anchors,
    /// colliders that move, damping, contact, external forces, yielding springs and the method;
    /// then the residual, and the energy turned over, to judge rounding by.
    #[arg(long)]
    energy: bool,
    /// Write the events instead, as csv, one row each in the frame in which it happened: its
    /// number, step and time, the mean place of its nodes, the nodes, what it did, and a note where
    /// it changed nothing.
    #[arg(long)]
    events: bool,
    /// Write the forces of each body on its pins (index: the node) and colliders (index: the place
    /// in the list) instead: over the last step, and as a mean over the frame.
    #[arg(long)]
    forces: bool,
    /// Write how ropes are linked instead, one row a part and one a pair of parts: gauss is the
    /// Gauss integral of the two, of a part with itself its writhe; linking and deviation are its
    /// whole number and the rest, of two rings; crossings are those in a picture, reduced those
    /// that do not come off by sliding, signs their sum; passages are what passed through. Every
    /// step is watched: exit with 7 when something passes through something else.
    #[arg(long)]
    topology: bool,
    /// Write the crossings of ropes in a picture instead, one row each: both parts and the places
    /// along them (segment and share), which is over, the sign and the gap. They are the signed
    /// Gauss code. Every step is watched, too.
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
                Err(Failure::Usage(format!("{option} goes with --topology or --crossings")))
            }
            None => Ok(()),
        }
    }

    /// How the table is written: as asked for, or else as the file's ending says.
    fn format(&self) -> Result<job::TraceFormat, Failure> {
        let ending = self.output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        Ok(match (self.format, ending.as_deref()) {
            (Some(TraceFormat::Csv), _) | (None, None | Some("csv" | "txt" | "dat")) => {
                job::TraceFormat::Csv
            }
            (Some(TraceFormat::Npy), _) | (None, Some("npy")) => job::TraceFormat::Npy,
            (None, Some(_)) => {
                let file = self.output.display();
                let what = format!(
                    "the ending of {file} names no table: .csv and .npy do, or --format csv"
                );
                return Err(Failure::Usage(what));
            }
        })
    }

    /// The options of the job.
    ///
    /// # Errors
    /// When the ending of the file names no format.
    pub(in crate::cli) fn options(&self) -> Result<job::TraceOptions, Failure> {
        let toward = self.toward.unwrap_or(TopologyView::default().toward);
        let view = TopologyView { toward, each_step: self.each_step };
        let table = match self.table {
            TableArgs { energy: true, .. } => TraceTable::Energy,
            TableArgs { events: true, .. } => TraceTable::Events,
            TableArgs { forces: true, .. } => TraceTable::Forces,
            TableArgs { topology: true, .. } => TraceTable::Topology(view),
            TableArgs { crossings: true, .. } => TraceTable::Crossings(view),
            _ => TraceTable::Nodes,
        };
        Ok(job::TraceOptions {
            frames: self.frames,
            table,
            nodes: self.nodes.clone(),
            format: self.format()?,
            limits: self.scene.limit.limits(),
        })
    }
}
