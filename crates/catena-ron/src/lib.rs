//! The syntax of scene files, which are written in RON.
//!
//! [`Tree`] is a lossless syntax tree: each value knows its name, its bytes and the values inside.
//! Parsing takes time proportional to the text, does not recurse, and accepts any text, so editors
//! can use the tree of a text with errors. Whether a text is valid RON is for the crate `ron` to
//! say; [`syntax_fault`] then says what was meant.
//!
//! ```
//! use catena_ron::{Tree, format, path_at, syntax_fault};
//!
//! let text = "Scene(base: (rope: (nodes: 8, pins: [0])))";
//! let tree = Tree::parse(text);
//! let pins = tree.root().locate("base.rope.pins").expect("the scene has pins");
//! assert_eq!((pins.text(), pins.entries().count()), ("[0]", 1));
//! assert_eq!(path_at(text, text.find('8').unwrap_or(0)), "base.rope.nodes");
//!
//! assert_eq!(format("( a :1 )").as_deref(), Ok("(a: 1)\n"));
//! let fault = syntax_fault("(mass = 2)").expect("this is no RON");
//! assert_eq!(fault.help.as_deref(), Some("write `mass: …`"));
//! ```

mod context;
pub mod fault;
mod format;
mod number;
mod parser;
mod syntax;
#[cfg(test)]
mod tests;
mod token;
mod tree;

pub use context::{Context, Slot};
pub use fault::Fault;
pub use format::format;
pub use number::digits;
pub use parser::Level;
pub use syntax::{constant, syntax_fault, whole_fault};
pub use token::{TokenKind, one_line, tokens, words};
pub use tree::{Node, NodeId, Tree, locate, path_at};
