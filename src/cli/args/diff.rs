//! Options of `catena diff`.

use super::identify::{Direction, Factor, Order};
use super::value::{Origin, whole};
use crate::compare::Tolerance;
use crate::job::{MAX_FRAMES, NumberReading};
use clap::{Args, ValueHint};
use std::{path::PathBuf, str::FromStr};

#[derive(Debug, Args)]
pub(in crate::cli) struct DiffArgs {
    /// Folder of expected pictures, a single picture, or a .csv file of numbers, such as a trace; -
    /// reads a .csv from standard input.
    pub(in crate::cli) expected: PathBuf,
    /// Folder of actual pictures, a single picture, or a .csv file. Pictures with the same relative
    /// path form a pair. Rows of a .csv are matched by frame and node, and its columns by name.
    pub(in crate::cli) actual: PathBuf,
    /// Maximum difference of a colour channel (red, green, blue, alpha), from 0 to 255, at which a
    /// pixel counts as equal [default: 0].
    #[arg(long, value_name = "N", value_parser = whole::<u8>(0..=255))]
    pub(in crate::cli) max_channel: Option<u8>,
    /// Maximum share of pixels that differ by more than --max-channel, such as 0.001 or 0.1%
    /// [default: 0].
    #[arg(long, value_name = "SHARE")]
    pub(in crate::cli) max_pixels: Option<Share>,
    /// Minimum mean SSIM of luma (Wang et al. 2004), from -1 to 1. Equal pictures have 1.
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(in crate::cli) min_ssim: Option<Similarity>,
    /// PNG file of the same size as the pictures, whose white pixels are ignored in the comparison,
    /// for example to hide a date. Black and transparent pixels are compared.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) ignore: Option<PathBuf>,
    /// Maximum difference between two numbers of .csv files [default: 0].
    #[arg(long, value_name = "D")]
    pub(in crate::cli) tolerance: Option<Difference>,
    /// Meaning of the columns of ACTUAL, a .csv, such as frame,node,x,y, with - for a column to
    /// skip; or by name: frame=Bild,x=px,y=py [default: from their names or numbers].
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub(in crate::cli) columns: Option<String>,
    /// Direction of y in ACTUAL, a .csv [default: as in EXPECTED].
    #[arg(long, value_enum, value_name = "WHERE")]
    y: Option<Direction>,
    /// Frame of EXPECTED that is the first frame of ACTUAL, a .csv [default: as numbered].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=MAX_FRAMES))]
    first_frame: Option<u64>,
    /// Node of EXPECTED that is the lowest node number of ACTUAL, a .csv [default: as numbered].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=999_999_999))]
    first_node: Option<u32>,
    /// Order of the nodes in ACTUAL, a .csv: as in EXPECTED, or from the other end [default:
    /// forward].
    #[arg(long, value_enum, value_name = "ORDER")]
    node_order: Option<Order>,
    /// Number of steps per frame if ACTUAL, a .csv, counts steps.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    steps: Option<u64>,
    /// Factor for the positions and velocities in ACTUAL, a .csv, such as 0.01 for centimetres.
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    scale: Option<Factor>,
    /// Position of the origin of ACTUAL, a .csv, in EXPECTED, after --y and --scale, such as
    /// -320,240 for pixels.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    translate: Option<Origin>,
    /// Accept pictures or rows that exist only in ACTUAL.
    #[arg(long)]
    pub(in crate::cli) allow_extra: bool,
    /// Folder for failures: index.html, and for each failure a picture with expected, difference
    /// and actual side by side. Replaces the failures of an earlier comparison. Nothing is written
    /// if all pictures pass.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Write the results of all pairs as JSON; - writes to standard output instead of text.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) json: Option<PathBuf>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    /// Print only errors.
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
}

impl DiffArgs {
    /// Options for reading the second file of numbers.
    pub(in crate::cli) fn reading(&self) -> NumberReading {
        NumberReading {
            is_y_down: self.y == Some(Direction::Down),
            first_frame: self.first_frame,
            first_node: self.first_node,
            is_reversed: self.node_order == Some(Order::Reversed),
            steps: self.steps.unwrap_or(1),
            scale: self.scale.map_or(1.0, |factor| factor.0),
            translate: self.translate.unwrap_or_default().0,
        }
    }

    /// Whether any option is set that applies only to files of numbers.
    pub(in crate::cli) fn has_number_options(&self) -> bool {
        self.tolerance.is_some()
            || self.columns.is_some()
            || self.y.is_some()
            || self.first_frame.is_some()
            || self.first_node.is_some()
            || self.node_order.is_some()
            || self.steps.is_some()
            || self.scale.is_some()
            || self.translate.is_some()
    }

    /// Whether any option is set that applies only to pictures.
    pub(in crate::cli) fn has_picture_options(&self) -> bool {
        self.max_channel.is_some()
            || self.max_pixels.is_some()
            || self.min_ssim.is_some()
            || self.ignore.is_some()
            || self.out.is_some()
    }

    /// Maximum difference between the pictures of a pair.
    pub(in crate::cli) fn picture_tolerance(&self) -> Tolerance {
        let is_ssim_alone =
            self.min_ssim.is_some() && self.max_channel.is_none() && self.max_pixels.is_none();
        let fallback = if is_ssim_alone { 1.0 } else { 0.0 };
        Tolerance {
            max_channel: self.max_channel.unwrap_or(0),
            max_pixels: self.max_pixels.map_or(fallback, |share| share.0),
            min_ssim: self.min_ssim.map(|minimum| minimum.0),
        }
    }
}

/// Share of a whole, written `0.001` or `0.1%`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) struct Share(pub(in crate::cli) f64);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A percentage is parsed with an exponent instead of divided: 0.7% must be the same number
        // as 7 of 1000 pixels.
        let number = match text.strip_suffix('%') {
            Some(number) => format!("{}e-2", number.trim_end()).parse::<f64>(),
            None => text.parse(),
        };
        number
            .ok()
            .filter(|share| (0.0..=1.0).contains(share))
            .map(Self)
            .ok_or_else(|| "expected a share from 0 to 1 such as 0.001, or 0.1%".into())
    }
}

/// Maximum difference of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) struct Difference(pub(in crate::cli) f64);

impl FromStr for Difference {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number =
            text.parse::<f64>().ok().filter(|maximum| *maximum >= 0.0 && maximum.is_finite());
        number.map(Self).ok_or_else(|| "expected a number of at least 0 such as 1e-6".into())
    }
}

/// Minimum mean SSIM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) struct Similarity(f64);

impl FromStr for Similarity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse::<f64>().ok().filter(|minimum| (-1.0..=1.0).contains(minimum));
        number.map(Self).ok_or_else(|| "expected a number from -1 to 1 such as 0.99".into())
    }
}
