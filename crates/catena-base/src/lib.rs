//! Helpers for all crates of catena: text, hashes, threads and files.
//!
//! [`text`] prints numbers, lists, paths and quotations. [`hash`] makes hashes of numbers that are
//! equal on every machine. [`threads`] is the only module that starts threads. [`read`] reads files
//! within a limit.
//!
//! ```
//! use catena_base::{hash::NumberHash, read, text::number};
//!
//! assert_eq!(number::counted(3, "frame"), "3 frames");
//! assert_eq!(number::duration(90_000_000_000), "1.5 minutes");
//!
//! let mut hash = NumberHash::default();
//! hash.add(&[0.5, f64::NAN]);
//! assert_eq!(hash.finish().len(), 64);
//!
//! assert_eq!(read::up_to(4, &b"12345"[..])?, b"1234");
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod hash;
#[cfg(feature = "files")]
pub mod read;
pub mod text;
pub mod threads;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
