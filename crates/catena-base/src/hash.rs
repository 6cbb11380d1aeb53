//! SHA-256 hashes of numbers.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Hexadecimal digits of bytes, two lower-case digits per byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// SHA-256 of a sequence of numbers as little-endian f64. All NaNs hash as the same value, since
/// their bits differ between processors.
#[derive(Default)]
pub struct NumberHash(Sha256);

impl NumberHash {
    /// Appends numbers to the hashed sequence.
    pub fn add(&mut self, numbers: &[f64]) {
        // Updates per block of numbers: a call per number would cost more than its hash.
        let mut bytes = [0; 8 * 64];
        for block in numbers.chunks(64) {
            for (bytes, number) in bytes.chunks_exact_mut(8).zip(block) {
                let number = if number.is_nan() { f64::NAN } else { *number };
                bytes.copy_from_slice(&number.to_le_bytes());
            }
            self.0.update(&bytes[..8 * block.len()]);
        }
    }

    /// Returns the hash in hexadecimal, 64 digits.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}
