//! Options of `catena fit`.

use super::identify::{Direction, Factor, Order, TypedReading};
use super::value::{Origin, whole};
use super::{FigureStyleArgs, SceneArgs};
use crate::job::{FitTerm, MAX_FRAMES};
use crate::scene::recorded::{Placement, YAxis};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct FitArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// CSV file with the positions to fit: frame,node,x,y or t,x,y of one point; - reads standard
    /// input [default: the `reference` of the scene].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) data: Option<PathBuf>,
    /// Fields that vary, such as rope.stiffness,drag. A field may have a start value, as in
    /// drag=0.1. A number in braces varies inside a value: 'gravity=(0, {-9.81})'.
    #[arg(long, value_name = "FIELD,…", required = true, value_parser = terms)]
    vary: Vec<Terms>,
    /// Meaning of the columns of the data, such as frame,node,x,y, with - for a column to skip
    /// [default: from their names or numbers].
    #[arg(long, value_name = "LIST", requires = "data", allow_hyphen_values = true)]
    pub(in crate::cli) columns: Option<String>,
    /// Node that data of one point describe, counted from 0 [default: the last].
    #[arg(long, value_name = "N", requires = "data", value_parser = whole::<usize>(0..=999_999_999))]
    node: Option<usize>,
    /// Node of the scene that is the lowest node number in the data [default: from the start].
    #[arg(long, value_name = "N", requires = "data", value_parser = whole::<usize>(0..=999_999_999))]
    first_node: Option<usize>,
    /// Order of the nodes in the data: as in the scene, or from the other end [default: from the
    /// start].
    #[arg(long, value_enum, value_name = "ORDER", requires = "data")]
    node_order: Option<Order>,
    /// Frame of the scene at the earliest time in the data [default: from the numbers and the
    /// start].
    #[arg(long, value_name = "N", requires = "data", value_parser = whole::<u64>(0..=MAX_FRAMES))]
    first_frame: Option<u64>,
    /// Direction of y in the data [default: from the start].
    #[arg(long, value_enum, requires = "data")]
    y: Option<Direction>,
    /// Factor for the positions in the data, such as 0.01 for centimetres in a scene in metres.
    #[arg(
        long,
        value_name = "F",
        allow_negative_numbers = true,
        requires = "data",
        default_value = "1"
    )]
    scale: Factor,
    /// Position of the data's origin in the scene, after --y and --scale, such as -320,240 for
    /// pixels.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, requires = "data")]
    translate: Option<Origin>,
    /// Number of frames to compare [default: all frames with data].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    pub(in crate::cli) frames: Option<u64>,
    /// Panel to fit, given by its label or by its number, counted from 1 [default: the first].
    #[arg(long, value_name = "PANEL", allow_hyphen_values = true)]
    pub(in crate::cli) panel: Option<String>,
    /// Body of the panel to fit, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(0..=999_999_999))]
    pub(in crate::cli) body: usize,
    /// Draw data, fit and residuals into this .svg, .png or .pdf file, or write their numbers into
    /// this .csv file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) figure: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) style: FigureStyleArgs,
    /// Write the estimates as JSON; - writes to standard output instead of text.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) json: Option<PathBuf>,
}

/// Fields in one `--vary` option.
#[derive(Clone, Debug)]
struct Terms(Vec<FitTerm>);

fn terms(text: &str) -> Result<Terms, String> {
    FitTerm::list(text).map(Terms)
}

impl FitArgs {
    /// Fields that vary, in the order given.
    pub(in crate::cli) fn terms(&self) -> Vec<FitTerm> {
        self.vary.iter().flat_map(|terms| terms.0.clone()).collect()
    }

    /// Returns the options about the data as typed, each after a space.
    pub(in crate::cli) fn reading(&self) -> String {
        TypedReading {
            columns: self.columns.as_deref(),
            y: self.y,
            scale: self.scale.0,
            translate: self.translate,
            node: self.node.map(|node| node as u64),
            first_node: self.first_node.map(|node| node as u64),
            node_order: self.node_order,
            first_frame: self.first_frame,
        }
        .words()
    }

    /// Returns the assignment of the data to nodes, frames and directions.
    pub(in crate::cli) fn placement(&self, panel: usize) -> Placement {
        let y = self.y.map(|y| if y == Direction::Up { YAxis::Up } else { YAxis::Down });
        let own = [panel as u64, self.body as u64];
        Placement {
            node: self.node,
            first_node: self.first_node,
            node_order: self.node_order.map(Into::into),
            first_frame: self.first_frame,
            y,
            own,
            scale: self.scale.0,
            translate: self.translate.unwrap_or_default().0,
            ..Placement::default()
        }
    }
}
