//! Exports that are too large, or not representable in a format: refused before anything is
//! written.

use super::written;
use crate::rendered::Bench;
use crate::{catena, scene_of};
use catena::export::{Contents, ExportFormat, RopeForm, WriteOptions, weigh};
use std::fs;

/// A cloth of many springs.
const LARGE: &str = "Scene(base: (frames: 100000, substeps: 1, cloth: (corner: (0, 0, 0), across: (9, 0, 0), down: (0, 0, 9),
    rows: 300, columns: 300)))";

#[test]
fn a_large_export_is_refused_before_anything_is_made() {
    let bench = Bench::new(LARGE);
    for (format, bytes) in [("glb", "201"), ("usda", "637"), ("vtp", "2.2 TiB"), ("obj", "1.4 TiB")]
    {
        let run = bench.run(["export", "scene.ron", "--format", format, "--minutes", "1e6"]);
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(3), "{format}: {stderr}");
        assert!(
            stderr.contains("100000 frames would take about")
                && stderr.contains("more than the limit of 32.0 GiB"),
            "{stderr}"
        );
        assert!(stderr.contains(bytes), "{format}: {stderr}");
        for part in ["lower `frames`", "number of nodes", "--panel", "--unlimited"] {
            assert!(stderr.contains(part), "{stderr}");
        }
        assert_eq!(fs::read_dir(bench.path("")).unwrap().count(), 1);
    }
    // An export within the limits may still exceed the capacity of its format.
    let run = bench.run(["export", "scene.ron", "--minutes", "1e6", "--frames", "3000"]);
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(3), "{stderr}");
    for part in ["a GLB file holds at most 4 GiB", "6.0 GiB", "--frame-range", "--format usda"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert_eq!(fs::read_dir(bench.path("")).unwrap().count(), 1);
    let run = bench.run(["export", "scene.ron", "--minutes", "0.00001", "--frames", "30"]);
    assert_eq!(run.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&run.stderr).contains("of one core"));
}

#[test]
fn the_weight_is_about_that_of_the_files() {
    let scene = scene_of(super::BOTH);
    for format in [ExportFormat::Glb, ExportFormat::Usda, ExportFormat::Vtp, ExportFormat::Obj] {
        let contents = Contents::of_scene(&scene, None, 0..200);
        let options = WriteOptions::default();
        let files = written(&scene, &contents, format, options).unwrap();
        let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
        let weight = weigh(&contents, format, RopeForm::Tube).frame_bytes * 200;
        let ratio = weight as f64 / bytes as f64;
        assert!((0.7..1.5).contains(&ratio), "{format:?}: {weight} beside {bytes}");
    }
}

#[test]
fn numbers_beyond_32_bits_are_refused_where_they_do_not_fit() {
    let scene =
        scene_of("Scene(base: (gravity: (0, 0), rope: (start: (0, 0), end: (1e39, 0), nodes: 3)))");
    let contents = Contents::of_scene(&scene, None, 0..2);
    for format in [ExportFormat::Glb, ExportFormat::Usda] {
        let message =
            written(&scene, &contents, format, WriteOptions::default()).unwrap_err().to_string();
        assert!(
            message.contains("32 bits") && message.contains("--format vtp or obj"),
            "{message}"
        );
    }
    assert!(written(&scene, &contents, ExportFormat::Obj, WriteOptions::default()).is_ok());
}

#[test]
fn times_that_32_bits_cannot_tell_apart_are_refused() {
    let scene = scene_of("Scene(base: (frame_time: 1e-5, rope: (nodes: 2)))");
    let contents = Contents::of_scene(&scene, None, 0..4);
    let mut late = contents.clone();
    late.frames = 4_000_000_000..4_000_000_003;
    let mut recording = super::recorded(&scene, &contents, false);
    let mut memory = super::Memory::default();
    let options = WriteOptions::default();
    let glb = ExportFormat::Glb;
    let wrong = catena::export::write(glb, &late, &mut recording, options, &mut memory, &|| false);
    assert!(wrong.unwrap_err().to_string().contains("--fps"));
}

#[test]
fn many_frames_of_gltf_come_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let run = |frames: &str| {
        let mut command = catena();
        command.current_dir(&folder).args(["export", "-", "--frames", frames, "-o", "a.glb"]);
        let run =
            command.write_stdin("Scene(base: (rope: (nodes: 2), substeps: 1))").output().unwrap();
        String::from_utf8(run.stderr).unwrap()
    };
    assert!(run("1001").contains("note: 1001 frames become 1001 morph targets"));
    assert!(!run("1000").contains("morph targets"));
}
