//! Helpers that every crate of catena uses: how numbers and texts are written ([`text`]), hashes of
//! numbers ([`hash`]), the one module that starts threads ([`threads`]), and files read within a
//! limit ([`read`]).

pub mod hash;
#[cfg(feature = "files")]
pub mod read;
pub mod text;
pub mod threads;
