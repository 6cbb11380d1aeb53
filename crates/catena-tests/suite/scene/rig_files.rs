//! Rigs from files: their use in scenes, messages, and the dependencies of renders.

use crate::{catena, repository};
use catena::scene::{Scene, SceneText, load};
use std::fs;
use std::path::Path;

/// A scene next to some files that plays `layers` of `file`.
fn scene(folder: &Path, file: &str, more: &str) -> Result<Scene, String> {
    let text =
        format!("(base: (frame_time: 0.1, gravity: (0, 0, 0), rig: (file: \"{file}\"{more})))");
    let origin = folder.join("test.ron").display().to_string();
    let text = SceneText { origin, name: "test".into(), text };
    load(&text, &[]).map_err(|error| error.report(false))
}

fn figure() -> Vec<u8> {
    fs::read(repository("scenes/figure.glb")).unwrap()
}

#[test]
fn a_file_plays_its_clips() {
    let scenes = repository("scenes");
    let all = scene(&scenes, "figure.glb", "").unwrap();
    let body = &all.panels[0].bodies[0];
    let rig = &body.rig.as_ref().unwrap().rig;
    assert_eq!(rig.animation.skeleton().len(), 21, "20 bones, and the node of the mesh");
    assert_eq!(rig.skins[0].points.len(), 5424);
    // Walk and Nod both move the head, so only the first is played, and the others are named.
    assert_eq!(rig.animation.layers().len(), 1);
    let note = body.notes.join("\n");
    assert!(note.contains("plays only “Walk”") && note.contains("“Wave”, “Nod”"), "{note}");
    // Clips of files restart after their end.
    let place = |t: f64| rig.bones_at(t).pose.bones()[1].place();
    assert!((place(0.3) - place(1.5)).length() < 1e-6);
    let both =
        scene(&scenes, "figure.glb", ", layers: [(clip: \"Walk\"), (clip: \"Wave\", blend: Over)]");
    let both = both.unwrap();
    let rig = &both.panels[0].bodies[0].rig.as_ref().unwrap().rig;
    let hand = rig.animation.skeleton().bone("right_hand").unwrap();
    assert!(rig.bones_at(0.2).pose.bones()[hand].place().y > 1.6, "the hand is up");
}

/// The root of the figure is on the ground and no skin follows it: no bone is drawn from the root
/// to the hips, nor from the rig's position, even if bones are listed.
#[test]
fn what_only_carries_a_figure_is_not_drawn_as_a_bone() {
    let bones = |scene: &Scene| {
        let rig = &scene.panels[0].bodies[0].rig.as_ref().unwrap().rig;
        rig.bones_at(0.0).bones()
    };
    for more in ["", ", place: (0, 1, 0)"] {
        let drawn = bones(&scene(&repository("scenes"), "figure.glb", more).unwrap());
        // A bone is drawn to each of the 18 joints above and below the hips.
        assert_eq!(drawn.len(), 18, "{more}");
        let longest = drawn.iter().map(|bone| (bone.to - bone.from).length()).fold(0.0, f64::max);
        assert!(longest < 0.45, "a thigh or a shin: {longest}");
    }
    for (more, expected) in [("", 1), (", place: (0, 1, 0)", 1)] {
        let bones_of =
            "(name: \"a\", place: (1, 0, 0)), (name: \"b\", parent: \"a\", place: (1, 0, 0))";
        let text = format!("(base: (gravity: (0, 0, 0), rig: (bones: [{bones_of}]{more})))");
        assert_eq!(bones(&crate::scene_of(&text)).len(), expected, "{more}");
    }
}

/// The file has one animation per bone. All are played, in the time of the file; the expected
/// vertex is from the table of known results.
#[test]
fn animations_one_a_bone_are_played_together_in_the_time_of_the_file() {
    let all = scene(&repository("tests/figures"), "RiggedSimple.gltf", "").unwrap();
    let rig = &all.panels[0].bodies[0].rig.as_ref().unwrap().rig;
    let posed = rig.at(1.041_666_984_558_105_5);
    let found = posed.skins[0].points[2];
    let expected = [0.095_474_305_540_911_74, 0.075_239_259_866_995_53, 0.457_813_273_386_545_5];
    for (found, expected) in found.to_array().into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-7, "{found} beside {expected}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("half.glb"), &figure()[..1000]).unwrap();
    fs::write(folder.path().join("text.gltf"), "walk").unwrap();
    for (file, words) in [
        ("none.glb", &["none.glb", "cannot be read", "relative to the scene"][..]),
        ("half.glb", &["half.glb: "]),
        ("text.gltf", &["text.gltf: "]),
    ] {
        let report = scene(folder.path(), file, "").unwrap_err();
        assert!(report.contains("base.rig.file"), "{report}");
        for word in words {
            assert!(report.contains(word), "{word}: {report}");
        }
    }
    let scenes = repository("scenes");
    let report = scene(&scenes, "figure.glb", ", layers: [(clip: \"Run\")]").unwrap_err();
    assert!(report.contains("there are \"Walk\", \"Wave\", \"Nod\""), "{report}");
    let planar = scene(&scenes, "figure.glb", ", place: (1, 0)").unwrap_err();
    assert!(planar.contains("2 components, but the scene is three-dimensional"), "{planar}");
}

/// Files in a render's manifest, with their hashes.
fn files(folder: &Path) -> String {
    catena()
        .current_dir(folder)
        .args(["render", "test.ron", "--frames", "2", "--size", "320x200", "-q"])
        .assert()
        .success();
    let text = fs::read_to_string(folder.join("out/test/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    manifest.pointer("/source/files").or_else(|| manifest.get("files")).unwrap().to_string()
}

#[test]
fn renders_depend_on_the_bytes_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene =
        "(base: (gravity: (0, 0, 0), rig: (file: \"figure.glb\", layers: [(clip: \"Walk\")])))";
    fs::write(folder.path().join("test.ron"), scene).unwrap();
    let mut bytes = figure();
    fs::write(folder.path().join("figure.glb"), &bytes).unwrap();
    let before = files(folder.path());
    assert!(before.contains("figure.glb"), "{before}");
    // The generator's name does not affect the picture.
    let at = bytes.windows(9).position(|bytes| bytes == b"figure.py").unwrap();
    bytes[at] = b'F';
    fs::write(folder.path().join("figure.glb"), &bytes).unwrap();
    assert_ne!(before, files(folder.path()));
}
