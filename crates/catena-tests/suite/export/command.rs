//! `catena export`: paths, formats, panels, ranges, and equal bytes each time.

use super::BOTH;
use super::gltf::Glb;
use crate::rendered::Bench;
use std::fs;

/// Runs `catena export scene.ron …`, checks its exit code, and returns its message.
fn export(bench: &Bench, args: &[&str], code: i32) -> String {
    let run = bench.run([&["export", "scene.ron"], args].concat());
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(code), "{args:?}: {stderr}");
    assert!(run.stdout.is_empty(), "{args:?}");
    stderr
}

#[test]
fn a_format_has_its_place_below_out() {
    let bench = Bench::new(BOTH);
    for (format, place) in [
        ("glb", "out/scene/scene.glb"),
        ("usda", "out/scene/scene.usda"),
        ("vtp", "out/scene/vtp"),
        ("obj", "out/scene/obj"),
    ] {
        let message = export(&bench, &["--format", format], 0);
        assert!(message.contains(&format!("6 frames of 2 items in {place} (")), "{message}");
        assert!(
            message.contains("note: the 2 panels keep their positions in the scene"),
            "{message}"
        );
        assert!(bench.path(place).exists());
    }
    assert!(bench.path("out/scene/vtp/scene.pvd").is_file());
    assert!(bench.path("out/scene/obj/frame_00005.obj").is_file());
    export(&bench, &["-q"], 0);
    // The file extension determines the format, in upper or lower case.
    for (path, start) in [("a.usda", &b"#usda"[..]), ("b.GLB", b"glTF")] {
        assert_eq!(export(&bench, &["-q", "-o", path], 0), "");
        assert!(fs::read(bench.path(path)).unwrap().starts_with(start));
    }
    assert_eq!(export(&bench, &["-q", "-o", "folder", "--format", "obj"], 0), "");
    assert_eq!(crate::rendered::unfinished(&bench.path("")).len(), 0);
}

#[test]
fn the_same_scene_gives_the_same_bytes_with_any_number_of_threads() {
    let bench = Bench::new(BOTH);
    for (format, count) in [("glb", 1), ("usda", 1), ("vtp", 7), ("obj", 6)] {
        let trees: Vec<_> = ["1", "2", "5"]
            .iter()
            .map(|threads| {
                // The folder of a format, or the parent folder of a file.
                let folder = format!("{format}-{threads}");
                let is_folder = ["vtp", "obj"].contains(&format);
                let out =
                    if is_folder { folder.clone() } else { format!("{folder}/scene.{format}") };
                export(&bench, &["-q", "--format", format, "-o", &out, "--threads", threads], 0);
                bench.tree(folder)
            })
            .collect();
        assert_eq!((trees[0].len(), &trees[0]), (count, &trees[1]), "{format}");
        assert_eq!(trees[0], trees[2], "{format}");
    }
}

#[test]
fn a_panel_is_chosen_by_its_label_or_number() {
    let bench = Bench::new(BOTH);
    let read = |panel: &str| {
        let message = export(&bench, &["--panel", panel, "-o", "a.glb"], 0);
        assert!(message.contains("of 1 item in a.glb") && !message.contains("note"), "{message}");
        fs::read(bench.path("a.glb")).unwrap()
    };
    let [label, number] = ["Whip", "2"].map(read);
    assert_eq!(label, number);
    let glb = Glb::read(&label);
    assert_eq!(glb.children(glb.node("Whip")), ["rope"]);
    assert!(Glb::read(&read("Cape")).primitive("cloth").is_object());
    for wrong in ["Rope", "0", "3"] {
        let message = export(&bench, &["--panel", wrong], 2);
        assert!(
            message.contains(&format!(
                "there is no panel “{wrong}”; the panels are 1 “Cape”, 2 “Whip”"
            )),
            "{message}"
        );
    }
    let bench = Bench::new(
        "Scene(base: (frames: 1), panels: [(label: \"A\"), (label: \"2\"), (label: \"A\")])",
    );
    let message = export(&bench, &["--panel", "A"], 2);
    assert!(
        message.contains("several panels are called “A”") && message.contains("1 “A”, 3 “A”"),
        "{message}"
    );
    // A label takes precedence over a number.
    export(&bench, &["--panel", "2", "-o", "a.glb", "-q"], 0);
    let glb = Glb::read(&fs::read(bench.path("a.glb")).unwrap());
    assert_eq!(glb.children(glb.node("2")).len(), 1);
}

