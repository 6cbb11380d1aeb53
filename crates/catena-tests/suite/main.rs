//! All tests of commands, pictures and files that need no pictures to compare with. Few programs,
//! since linking is most of what a test costs; those of the simulation are in `simulation.rs`.

// A test that cannot continue has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]
// Tables of cases have the types of their columns.
#![allow(clippy::type_complexity)]

mod analysis;
mod cli;
mod cluster;
mod common;
mod export;
mod figure;
mod film;
mod gltf;
mod job;
mod lsp;
mod output;
mod render;
mod rendered;
mod repository;
mod shard;
mod sweep;
mod terminal;
mod watch;

use common::{cases, catena, is_thorough, program, repository, scene, scene_of};
