//! Number of a shard, and its share of the items.

use std::{fmt, ops::Range, str::FromStr};

/// Maximum number of shards.
pub const MAX_SHARDS: u32 = 100_000;

/// One shard of several, written `3/64` for number 3 of 64. Numbers start at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardChoice {
    of: u32,
    number: u32,
}

impl ShardChoice {
    /// The only shard of undivided work.
    pub const WHOLE: Self = Self { of: 1, number: 1 };

    /// Returns shard `number` of `of`. `None` unless `1 <= number <= of <=` [`MAX_SHARDS`].
    pub fn new(number: u32, of: u32) -> Option<Self> {
        let is_one = (1..=of).contains(&number) && of <= MAX_SHARDS;
        is_one.then_some(Self { of, number })
    }

    /// Number of the shard, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Total number of shards.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Returns this shard's range of `total` items. Ranges are contiguous, differ in length by at
    /// most one, and together cover each item once. A range is empty if there are more shards than
    /// items.
    pub fn slice(self, total: u64) -> Range<u64> {
        let bound = |number: u32| {
            let items = u128::from(number) * u128::from(total) / u128::from(self.of);
            // Never above `total`, since `number <= of`.
            u64::try_from(items).unwrap_or(total)
        };
        bound(self.number - 1)..bound(self.number)
    }

    /// Returns the shard whose items this one audits: the previous shard, or the last one for the
    /// first. A simulation passes the previous shard's items anyway. `None` if there is only one
    /// shard.
    pub fn neighbour(self) -> Option<Self> {
        let number = if self.number == 1 { self.of } else { self.number - 1 };
        (self.of > 1).then_some(Self { number, ..self })
    }

    /// Returns the items of this shard that an audit computes again. They are evenly spaced, and
    /// `share` is their fraction of the shard, rounded up. A non-empty shard has at least one.
    pub fn audited(self, total: u64, share: f64) -> Vec<u64> {
        let Range { start, end } = self.slice(total);
        let length = end - start;
        let count = ((length as f64 * share).ceil() as u64).clamp(length.min(1), length);
        let place = |index: u64| {
            let offset = (2 * u128::from(index) + 1) * u128::from(length) / (2 * u128::from(count));
            start + u64::try_from(offset).unwrap_or(0)
        };
        (0..count).map(place).collect()
    }
}

impl fmt::Display for ShardChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        parts.and_then(|(number, of)| Self::new(number, of)).ok_or_else(|| {
            format!(
                "expected I/N such as 3/64: shard I of N, I from 1 to N and N at most {MAX_SHARDS}"
            )
        })
    }
}
