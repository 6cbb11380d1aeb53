//! Numbers and texts as people, spreadsheets, browsers and shells read them.

pub mod csv;
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
