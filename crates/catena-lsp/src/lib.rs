//! Language server for scenes and sweeps: diagnostics, completion, hover, definitions and
//! formatting.
//!
//! One thread reads and answers requests. Two others check the newest text of each document: one
//! finds errors, the other looks for cautions. Results for outdated texts are dropped.
//!
//! ```
//! use catena_lsp::{End, serve};
//!
//! let framed = |message: &str| format!("Content-Length: {}\r\n\r\n{message}", message.len());
//! let initialize =
//!     r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#;
//! let shutdown = r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#;
//! let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
//! let input = [initialize, shutdown, exit].map(framed).concat();
//! assert_eq!(serve(input.as_bytes(), Box::new(std::io::sink()))?, End::Asked);
//! # Ok::<(), std::io::Error>(())
//! ```

mod answers;
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

pub use answers::{completions_at, faults_of};
pub use lsp_types::{CompletionItem, Diagnostic, Position};
pub use server::{End, serve, serve_within};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
