//! Adler-32 checksum, combined from parts.

use std::ops::AddAssign;

/// Largest prime below 2¹⁶.
const MODULUS: u64 = 65521;

/// Contribution of bytes to the two sums of Adler-32: Σ d and Σ j d, where j is the position of a
/// byte in its row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AdlerSums {
    plain: u64,
    by_place: u64,
}

impl AddAssign for AdlerSums {
    fn add_assign(&mut self, other: Self) {
        self.plain += other.plain;
        self.by_place += other.by_place;
    }
}

impl AdlerSums {
    /// Sums of a filter's number, at position 0.
    pub(super) fn of_filter(number: u8) -> Self {
        Self { plain: number.into(), by_place: 0 }
    }

    /// Sums of bytes, the first of them at position `place`.
    #[inline(always)]
    pub(super) fn of(bytes: &[u8], place: usize) -> Self {
        let mut sums = Self::default();
        // The sums of a block fit into 32 bits.
        for (index, block) in bytes.chunks(2048).enumerate() {
            let (mut plain, mut by_place) = (0_u32, 0_u32);
            for (j, &byte) in (0_u32..).zip(block) {
                plain += u32::from(byte);
                by_place += j * u32::from(byte);
            }
            let first = (place + 2048 * index) as u64;
            sums.plain += u64::from(plain);
            sums.by_place += first * u64::from(plain) + u64::from(by_place);
        }
        sums
    }

    /// Adds the sums of a row. `left` is the number of bytes from its first one to the end of the
    /// picture. A byte counts in the second sum once per byte from itself to the end.
    #[inline(always)]
    pub(super) fn add(&mut self, row: Self, left: u64) {
        self.plain += row.plain;
        // Reduced here, since the sum of a large picture exceeds 64 bits.
        self.by_place = (self.by_place + left * row.plain - row.by_place) % MODULUS;
    }

    /// Checksum of a picture of `total` bytes, after all rows were added.
    pub(super) fn adler(self, total: u64) -> u32 {
        let first = (1 + self.plain) % MODULUS;
        let second = (total + self.by_place) % MODULUS;
        (second << 16 | first) as u32
    }
}
