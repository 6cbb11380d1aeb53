//! Equal bytes with any number of threads, and from debug and release builds.

use crate::{catena, repository};
use std::fs;

const SCENES: [&str; 3] = ["compare", "explicit_64", "classroom"];

/// Scenes that use every kernel: springs of ropes, constraints, batches, and cloth.
const KERNEL_SCENES: [&str; 5] =
    ["compare", "eight_methods", "verlet_damping", "semi_implicit_damping", "cloth_hanging"];

/// The manifest of a render, which contains a hash of every state and every picture.
fn manifest(scene: &str, threads: &str) -> String {
    manifest_with(scene, threads, "")
}

/// Runs the program with an instruction set, or with the best available one if `instructions` is
/// empty.
fn manifest_with(scene: &str, threads: &str, instructions: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    catena()
        .env("CATENA_INSTRUCTIONS", instructions)
        .arg("render")
        .arg(repository(&format!("scenes/{scene}.ron")))
        .args(["--frames", "25", "--size", "320x200", "--set", "rest.limit=100", "-q"])
        .args(["--threads", threads, "--out"])
        .arg(folder.path())
        .assert()
        .success();
    fs::read_to_string(folder.path().join("manifest.json")).unwrap()
}

#[test]
fn threads_change_no_byte() {
    for scene in SCENES {
        let one = manifest(scene, "1");
        assert_eq!(one, manifest(scene, "2"), "{scene}");
        assert_eq!(one, manifest(scene, "8"), "{scene}");
    }
}

/// If the processor lacks a set, the best available set is used.
#[test]
fn instructions_change_no_byte() {
    for scene in KERNEL_SCENES {
        let best = manifest(scene, "2");
        for instructions in ["baseline", "avx2", "avx512"] {
            assert_eq!(best, manifest_with(scene, "2", instructions), "{scene}, {instructions}");
        }
    }
}

/// Debug and release builds are both compared with stored hashes.
#[test]
fn builds_change_no_byte() {
    let mut found = String::new();
    for scene in SCENES {
        let manifest: serde_json::Value = serde_json::from_str(&manifest(scene, "2")).unwrap();
        for entry in manifest["frames"].as_array().unwrap() {
            let part = |key: &str| entry[key].as_str().unwrap().to_owned();
            found +=
                &format!("{scene} {} {} {}\n", part("file"), part("sha256"), part("state_sha256"));
        }
        found +=
            &format!("{scene} steady.png {}\n", manifest["steady"]["sha256"].as_str().unwrap());
    }
    hold_to("tests/determinism/hashes.txt", &found);
}

/// Compares lines with a file; `UPDATE_GOLDEN=all` rewrites the file.
pub(crate) fn hold_to(file: &str, found: &str) {
    let path = repository(file);
    if std::env::var("UPDATE_GOLDEN").is_ok_and(|names| names == "all") {
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "{file}");
    }
    assert_eq!(found.lines().count(), expected.lines().count(), "{file}");
}
