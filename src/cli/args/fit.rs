//! Options of `catena fit`.

use super::identify::{Direction, Factor, Order, TypedReading};
use super::value::{Origin, whole};
use super::{FigureStyleArgs, SceneArgs};
use crate::job::{FitTerm, MOST_FRAMES};
use crate::scene::recorded::{Placement, YAxis};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct FitArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// A .csv with the positions to agree with: frame,node,x,y or t,x,y of one point; - is standard
    /// input [default: the `reference` of the scene].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) data: Option<PathBuf>,
    /// The fields that vary, such as rope.stiffness,drag. A field may have a start, as in drag=0.1;
    /// a number in braces varies inside a value: 'gravity=(0, {-9.81})'.
    #[arg(long, value_name = "FIELD,…", required = true, value_parser = terms)]
    vary: Vec<Terms>,
    /// What the columns of the data are, such as frame,node,x,y, with - for one to skip [default:
    /// by their names or numbers].
    #[arg(long, value_name = "LIST", requires = "data", allow_hyphen_values = true)]
    pub(in crate::cli) columns: Option<String>,
    /// Which node data of one point describe, counted from 0 [default: the last].
    #[arg(long, value_name = "N", requires = "data")]
    node: Option<usize>,
    /// Which node the lowest number of the data means [default: as the start says].
    #[arg(long, value_name = "N", requires = "data")]
    first_node: Option<usize>,
    /// Order of the nodes in the data: as in the scene, or from the other end [default: as the
    /// start says].
    #[arg(long, value_enum, value_name = "ORDER", requires = "data")]
    node_order: Option<Order>,
    /// Which frame the first time of the data shows [default: as the numbers and the start say].
    #[arg(long, value_name = "N", requires = "data", value_parser = whole::<u64>(0..=MOST_FRAMES))]
    first_frame: Option<u64>,
    /// Where y points in the data [default: as the start says].
    #[arg(long, value_enum, requires = "data")]
    y: Option<Direction>,
    /// Factor of the positions in the data, such as 0.01 for centimetres in a scene in metres.
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
    /// How many frames are compared [default: all that have data].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    pub(in crate::cli) frames: Option<u64>,
    /// Which panel is fitted, given by its label or by its number, counted from 1 [default: the
    /// first].
    #[arg(long, value_name = "PANEL", allow_hyphen_values = true)]
    pub(in crate::cli) panel: Option<String>,
    /// Which body of the panel is fitted, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(in crate::cli) body: usize,
    /// Draw data, fit and residuals into this .svg, .png or .pdf, or write their numbers into this
    /// .csv.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) figure: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) style: FigureStyleArgs,
    /// Write the estimates as JSON; - is standard output, which then gets no text.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) json: Option<PathBuf>,
}

/// Fields of one `--vary`.
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

    /// Options about the data as they were typed, with a space before each.
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

    /// Statements about the data.
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
