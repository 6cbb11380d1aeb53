//! Language server for scenes and sweeps: diagnostics, completion, hover, definitions and
//! formatting.
//!
//! Without the feature `server`, only the answers about one text are available.
//!
//! One thread reads and answers requests. Two other threads check the newest text of each document:
//! one finds errors, the other finds cautions. Results for outdated texts are dropped.
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
#[cfg(feature = "server")]
mod definition;
#[cfg(feature = "server")]
mod diagnostics;
#[cfg(feature = "server")]
mod documents;
#[cfg(feature = "server")]
mod mailbox;
mod messages;
mod place;
#[cfg(feature = "server")]
mod server;
mod sweeps;
mod text;
#[cfg(feature = "server")]
mod transport;
mod words;

pub use answers::{completions_at, faults_of};
pub use lsp_types::{CompletionItem, Diagnostic, Position};
#[cfg(feature = "server")]
pub use server::{End, serve, serve_within};

#[cfg(all(doctest, feature = "server"))]
#[doc = include_str!("../README.md")]
struct Readme;
