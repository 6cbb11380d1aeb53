//! Named objects of scenes and their options: descriptions, checks and tables.

mod bad_setup;
mod components;
mod nested;
mod option;
mod table;

pub use bad_setup::BadSetup;
pub use components::Components;
pub use nested::{Named, Nested};
pub use option::{BadOption, Info, OptionInfo, OptionKind};
pub(crate) use table::table;
