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
mod terminal;
mod watch;

use catena::scene::{Patch, Scene, SceneText, load};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// A scene of scenes/, with patches.
fn scene(name: &str, patches: &[&str]) -> Scene {
    let path = repository("scenes").join(name).with_extension("ron");
    let text = SceneText::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let patches: Vec<Patch> = patches.iter().map(|patch| patch.parse().unwrap()).collect();
    load(&text, &patches).unwrap_or_else(|error| panic!("{error}"))
}

/// A scene from text; its files are those of the repository.
fn scene_of(text: &str) -> Scene {
    let origin = repository("test.ron").display().to_string();
    let text = SceneText { origin, name: "test".into(), text: text.into() };
    load(&text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The program under test; `CATENA_BINARY` names another build of it.
fn catena() -> assert_cmd::Command {
    let other = std::env::var_os("CATENA_BINARY").map(|path| repository("").join(path));
    assert_cmd::Command::new(other.unwrap_or_else(program))
}

/// The program of this build, one folder above the tests. `cargo test --test suite` alone does not
/// build it, so it must not be older than its sources.
fn program() -> PathBuf {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let tests = std::env::current_exe().unwrap();
        let folder = tests.parent().and_then(Path::parent).unwrap();
        let program = folder.join("catena").with_extension(std::env::consts::EXE_EXTENSION);
        let changed = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified());
        let built = changed(&program).unwrap_or_else(|_| panic!("{BUILD}"));
        let sources = fs::read_to_string(program.with_extension("d")).unwrap();
        // The list of cargo: the program, a colon, and its sources, with spaces in names escaped.
        let sources = sources.split_once(": ").unwrap_or_default().1.trim().replace("\\ ", "\0");
        assert!(sources.contains("main.rs"), "no sources in the list of cargo: {sources}");
        for source in sources.split(' ').map(|source| source.replace('\0', " ")) {
            let is_old = changed(Path::new(&source)).is_ok_and(|changed| changed > built);
            assert!(!is_old, "{source} has changed: {BUILD}");
        }
        program
    });
    PROGRAM.clone()
}

/// Advice where the program is missing or old.
const BUILD: &str = "run `cargo build --release` first, or `cargo test --release` without `--test`";

/// A file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize().unwrap().join(path)
}
