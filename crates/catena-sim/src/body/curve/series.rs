//! Times and positions from the rows of a file, for measured or computed data.
//!
//! The core reads no files. A scene reads the file and replaces the series by the [`Keys`] that
//! [`Series::with_rows`] returns. The series itself has no position.

use super::Curve;
use super::keyed::Keys;
use crate::body::curve::spans::PlaceAndRate;
use crate::drive::track::{Extent, Piece, WrittenKey, WrittenTrack};
use crate::named::{BadOption, Components, Info, OptionInfo, OptionKind};
use serde::Deserialize;

/// A time and the values of the columns in one row.
pub type SeriesRow = (f64, Vec<f64>);

/// A file of rows and the columns that are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeriesFile {
    /// Name of the file.
    pub file: String,
    /// Name or number of the column of times; `None` for `t`, `time`, or the first one.
    pub time: Option<String>,
    /// Names or numbers of the columns of values; empty to choose them from the file's column
    /// names.
    pub columns: Vec<String>,
}
crate::identity!(SeriesFile { file, time, columns });

/// Curve through the rows of a file, and the conversion of the file's numbers to positions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Name of the file.
    pub file: String,
    /// Columns of the positions, by name or by number from 1.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Column of the times, by name or by number.
    #[serde(default)]
    pub time: Option<String>,
    /// Factor by which positions are multiplied.
    #[serde(default = "one")]
    pub scale: f64,
    /// Offset that is added to positions after scaling.
    #[serde(default)]
    pub shift: Option<Components>,
    /// Delay that is added to the times.
    #[serde(default)]
    pub delay: f64,
    /// Whether a smooth curve joins the rows, instead of straight lines.
    #[serde(default)]
    pub smooth: bool,
}
crate::identity!(Series { file, columns, time, scale, shift, delay, smooth });

fn one() -> f64 {
    1.0
}

const FILE: OptionInfo = OptionInfo {
    name: "file",
    summary: "CSV file with a time and a position per row, relative to the scene",
    default: OptionInfo::NEEDED,
    range: "the name of a file in quotes",
    ..OptionInfo::PLAIN
};

const COLUMNS: OptionInfo = OptionInfo {
    name: "columns",
    summary: "columns of the position, by name or by number from 1: [\"surge\", \"heave\"]; if \
              omitted, x, y and z, or the columns other than the time",
    default: "[]",
    range: "a list of names or numbers in quotes, one per axis of the scene",
    ..OptionInfo::PLAIN
};

const TIME: OptionInfo = OptionInfo {
    name: "time",
    summary: "column of the time, by name or by number; if omitted, t, time, or the first column",
    default: OptionInfo::LEFT_OUT,
    range: "a name or a number in quotes",
    ..OptionInfo::PLAIN
};

const SCALE: OptionInfo = OptionInfo {
    name: "scale",
    summary: "scale factor of the positions",
    default: "1",
    range: "a number from -1e100 to 1e100",
    ..OptionInfo::PLAIN
};

const SHIFT: OptionInfo = OptionInfo {
    name: "shift",
    summary: "offset that is added to the positions after scaling",
    default: OptionInfo::LEFT_OUT,
    range: Components::EXPECTED,
    unit: OptionInfo::OF_MOVED,
    ..OptionInfo::PLAIN
};

const DELAY: OptionInfo = OptionInfo {
    name: "delay",
    summary: "offset that is added to the times of the file",
    default: "0",
    range: "a number from -1e100 to 1e100",
    unit: "time",
    ..OptionInfo::PLAIN
};

const SMOOTH: OptionInfo = OptionInfo {
    name: "smooth",
    summary: "whether a smooth curve joins the rows, with continuous velocity, instead of straight lines",
    default: "false",
    range: "true or false",
    kind: OptionKind::Boolean,
    ..OptionInfo::PLAIN
};

impl Series {
    pub(super) const INFO: Info = Info {
        name: "Series",
        summary: "positions over time from a CSV file",
        options: &[FILE, COLUMNS, TIME, SCALE, SHIFT, DELAY, SMOOTH],
    };

    /// File and columns to read.
    pub fn source(&self) -> SeriesFile {
        let Self { file, columns, time, .. } = self.clone();
        SeriesFile { file, time, columns }
    }

    /// Returns the curve through the rows of the file.
    pub fn with_rows(&self, rows: &[SeriesRow]) -> Keys {
        let shift = self.shift.as_ref().map_or([0.0; 3], Components::xyz);
        let key = |(time, values): &SeriesRow| {
            let at = |axis: usize| values.get(axis).map(|value| value * self.scale + shift[axis]);
            let value: Components = match [at(0), at(1), at(2)] {
                [Some(x), Some(y), Some(z)] => [x, y, z].into(),
                [x, y, _] => [x.unwrap_or(f64::NAN), y.unwrap_or(f64::NAN)].into(),
            };
            let piece = if self.smooth { Piece::CatmullRom } else { Piece::Linear };
            WrittenKey { time: time + self.delay, value, piece: Some(piece) }
        };
        WrittenTrack::new(rows.iter().map(key).collect()).into()
    }
}

impl Curve for Series {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        FILE.check(!self.file.is_empty())?;
        SCALE.check(self.scale.abs() <= 1e100)?;
        DELAY.check(self.delay.abs() <= 1e100)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        COLUMNS.check(self.columns.is_empty() || self.columns.len() == axes)?;
        self.shift.as_ref().map_or(Ok(()), |shift| shift.check(&SHIFT, axes))
    }

    fn at(&self, _t: f64) -> PlaceAndRate {
        ([f64::NAN; 3], [f64::NAN; 3])
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        Vec::new()
    }

    fn extent(&self) -> Extent {
        Extent::Still
    }

    fn series(&self) -> Option<&Self> {
        Some(self)
    }
}
