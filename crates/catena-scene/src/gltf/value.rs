//! Numbers of JSON, with error messages that name the expected value.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

/// Count or index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Whole(pub(super) usize);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(WholeVisitor)
    }
}

struct WholeVisitor;

const WHOLE: &str = "a whole number of at least 0";

impl Visitor<'_> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WHOLE)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
        let found = usize::try_from(value).ok();
        found.map(Whole).ok_or_else(|| E::custom(format_args!("{value} is too large")))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Whole, E> {
        let found = u64::try_from(value).ok();
        let found = found.ok_or_else(|| E::custom(format_args!("{value}, expected {WHOLE}")))?;
        self.visit_u64(found)
    }

    /// JSON may write 3 as 3.0.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Whole, E> {
        let is_whole = (0.0..1.8e19).contains(&value) && libm::floor(value) == value;
        let message = format_args!("{value}, expected {WHOLE}");
        if is_whole { self.visit_u64(value as u64) } else { Err(E::custom(message)) }
    }
}

/// Finite number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Number(pub(super) f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
        if value.is_finite() {
            Ok(Number(value))
        } else {
            Err(E::custom("expected a finite number"))
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }
}

/// Returns the values of numbers.
pub(super) fn values<const N: usize>(numbers: [Number; N]) -> [f64; N] {
    numbers.map(|number| number.0)
}
