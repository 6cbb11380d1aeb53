//! All tests of commands, pictures and files that do not compare pictures. There are few test
//! programs, because linking is most of the cost of a test; the tests of the simulation are in
//! `simulation.rs`.

// A test that cannot continue has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]
// Tables of cases are typed by their columns.
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
