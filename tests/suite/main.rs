//! All tests that need no pictures to compare with. One program, since linking is most of what a
//! test costs.

// A test that cannot continue has failed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]
// Tables of cases have the types of their columns.
#![allow(clippy::type_complexity)]

mod analysis;
mod cli;
mod cluster;
mod compare;
mod export;
mod figure;
mod film;
mod gltf;
mod job;
mod lsp;
mod output;
mod physics;
mod render;
mod rendered;
mod repository;
mod rigs;
mod scene;
mod shard;
mod sweep;
mod watch;

use catena::scene::{Patch, Scene, SceneText, load};
use std::path::{Path, PathBuf};

/// A scene of scenes/, with patches.
fn scene(name: &str, patches: &[&str]) -> Scene {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name).with_extension("ron");
    let text = SceneText::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let patches: Vec<Patch> = patches.iter().map(|patch| patch.parse().unwrap()).collect();
    load(&text, &patches).unwrap_or_else(|error| panic!("{error}"))
}

/// A scene from text.
fn scene_of(text: &str) -> Scene {
    let text = SceneText { origin: "test".into(), name: "test".into(), text: text.into() };
    load(&text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The program under test; `CATENA_BINARY` names another build of it.
fn catena() -> assert_cmd::Command {
    let other = std::env::var_os("CATENA_BINARY").map(|path| repository("").join(path));
    assert_cmd::Command::new(other.unwrap_or_else(|| env!("CARGO_BIN_EXE_catena").into()))
}

/// A file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
