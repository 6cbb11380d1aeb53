//! Pseudo-random numbers.

use std::ops::Range;

/// Generator of pseudo-random numbers (SplitMix64: Steele, Lea and Flood 2014). It gives equal
/// numbers on every machine.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts a sequence. Every seed is valid, and neighbouring seeds give unrelated sequences.
    pub const fn new(seed: u64) -> Self {
        Self(scrambled(seed))
    }

    /// Number in [-1, 1) that depends on an index only.
    pub fn at(index: usize) -> f64 {
        Self::new(index as u64).signed()
    }

    /// A random number of 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scrambled(self.0)
    }

    /// Integer in [0, `count`), or 0 if the count is 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }

    /// `true` once in `count` times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// A random item of a non-empty list.
    pub fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Number in [0, 1).
    pub const fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Number in [-1, 1).
    pub const fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Number in [`low`, `high`).
    pub const fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Numbers in [-`maximum`, `maximum`).
    pub fn many(&mut self, count: usize, maximum: f64) -> Vec<f64> {
        (0..count).map(|_| maximum * self.signed()).collect()
    }

    /// A range within a list of this length. The range may be empty.
    pub fn range(&mut self, length: usize) -> Range<usize> {
        let [a, b] = [self.below(length + 1), self.below(length + 1)];
        a.min(b)..a.max(b)
    }
}

/// Bijection that flips about half of all bits when one bit changes.
const fn scrambled(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
