//! Scenes whose files are given as bytes, without a file system.

use crate::repository;
use catena::scene::{GivenFiles, Limits, Scene, SceneText, load, load_with_given};
use std::fs;

const MESH: &str = "tests/meshes/square.obj";

/// A scene with a mesh from a file, as text in the root folder of the repository.
fn text() -> SceneText {
    let text = format!("Scene(base: (gravity: (0, -1, 0), mesh: (file: \"{MESH}\")))");
    let origin = repository("given.ron").display().to_string();
    SceneText { origin, name: "given".into(), text }
}

fn positions(scene: &Scene) -> &[f64] {
    &scene.panels[0].bodies[0].setup.initial.x
}

#[test]
fn given_bytes_make_the_scene_that_files_make() {
    let bytes = fs::read(repository(MESH)).unwrap();
    let files = GivenFiles::from([(MESH.into(), bytes.into()), ("other".into(), [1].into())]);
    let given = load_with_given(&text(), &[], &Limits::default(), files).unwrap();
    let read = load(&text(), &[]).unwrap();
    assert!(!positions(&read).is_empty());
    assert_eq!(positions(&given), positions(&read));
    // Only files that the scene names are its files.
    assert_eq!(given.files, read.files);
}

#[test]
fn a_file_that_is_not_given_is_not_read_from_the_disk() {
    let error = load_with_given(&text(), &[], &Limits::default(), GivenFiles::new()).unwrap_err();
    assert!(error.message().contains(&format!("{MESH} cannot be read: it was not provided")));
}
