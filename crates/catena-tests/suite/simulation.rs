//! Tests of scenes and of what is simulated. A program of its own, so that it is compiled beside
//! that of the other tests, in `main.rs`.

// A test that cannot continue has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]
// Tables of cases have the types of their columns.
#![allow(clippy::type_complexity)]

mod common;
mod compare;
mod physics;
// The helpers for renders that are cut short are those of the other program.
#[allow(dead_code)]
mod rendered;
mod rigs;
mod scene;

use common::{cases, catena, is_thorough, repository, scene, scene_of};
