//! Formats numbers and texts for people, spreadsheets, browsers and shells.

pub mod csv;
pub mod direction;
pub mod lines;
pub mod link;
pub mod list;
pub mod markup;
pub mod number;
pub mod printable;
pub mod round;
pub mod shell;
pub mod wrap;
pub mod yaml;
