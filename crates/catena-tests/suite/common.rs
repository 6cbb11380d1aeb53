//! Helpers of all tests: scenes, the program, and files of the repository.

// Each test program uses only some of these helpers.
#![allow(dead_code)]

use catena::scene::{Patch, Scene, SceneText, load};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

/// Number of random cases of a test: `count` times the factor `CATENA_TIMES`, which the nightly job
/// sets.
pub fn cases(count: usize) -> usize {
    let times = std::env::var("CATENA_TIMES").map(|times| times.parse::<usize>().unwrap());
    count * times.unwrap_or(1)
}

/// Whether tests try every combination of their cases, as they do in the nightly job. Otherwise
/// each case occurs with a selection of the others.
pub fn is_thorough() -> bool {
    cases(1) > 1
}

/// A scene of scenes/, with patches applied.
pub fn scene(name: &str, patches: &[&str]) -> Scene {
    let path = repository("scenes").join(name).with_extension("ron");
    let text = SceneText::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let patches: Vec<Patch> = patches.iter().map(|patch| patch.parse().unwrap()).collect();
    load(&text, &patches).unwrap_or_else(|error| panic!("{error}"))
}

/// A scene from text; its files are looked up in the repository.
pub fn scene_of(text: &str) -> Scene {
    let origin = repository("test.ron").display().to_string();
    let text = SceneText { origin, name: "test".into(), text: text.into() };
    load(&text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The program under test; `CATENA_BINARY` names another build of it.
pub fn catena() -> assert_cmd::Command {
    let other = std::env::var_os("CATENA_BINARY").map(|path| repository("").join(path));
    assert_cmd::Command::new(other.unwrap_or_else(program))
}

/// The program of this build, one folder above the tests. `cargo test --test suite` alone does not
/// build it, so this checks that it is not older than its sources.
pub fn program() -> PathBuf {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let tests = std::env::current_exe().unwrap();
        let folder = tests.parent().and_then(Path::parent).unwrap();
        let program = folder.join("catena").with_extension(std::env::consts::EXE_EXTENSION);
        let changed = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified());
        let built = changed(&program).unwrap_or_else(|_| panic!("{BUILD}"));
        let mut folders = vec![repository("src")];
        let crates = fs::read_dir(repository("crates")).unwrap();
        let crates = crates.map(|it| it.unwrap().path()).filter(|it| is_part(it));
        folders.extend(crates.map(|it| it.join("src")));
        let mut count = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rs")
                    && !path.ends_with("tests.rs")
                {
                    count += 1;
                    assert!(
                        changed(&path).unwrap() <= built,
                        "{} is newer: {BUILD}",
                        path.display()
                    );
                }
            }
        }
        assert!(count > 500, "{count} sources");
        program
    });
    PROGRAM.clone()
}

/// Whether a folder of crates/ has a crate of the program.
fn is_part(path: &Path) -> bool {
    !["catena-python", "catena-tests"].iter().any(|other| path.ends_with(other))
}

/// Advice if the program is missing or outdated.
const BUILD: &str = "run `cargo build --release` first, or `cargo test --release` without `--test`";

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize().unwrap().join(path)
}
