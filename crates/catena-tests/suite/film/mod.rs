//! From frames to a film.

mod codecs;
mod colors;
pub mod content;
mod faults;
mod joins;
mod names;
mod programs;
mod sequences;
mod signals;
