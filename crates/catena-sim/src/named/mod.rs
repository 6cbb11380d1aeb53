//! What a scene can name, and its options: descriptions, checks, and the tables they stand in.

mod bad_setup;
mod components;
mod key;
mod nested;
mod option;
mod table;

pub use bad_setup::BadSetup;
pub use components::Components;
pub use key::Key;
pub use nested::{Named, Nested};
pub use option::{BadOption, Info, OptionInfo, OptionKind};
pub(crate) use table::table;
