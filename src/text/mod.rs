//! How numbers and texts are written for those who read them: people, spreadsheets, browsers and
//! shells.

pub mod csv;
pub mod link;
pub mod list;
pub mod markup;
pub mod number;
pub mod printable;
pub mod shell;
