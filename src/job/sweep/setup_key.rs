//! The key of a run: equal runs are made once.

use crate::analysis::settle::RestRule;
use crate::sim::Setup;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

/// SHA-256 of all numbers of a setup, of its rest, and of its frames. Every part of a setup prints
/// all that it is, so two setups have one key only if their runs are the same.
pub(super) fn setup_key(setup: &Setup, rest: &RestRule, frames: u64) -> [u8; 32] {
    let mut hash = Hashing(Sha256::new());
    // Hashing cannot fail.
    let _ = write!(hash, "{setup:?} {rest:?} {frames}");
    hash.0.finalize().into()
}

struct Hashing(Sha256);

impl Write for Hashing {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
