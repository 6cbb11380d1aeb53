//! Tests of scenes and of simulations. They are a separate program, so that it is compiled in
//! parallel with the other tests in `main.rs`.

// A test that cannot continue has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]
// Tables of cases are typed by their columns.
#![allow(clippy::type_complexity)]

mod common;
mod compare;
mod physics;
// The helpers for interrupted renders are shared with the other program.
#[allow(dead_code)]
mod rendered;
mod rigs;
mod scene;

use common::{cases, catena, is_thorough, repository, scene, scene_of};
