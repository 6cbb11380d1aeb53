//! Language server for scenes and sweeps: diagnostics, completion, hover, definitions and
//! formatting.
//!
//! One thread reads and answers requests. Two others check the newest text of each document: one
//! finds errors, the other looks for cautions. Results for outdated texts are dropped.

mod completion;
mod definition;
mod diagnostics;
mod documents;
mod mailbox;
mod place;
mod server;
mod sweeps;
mod text;
mod transport;
mod words;

pub use server::{End, serve, serve_within};
