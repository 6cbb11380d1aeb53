//! Which shard of how many, and what of a whole is in it.

use std::{fmt, ops::Range, str::FromStr};

/// The most shards that anything is divided into.
pub const MOST_SHARDS: u32 = 100_000;

/// One of the shards of a whole, written `3/64`: number 3 of 64. The first has number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShardChoice {
    of: u32,
    number: u32,
}

impl ShardChoice {
    /// The only shard of a whole that is not divided.
    pub const WHOLE: Self = Self { of: 1, number: 1 };

    /// Shard `number` of `of`; `None` unless `number` is from 1 to `of`, and `of` at most
    /// [`MOST_SHARDS`].
    pub fn new(number: u32, of: u32) -> Option<Self> {
        let is_one = (1..=of).contains(&number) && of <= MOST_SHARDS;
        is_one.then_some(Self { of, number })
    }

    /// Its number, from 1 on.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many shards there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Its part of so many items: contiguous, and as long as every other or one item longer. All
    /// shards together have each item once. The part is empty where there are more shards than
    /// items.
    pub fn slice(self, total: u64) -> Range<u64> {
        let bound = |number: u32| {
            let items = u128::from(number) * u128::from(total) / u128::from(self.of);
            // At most the total, since the number is at most the number of shards.
            u64::try_from(items).unwrap_or(total)
        };
        bound(self.number - 1)..bound(self.number)
    }

    /// The shard whose items this one audits: the one before it, whose items a simulation passes on
    /// its way, and the last one for the first. `None` where there is one shard alone.
    pub fn neighbour(self) -> Option<Self> {
        let number = if self.number == 1 { self.of } else { self.number - 1 };
        (self.of > 1).then_some(Self { number, ..self })
    }

    /// The items of this shard that an audit computes once more: this share of them, equally far
    /// apart, and one at least where there is one.
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
                "expected I/N such as 3/64: shard I of N, I from 1 to N and N at most {MOST_SHARDS}"
            )
        })
    }
}
