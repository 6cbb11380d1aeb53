//! Numbers that are constant or follow keys over time, as options of forces: `3`, or
//! `[(0, 3), (2, 1)]`.

use crate::drive::track::{Animated, Extent, Track, WrittenKey, WrittenTrack};
use serde::de::value::SeqAccessDeserializer;
use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// A number over time. Keys are linear between their times, unless they say otherwise.
#[derive(Clone)]
pub struct Amount {
    keys: WrittenTrack<f64>,
    value: Option<Animated<1>>,
}
crate::identity!(Amount { keys; value });

impl fmt::Debug for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        Self { keys, value: Some(Animated::number(value)) }
    }

    /// Creates a number that is linear between times and values.
    pub fn linear(keys: &[(f64, f64)]) -> Self {
        let key = |&(time, value): &(f64, f64)| WrittenKey { time, value, piece: None };
        Self::over_time(keys.iter().map(key).collect())
    }

    fn over_time(keys: Vec<WrittenKey<f64>>) -> Self {
        let keys = WrittenTrack::new(keys);
        let value = keys.track(|number| [*number]).ok();
        Self { keys, value }
    }

    /// Whether the keys are valid, and all their values are finite and at least `least`.
    pub fn is_at_least(&self, least: f64) -> bool {
        let is_fine = |value: f64| value.is_finite() && value >= least;
        let extremes = self.value.as_ref().and_then(Track::extremes);
        self.value.is_some()
            && self.keys.keys.iter().all(|key| is_fine(key.value))
            && extremes.is_none_or(|[all]| is_fine(all.least.value) && is_fine(all.greatest.value))
    }

    /// Whether the number is the same at all times.
    pub fn is_constant(&self) -> bool {
        matches!(self.extent(), Extent::Still) || self.keys.keys.len() == 1
    }

    /// The number and its rate at a time.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let ([value], [rate]) = self.value.as_ref().map_or(([f64::NAN], [0.0]), |one| one.at(t));
        (value, rate)
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
                f.write_str("a number, or keys such as [(0, 3), (2, 1)]")
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
        }

        deserializer.deserialize_any(Visitor)
    }
}
