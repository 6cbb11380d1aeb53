//! Sobol's sequence, and pseudorandom numbers that depend only on their index.
//!
//! Any aligned block of 2^k points of Sobol's sequence has one point in each of 2^k equal slices of
//! a side. Primitive polynomials and first direction numbers: Joe and Kuo (2008), "Constructing
//! Sobol sequences with better two-dimensional projections", table new-joe-kuo-6.

/// Number of sides: the first, whose directions are single bits, and one per row of the table.
pub(super) const SOBOL_SIDES: usize = 1 + ROWS.len();

/// Degree of the polynomial, its inner coefficients as bits, and the first direction numbers.
const ROWS: [(u32, u32, &[u64]); 20] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// Returns the bits of a point along a side, most significant first.
pub(super) fn sobol_bits(point: u64, side: usize) -> u64 {
    let bits = u64::BITS - point.leading_zeros();
    let directions = directions(side, bits as usize);
    let chosen = directions.iter().enumerate().filter(|(bit, _)| point >> bit & 1 == 1);
    chosen.fold(0, |sum, (_, direction)| sum ^ direction)
}

/// Returns the first `count` direction numbers of a side.
fn directions(side: usize, count: usize) -> Vec<u64> {
    let row = side.checked_sub(1).and_then(|row| ROWS.get(row));
    let Some((degree, inner, first)) = row else {
        return (0..count).map(|bit| 1 << (63 - bit)).collect();
    };
    let degree = *degree as usize;
    let mut all: Vec<u64> = Vec::with_capacity(count);
    for bit in 0..count {
        let direction = match first.get(bit) {
            Some(first) => first << (63 - bit),
            None => {
                let earlier = all[bit - degree];
                let start = earlier ^ (earlier >> degree);
                (1..degree)
                    .filter(|k| inner >> (degree - 1 - k) & 1 == 1)
                    .fold(start, |sum, k| sum ^ all[bit - k])
            }
        };
        all.push(direction);
    }
    all
}

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
/// network of four rounds on the next even number of bits. The network is applied repeatedly until
/// the result is in range (Black and Rogaway 2002). A `place` of `count` or more also gives a
/// result below `count`.
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
