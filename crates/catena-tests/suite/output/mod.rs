//! Files and folders: PNG files, checkpoints, ownership of files, and faults of every call that
//! writes.

mod cells;
mod checkpoints;
mod exr;
pub mod faults;
mod flat;
mod hostile;
mod huffman;
mod links;
mod locks;
mod ownership;
mod replaced;
mod unfinished;
mod unreadable;
