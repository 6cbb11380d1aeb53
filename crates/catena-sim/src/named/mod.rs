//! What a scene can name, and its options: descriptions, checks, and the tables they stand in.

mod components;
mod option;
mod table;

pub use components::Components;
pub use option::{BadOption, Info, OptionInfo};
pub(crate) use table::table;
