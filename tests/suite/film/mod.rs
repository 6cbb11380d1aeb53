//! From frames to a film.

pub mod content;
mod faults;
mod signals;
