//! Pseudorandom numbers that depend only on their index.

/// Mixes 64 bits by a bijection without visible patterns: the finalizer of SplitMix64 (Steele, Lea
/// and Flood 2014).
pub(super) fn hash(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Converts the highest 53 bits to a number from 0 to below 1.
pub(super) fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns the position of `place` in a permutation of `0..count`. The permutation is a Feistel
/// network of four rounds on the next even number of bits. It is applied until the result is in
/// range (Black and Rogaway 2002). A `place` of `count` or more also gives a result below `count`.
pub fn permuted(place: u64, count: u64, key: u64) -> u64 {
    let bits = (u64::BITS - count.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << bits) - 1;
    let mut at = place;
    loop {
        let (mut left, mut right) = (at >> bits, at & mask);
        for round in 0..4 {
            let mixed = hash(key ^ hash(right.wrapping_add(round << 40))) & mask;
            (left, right) = (right, left ^ mixed);
        }
        at = left << bits | right;
        if at < count {
            return at;
        }
    }
}
