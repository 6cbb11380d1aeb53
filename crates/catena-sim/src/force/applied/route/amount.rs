//! Options of forces that are constant, or follow keys over time or the rows of a file: `3`, `[(0,
//! 3), (2, 1)]`, or `Series(file: "winch.csv", column: "length")`.

use crate::body::curve::{SeriesFile, SeriesRow};
use crate::drive::track::{Animated, Extent, Piece, Track, WrittenKey, WrittenTrack};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// Number of parts into which [`Amount::long_integral`] divides its time range.
const PARTS: usize = 64;

/// A number over time: linear between two keys, unless a key sets another interpolation.
#[derive(Clone)]
pub struct Amount {
    keys: WrittenTrack<f64>,
    value: Option<Animated<1>>,
    /// File whose rows [`Amount::with_rows`] puts in place of the keys; `None` afterwards.
    file: Option<NumberFile>,
}
crate::identity!(Amount { keys, file; value });

/// A file of numbers over time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NumberFile {
    file: String,
    /// Column of the numbers, by its name or its index from 1.
    #[serde(default)]
    column: Option<String>,
    /// Column of the times.
    #[serde(default)]
    time: Option<String>,
    /// Factor applied to the numbers.
    #[serde(default = "one")]
    scale: f64,
    /// Time added to the time of each row.
    #[serde(default)]
    delay: f64,
    /// Whether a smooth curve joins the rows, instead of straight lines.
    #[serde(default)]
    smooth: bool,
}
crate::identity!(NumberFile { file, column, time, scale, delay, smooth });

fn one() -> f64 {
    1.0
}

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            return write!(f, "{file:?}");
        }
        match self.keys.keys.as_slice() {
            [only] => write!(f, "{}", only.value),
            keys => write!(f, "{keys:?}"),
        }
    }
}

impl Amount {
    /// Creates a constant number.
    pub fn constant(value: f64) -> Self {
        let key = WrittenKey { time: 0.0, value, piece: None };
        let keys = WrittenTrack::new(vec![key]);
        Self { keys, value: Some(Animated::number(value)), file: None }
    }

    /// Creates a number that is linear between keys, each a time and a value.
    pub fn linear(keys: &[(f64, f64)]) -> Self {
        let key = |&(time, value): &(f64, f64)| WrittenKey { time, value, piece: None };
        Self::over_time(keys.iter().map(key).collect())
    }

    fn over_time(keys: Vec<WrittenKey<f64>>) -> Self {
        let keys = WrittenTrack::new(keys);
        let value = keys.track(|number| [*number]).ok();
        Self { keys, value, file: None }
    }

    /// Returns the file whose rows are still missing; `None` for a number without a file, or with
    /// its rows.
    pub fn source(&self) -> Option<SeriesFile> {
        let NumberFile { file, column, time, .. } = self.file.clone()?;
        Some(SeriesFile { file, time, columns: column.into_iter().collect() })
    }

    /// Returns a number from the file in the unit of the scene.
    pub fn scaled(&self, value: f64) -> f64 {
        self.file.as_ref().map_or(value, |file| value * file.scale)
    }

    /// Returns this number with the rows of its file as keys.
    pub fn with_rows(&self, rows: &[SeriesRow]) -> Self {
        let Some(file) = &self.file else { return self.clone() };
        let key = |(time, values): &SeriesRow| {
            let value = values.first().map_or(f64::NAN, |value| value * file.scale);
            let piece = if file.smooth { Piece::CatmullRom } else { Piece::Linear };
            WrittenKey { time: time + file.delay, value, piece: Some(piece) }
        };
        Self::over_time(rows.iter().map(key).collect())
    }

    /// Whether the keys are valid, and all values are finite and at least `minimum`. For a file
    /// whose rows are missing: whether its scale and delay are at most 1e100 in size.
    pub fn is_at_least(&self, minimum: f64) -> bool {
        let is_fine = |value: f64| value.is_finite() && value >= minimum;
        let extremes = self.value.as_ref().and_then(Track::extremes);
        if let Some(NumberFile { scale, delay, .. }) = &self.file {
            return scale.abs() <= 1e100 && delay.abs() <= 1e100;
        }
        self.value.is_some()
            && self.keys.keys.iter().all(|key| is_fine(key.value))
            && extremes
                .is_none_or(|[all]| is_fine(all.minimum.value) && is_fine(all.greatest.value))
    }

    /// Whether the number is the same at all times.
    pub fn is_constant(&self) -> bool {
        matches!(self.extent(), Extent::Still) || self.keys.keys.len() == 1
    }

    /// Returns the number and its rate of change at a time.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let ([value], [rate]) = self.value.as_ref().map_or(([f64::NAN], [0.0]), |one| one.at(t));
        (value, rate)
    }

    /// Maximum absolute value over all times.
    pub(super) fn maximum(&self) -> f64 {
        let extremes = self.value.as_ref().and_then(Track::extremes);
        let of_keys = self.keys.keys.iter().map(|key| key.value.abs()).fold(0.0, f64::max);
        extremes.map_or(of_keys, |[all]| all.minimum.value.abs().max(all.greatest.value.abs()))
    }

    /// Minimum value over all times.
    pub(super) fn minimum(&self) -> f64 {
        let extremes = self.value.as_ref().and_then(Track::extremes);
        let of_keys = self.keys.keys.iter().map(|key| key.value).fold(f64::INFINITY, f64::min);
        extremes.map_or(of_keys, |[all]| all.minimum.value.min(of_keys))
    }

    /// Integral of the number from one time to another.
    ///
    /// Keys divide the range. Between two keys, Gauss-Legendre quadrature with three points is
    /// exact for linear and cubic pieces.
    pub(super) fn integral(&self, from: f64, to: f64) -> f64 {
        if self.is_constant() {
            return self.at(from).0 * (to - from);
        }
        let piece = |from: f64, to: f64| {
            let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
            let reach = half * 0.6_f64.sqrt();
            let [before, at, after] =
                [middle - reach, middle, middle + reach].map(|t| self.at(t).0);
            half * (5.0 * before + 8.0 * at + 5.0 * after) / 9.0
        };
        let (mut sum, mut start) = (0.0, from);
        for time in self.keys.keys.iter().map(|key| key.time) {
            if start < time && time < to {
                sum += piece(start, time);
                start = time;
            }
        }
        sum + piece(start, to)
    }

    /// Integral of the number over a range of many time steps, as a sum over equal parts.
    pub(super) fn long_integral(&self, from: f64, to: f64) -> f64 {
        let at = |part: usize| from + (to - from) * (part as f64 / PARTS as f64);
        (0..PARTS).map(|part| self.integral(at(part), at(part + 1))).sum()
    }

    /// The time range in which the number changes.
    pub fn extent(&self) -> Extent {
        self.value.as_ref().map_or(Extent::Still, Track::extent)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Amount;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, keys such as [(0, 3), (2, 1)], or Series(file: …)")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Amount, E> {
                Ok(Amount::constant(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Amount, E> {
                Ok(Amount::constant(value as f64))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Amount, E> {
                Ok(Amount::constant(value as f64))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, seq: A) -> Result<Amount, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Amount::over_time)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Amount, A::Error> {
                let file = NumberFile::deserialize(MapAccessDeserializer::new(map))?;
                let keys = WrittenTrack::new(Vec::new());
                Ok(Amount { keys, value: None, file: Some(file) })
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}
