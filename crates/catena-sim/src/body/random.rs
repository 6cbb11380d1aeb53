//! Pseudorandom numbers that depend on a seed alone.
//!
//! Source: Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom Number Generators".

/// State of the generator SplitMix64.
pub(crate) struct Numbers(pub u64);

impl Numbers {
    /// Returns the next number, at least 0 and below 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