#[test]
fn wrong_options_are_refused_in_words() {
    let bench = Bench::new(BOTH);
    fs::create_dir(bench.path("folder")).unwrap();
    fs::create_dir(bench.path("b.glb")).unwrap();
    fs::write(bench.path("file"), "mine").unwrap();
    let cases: [(&[&str], i32, &str); 14] = [
        (&["--format", "fbx"], 2, "possible values: glb, usda, vtp, obj"),
        (
            &["-o", "a.fbx"],
            2,
            "unknown export format of a.fbx; choose one with --format: glb, usda, vtp, obj",
        ),
        (&["-o", "a.obj"], 2, "obj needs a folder with one file per frame"),
        (
            &["-o", "-", "--format", "vtp"],
            2,
            "consists of several files, which cannot be written to standard output",
        ),
        (&["--frames", "2", "--frame-range", "0-1"], 2, "cannot be used with"),
        (&["--frame-range", "5-2"], 2, "expected one frame such as 7"),
        (&["--fps", "0"], 2, "such as 30, 29.97"),
        (&["--ropes", "string"], 2, "tube, line"),
        (&["--threads", "0"], 2, "from 1 to 1024"),
        (&["-o", "b.glb"], 5, "b.glb"),
        (&["-o", "file/a.glb"], 5, "file"),
        (&["--format", "obj", "-o", "file"], 5, "it is not a folder"),
        (&["--frame-range", "999999998-999999999"], 3, "the limit of 1000000"),
        (&["--set", "rope.nodes=1"], 3, "rope.nodes"),
    ];
    for (args, code, part) in cases {
        let message = export(&bench, args, code);
        assert!(message.contains(part), "{args:?}: {message}");
    }
    assert_eq!(fs::read(bench.path("file")).unwrap(), b"mine");
    assert!(!bench.path("out").exists(), "folders that were made for nothing go again");
    assert_eq!(crate::rendered::unfinished(&bench.path("")).len(), 0);
    // A range may extend beyond the scene, as for a render.
    export(&bench, &["--frame-range", "6-7", "-o", "late.glb", "-q"], 0);
}

#[test]
fn standard_output_gets_one_file() {
    let bench = Bench::new(BOTH);
    for (format, start) in [("glb", &b"glTF"[..]), ("usda", b"#usda 1.0\n")] {
        let run = bench.run(["export", "scene.ron", "--format", format, "-o", "-", "-q"]);
        assert!(run.status.success() && run.stdout.starts_with(start));
        export(&bench, &["--format", format, "-o", "file", "-q"], 0);
        assert_eq!(run.stdout, fs::read(bench.path("file")).unwrap());
    }
}

#[test]
fn divergence_is_said_and_counts_under_strict() {
    let wild =
        "Scene(base: (frames: 60, substeps: 1, integrator: ExplicitEuler, rope: (nodes: 40)))";
    let bench = Bench::new(wild);
    let message = export(&bench, &["--strict", "-o", "a.glb"], 4);
    assert!(message.contains("note: \"Explicit Euler\" diverged at frame"), "{message}");
    assert!(
        message.contains("later frames repeat the last frame before it")
            && message.contains("(--strict)"),
        "{message}"
    );
    assert!(bench.path("a.glb").is_file());
    export(&bench, &["-o", "a.glb"], 0);
}

#[test]
fn help_says_what_a_user_asks() {
    let help = crate::catena().args(["export", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Blender and Houdini read glb and usda, three.js glb, ParaView the .pvd of vtp",
        "--panel exports only one",
        "y points upwards, lengths are metres",
        "[default: out/<scene name>/<scene name>.glb or .usda, out/<scene name>/vtp or obj]",
        "with frame_time seconds per frame",
        "Exit codes: 0 success",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
}
