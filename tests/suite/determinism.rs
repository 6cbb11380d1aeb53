//! The same bytes whatever the number of threads, and from a debug and a release build.

use crate::{catena, repository};
use std::fs;

const SCENES: [&str; 3] = ["compare", "explicit_64", "classroom"];

/// The manifest of a render holds a hash of every state and every picture.
fn manifest(scene: &str, threads: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    catena()
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
        assert_eq!(one, manifest(scene, "4"), "{scene}");
    }
}

/// Debug and release builds are both held to hashes that are kept here; `UPDATE_GOLDEN=all` writes them anew.
#[test]
fn builds_change_no_byte() {
    let path = repository("tests/determinism/hashes.txt");
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
    if std::env::var("UPDATE_GOLDEN").is_ok_and(|names| names == "all") {
        fs::write(&path, &found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}
