//! Options of `catena statics`.

use super::{FigureStyleArgs, SceneArgs, value::whole};
use crate::analysis::statics::MODES;
use crate::job::LoadRange;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct StaticsArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Use only the bodies of this panel, given by its label or by its number, counted from 1.
    #[arg(long, value_name = "PANEL", allow_hyphen_values = true)]
    pub(in crate::cli) panel: Option<String>,
    /// Print all numbers as JSON, with full precision.
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Draw the first N modes instead of the shape at rest, one panel per mode. Needs -o.
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1..=MODES as u64), requires = "output")]
    pub(in crate::cli) modes: Option<u8>,
    /// Make a film of mode K, counted from 1, instead of a picture. Needs -o.
    #[arg(
        long,
        value_name = "K",
        value_parser = whole::<u8>(1..=MODES as u64),
        requires = "output",
        conflicts_with = "modes"
    )]
    pub(in crate::cli) mode: Option<u8>,
    /// Follow the equilibrium while a field changes, past limit points: rope.length=2:3 or
    /// 'gravity=(0,-1):(0,-20)'. For an entry of a list, write both lists:
    /// 'forces=[PointForce(node: 9, force: (0, 0))]:[PointForce(node: 9, force: (0, -4))]'.
    #[arg(long, value_name = "PATH=FROM:TO", conflicts_with_all = ["modes", "mode"])]
    pub(in crate::cli) load: Option<LoadRange>,
    /// Apply the full friction (Coulomb's limit) to contacts that slid between the start and the
    /// shape at rest, instead of none.
    #[arg(long, conflicts_with = "load")]
    pub(in crate::cli) friction: bool,
    /// Node whose position is printed along --load [default: the node that moves farthest].
    #[arg(long, value_name = "N", requires = "load", value_parser = whole::<usize>(0..=999_999_999))]
    pub(in crate::cli) node: Option<usize>,
    /// Output file: a .png picture of all bodies at rest, or the film of a mode, or with --load a
    /// chart as .svg, .pdf, .png or .csv [default: nothing is written].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) style: FigureStyleArgs,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
}
