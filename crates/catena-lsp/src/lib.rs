//! A language server for scenes and sweeps: what is wrong as one types, what may be written, what
//! it means, where it comes from, and how it is laid out.
//!
//! One thread reads and answers. Two others check the newest text of each document, first for
//! faults, then for what should be known of the scene; what is outdated by then is dropped.

mod completion;
mod defaults_file;
mod definition;
mod diagnostics;
mod documents;
mod formatting;
mod hover;
mod mailbox;
mod place;
mod server;
mod sweeps;
mod text;
mod transport;
mod uri;
mod words;

pub use server::{End, serve, serve_within};
