//! Sweeps over files: a table matches the files from which it was made.

use super::{column, read};
use crate::gltf::document::arm;
use catena::scene::{
    Limits, SceneText,
    sweep::{SweepOptions, load_sweep},
};
use std::{fs, path::Path, process::Output};

const SCENE: &str = "Scene(base: (frames: 3, substeps: 8, rope: (nodes: 4)))";
/// An axis of files; the second one does not represent the others.
const AXIS: &str = "rope.shape=[File(file: \"p1.csv\"), File ( file : /* far */ \"p 2.csv\" )]";

/// A folder with the scene and the first file.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.ron"), SCENE).unwrap();
    points(folder.path(), "p1.csv", 1);
    folder
}

/// Writes a file of a rope of this length.
fn points(folder: &Path, name: &str, length: u32) {
    fs::write(folder.join(name), format!("0,0\n{length},0\n")).unwrap();
}

fn catena(folder: &Path, words: &[&str]) -> (String, Option<i32>) {
    let mut command = crate::catena();
    let Output { stderr, status, .. } = command.current_dir(folder).args(words).output().unwrap();
    (String::from_utf8(stderr).unwrap(), status.code())
}

#[test]
fn a_file_that_changed_makes_another_table() {
    let folder = folder();
    let folder = folder.path();
    let sweep = ["sweep", "scene.ron", "--axis", AXIS, "--measure", "Tip", "--out", "out"];
    // The second file is missing at first (this gives a row, too), then exists, then changes.
    for (length, expected) in [(None, "refused"), (Some(2), "fine"), (Some(3), "fine")] {
        length.iter().for_each(|length| points(folder, "p 2.csv", *length));
        assert_eq!(catena(folder, &sweep).1, Some(0));
        let found = read(&folder.join("out/table.csv"));
        assert_eq!(column(&found, "status"), ["fine", expected]);
        let tip: Option<f64> = column(&found, "tip_x_max")[1].parse().ok();
        assert_eq!(tip.map(f64::round), length.map(f64::from), "{found:?}");
        // Nothing is measured twice.
        let bytes = fs::read(folder.join("out/sweep.json")).unwrap();
        assert_eq!(catena(folder, &sweep).1, Some(0));
        assert!(fs::read(folder.join("out/sweep.json")).unwrap() == bytes);
    }
}

#[test]
fn shards_of_other_files_are_not_put_together() {
    let folder = folder();
    let folder = folder.path();
    points(folder, "p 2.csv", 2);
    let shard = |shard: &str| {
        catena(folder, &["sweep", "scene.ron", "--axis", AXIS, "--out", "out", "--shard", shard])
    };
    assert_eq!(shard("1/2").1, Some(0));
    points(folder, "p 2.csv", 3);
    let (message, code) = shard("2/2");
    let differs = "they differ from this one in the file p 2.csv";
    assert!(message.contains(differs) && code == Some(2), "{message}");
    // The first shard is the only one, so it may be replaced.
    assert_eq!(shard("1/2").1, Some(0));
    assert_eq!(shard("2/2").1, Some(0));
    assert_eq!(catena(folder, &["merge", "out"]).1, Some(0));
}

#[test]
fn every_file_that_an_axis_names_is_known() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("scene.ron"), "Scene(base: (rope: (shape: File(file: \"own.csv\"))))")
        .unwrap();
    points(folder, "own.csv", 4);
    let figure = arm();
    fs::write(folder.join("figure.gltf"), figure.with_buffer_at("bones.bin")).unwrap();
    fs::write(folder.join("bones.bin"), &figure.data).unwrap();
    let axes = [
        AXIS,
        "rig.file=[\"figure.gltf\", \"gone.glb\"]",
        "mesh, bodies=[((file: r\"net.obj\"), [(label: \"p3.csv\")]), ((file: \"own.csv\"), [])]",
        "substeps=Whole(8, 16, 3)",
    ];
    let text = SceneText::read(&folder.join("scene.ron")).unwrap();
    let options = SweepOptions {
        axes: axes.map(String::from).into(),
        frames: Some(2),
        ..SweepOptions::default()
    };
    let it = load_sweep(&text, &options, &Limits::default()).unwrap();
    let found: Vec<(String, Option<usize>)> = it
        .files()
        .into_iter()
        .map(|(name, bytes)| (name, bytes.map(|bytes| bytes.len())))
        .collect();
    let known = |name: &str, length| (name.to_owned(), length);
    let expected = [
        known("bones.bin", Some(figure.data.len())),
        known("figure.gltf", Some(figure.with_buffer_at("bones.bin").len())),
        known("gone.glb", None),
        known("net.obj", None),
        known("own.csv", Some(8)),
        known("p 2.csv", None),
        known("p1.csv", Some(8)),
    ];
    assert_eq!(found, expected);
}
