//! Helpers that every crate of catena uses.
//!
//! - [`text`] formats numbers and texts.
//! - [`hash`] hashes numbers.
//! - [`threads`] is the one module that starts threads.
//! - [`read`] reads files up to a size limit.

pub mod hash;
#[cfg(feature = "files")]
pub mod read;
pub mod text;
pub mod threads;
