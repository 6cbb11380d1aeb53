//! `catena render`: its files, their folder, and its messages.

use crate::{
    catena,
    cli::{SMALL, folder, names},
};
use std::{fs, path::Path};

fn manifest(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn render_writes_frames_steady_and_manifest_into_out() {
    let folder = folder(SMALL);
    let run = catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--frames", "3"])
        .assert()
        .success();
    assert!(run.get_output().stdout.is_empty(), "nothing but results goes to standard output");
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("3 frames, steady.png and manifest.json in out/small"), "{stderr}");
    let out = folder.path().join("out/small");
    assert_eq!(
        names(&out),
        ["frame_00000.png", "frame_00001.png", "frame_00002.png", "manifest.json", "steady.png"]
    );
    assert_eq!(
        image::open(out.join("frame_00002.png")).unwrap().to_rgb8().dimensions(),
        (200, 150)
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let ordinary = fs::metadata(folder.path().join("small.ron")).unwrap().permissions().mode();
        let written = fs::metadata(out.join("frame_00000.png")).unwrap().permissions().mode();
        assert_eq!(written & 0o777, ordinary & 0o777, "pictures have ordinary permissions");
    }
}

#[test]
fn the_manifest_can_be_checked() {
    let folder = folder(SMALL);
    catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--frames", "2", "--set", "rope.nodes=5", "-q", "--out", "o"])
        .assert()
        .success()
        .stderr("");
    let out = folder.path().join("o");
    let manifest = manifest(&out);
    let source = &manifest["source"];
    assert_eq!(source["scene_text"], SMALL);
    assert_eq!(source["set"][0], "rope.nodes=5");
    assert_eq!(source["size"], serde_json::json!([200, 150]));
    assert_eq!(source["scene_sha256"], catena::output::hash::sha256(SMALL.as_bytes()));
    let frames = manifest["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 2);
    for entry in frames.iter().chain([&manifest["steady"]]) {
        let bytes = fs::read(out.join(entry["file"].as_str().unwrap())).unwrap();
        assert_eq!(entry["sha256"], catena::output::hash::sha256(&bytes));
    }
    assert_eq!(manifest["steady"]["bodies"][1]["segment_lengths"].as_array().unwrap().len(), 4);
    let text = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(!text.contains(folder.path().to_str().unwrap()), "no path reaches an output");
}

#[test]
fn a_frame_range_is_a_part_of_the_whole() {
    let folder = folder(SMALL);
    let render = |args: &[&str]| {
        catena()
            .current_dir(&folder)
            .args(["render", "small.ron", "-q"])
            .args(args)
            .assert()
            .success();
    };
    render(&["--frames", "6", "--out", "whole"]);
    render(&["--frame-range", "2-3", "--out", "parts"]);
    assert_eq!(names(&folder.path().join("parts"))[..2], ["frame_00002.png", "frame_00003.png"]);
    render(&["--frame-range", "0-1", "--out", "parts"]);
    render(&["--frame-range", "4-5", "--out", "parts"]);
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    assert_eq!(names(&whole), names(&parts));
    for name in names(&whole) {
        assert_eq!(
            fs::read(whole.join(&name)).unwrap(),
            fs::read(parts.join(&name)).unwrap(),
            "{name}"
        );
    }

    // An open range ends at the scene's last frame.
    let last = 599;
    render(&["--frame-range", &format!("{}-", last - 1), "--out", "open"]);
    let open = names(&folder.path().join("open"));
    assert_eq!(open[..2], [last - 1, last].map(|frame| format!("frame_{frame:05}.png")));
    assert!(!open[2].starts_with("frame_"), "{open:?}");
    let args = ["render", "small.ron", "-q", "--frame-range", "600-", "--out", "beyond"];
    catena().current_dir(&folder).args(args).assert().code(2);

    // Frames outside the range are not read, and a damaged frame inside it is drawn again.
    let damaged = parts.join("frame_00000.png");
    fs::write(&damaged, "not a picture").unwrap();
    fs::write(parts.join("notes.txt"), "mine").unwrap();
    render(&["--frame-range", "1", "--out", "parts"]);
    assert_eq!(fs::read(&damaged).unwrap(), b"not a picture");
    render(&["--frame-range", "0", "--out", "parts"]);
    assert_eq!(fs::read(&damaged).unwrap(), fs::read(whole.join("frame_00000.png")).unwrap());
    assert!(names(&parts).contains(&"frame_00005.png".into()));
    // Frames of another scene are removed; a stranger's files stay.
    render(&["--frame-range", "1-1", "--out", "parts", "--set", "drag=1"]);
    assert_eq!(names(&parts), ["frame_00001.png", "manifest.json", "notes.txt", "steady.png"]);
    render(&["--frames", "1", "--out", "whole"]);
    assert_eq!(names(&whole), ["frame_00000.png", "manifest.json", "steady.png"]);
}

#[test]
fn pictures_of_others_are_not_touched() {
    let folder = folder(SMALL);
    let mine = folder.path().join("mine");
    fs::create_dir(&mine).unwrap();
    fs::write(mine.join("frame_00007.png"), "mine").unwrap();
    let run = catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--out", "mine"])
        .assert()
        .code(5);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("frame_00007.png") && stderr.contains("--out"), "{stderr}");
    assert_eq!(names(&mine), ["frame_00007.png"]);
}

#[test]
fn the_steady_state_can_be_left_out() {
    let folder = folder(SMALL);
    catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--frames", "1", "--no-steady", "-q"])
        .assert()
        .success();
    assert_eq!(names(&folder.path().join("out/small")), ["frame_00000.png", "manifest.json"]);
}

#[test]
fn size_and_set_change_the_picture() {
    let folder = folder(SMALL);
    catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--frames", "1", "--size", "320x240", "--out", "o", "-q"])
        .args(["--set", "background=\"#102030\"", "--set", "decoration=Bare"])
        .assert()
        .success();
    let picture = image::open(folder.path().join("o/frame_00000.png")).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (320, 240));
    assert_eq!(picture.get_pixel(0, 0).0, [16, 32, 48]);
}

#[test]
fn progress_goes_to_standard_error_in_the_form_asked_for() {
    let run = |args: &[&str]| {
        let folder = folder(SMALL);
        let run = catena()
            .current_dir(&folder)
            .args(["render", "small.ron", "--frames", "2"])
            .args(args)
            .assert()
            .success();
        assert!(run.get_output().stdout.is_empty());
        String::from_utf8(run.get_output().stderr.clone()).unwrap()
    };
    assert_eq!(run(&["--quiet"]), "");
    let json = run(&["--progress", "json"]);
    let events: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(events.iter().any(|event| event["event"] == "frames" && event["done"] == 2), "{json}");
    assert_eq!(events.last().unwrap()["event"], "done");
    assert!(run(&["--progress", "plain"]).contains("2 frames, steady.png"));
}

#[test]
fn steps_that_do_not_converge_and_timings_are_said() {
    let folder = folder("Scene(base: (integrator: Shake(iterations: 1, tolerance: 1e-16)))");
    let run = catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--frames", "3", "--no-steady", "--timings"])
        .args(["--size", "320x240"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(stderr.contains("steps did not converge"), "{stderr}");
    for stage in ["prepare", "simulate", "draw", "encode", "hash", "write", "elapsed"] {
        assert!(stderr.lines().any(|line| line.starts_with(stage)), "{stage}: {stderr}");
    }
}

#[test]
fn timings_say_which_path_each_body_takes_and_why_not_a_faster_one() {
    let folder = folder(
        "Scene(base: (rope: (nodes: 8)), panels: [
            (label: \"kernel\"),
            (label: \"steps\", with: (integrator: Rk4)),
            (label: \"ground\", with: (
                integrator: Rk4,
                colliders: [Plane(point: (0, -9), normal: (0, 1))],
                forces: [PointForce(node: 3, force: (1, 0))],
            )),
        ])",
    );
    let run = catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--frames", "3", "--no-steady", "--timings"])
        .args(["--size", "320x240"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    for line in [
        "kernel: whole frames by a kernel",
        "steps: step by step: Rk4 has no kernel for this body and these forces",
        "ground: step by step: contacts, PointForce without vectors",
    ] {
        assert!(stderr.lines().any(|stderr| stderr == line), "{line}: {stderr}");
    }
}

#[test]
fn a_bad_folder_is_said_before_anything_is_simulated() {
    // This scene would take hours.
    let folder = folder("Scene(base: (substeps: 1000000, frames: 1000000))");
    fs::write(folder.path().join("file"), "").unwrap();
    let run = catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--out", "file/x", "--unlimited"])
        .timeout(std::time::Duration::from_secs(60))
        .assert()
        .code(5);
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("file/x"));
}

#[test]
fn a_picture_too_small_for_its_panels_is_refused() {
    let panels = "(),".repeat(200);
    let folder = folder(&format!("Scene(base: (size: (200, 150)), panels: [{panels}])"));
    let run = catena().current_dir(&folder).args(["render", "small.ron"]).assert().code(3);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("too small for 200 panels") && stderr.contains("--size"), "{stderr}");
}

#[test]
fn a_late_divergence_counts_under_strict_only_if_it_is_rendered() {
    let folder = folder("Scene(base: (size: (200, 150), substeps: 10, rest: (limit: 5)))");
    let render = |range: &str| {
        let args = ["render", "small.ron", "--strict", "-q", "--frame-range", range];
        catena().current_dir(&folder).args(args).assert()
    };
    render("0-1").success();
    render("1100-1100").code(4);
}

/// Each font is used for characters that the previous fonts lack. Hack has no characters here that
/// Ubuntu lacks.
#[test]
fn several_fonts_complete_each_other() {
    let scene = format!("Scene(title: \"rope Ɓ 漢\", {}", SMALL.trim_start_matches("Scene("));
    let folder = folder(&scene);
    let fonts = [
        ("ubuntu.ttf", epaint_default_fonts::UBUNTU_LIGHT),
        ("hack.ttf", epaint_default_fonts::HACK_REGULAR),
    ];
    for (name, bytes) in fonts {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let drawn = |fonts: &[&str]| {
        let options = fonts.iter().flat_map(|font| ["--font", font]);
        let run = catena()
            .current_dir(&folder)
            .args(["render", "small.ron", "--frames", "1", "--no-steady", "--out", "out"])
            .args(options)
            .assert()
            .success();
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let message = stderr.lines().find_map(|line| line.split_once("contains the character"));
        let missing: Vec<char> = message.map_or_else(Vec::new, |(_, rest)| {
            "Ɓ漢".chars().filter(|c| rest.contains(*c)).collect()
        });
        (missing, fs::read(folder.path().join("out/frame_00000.png")).unwrap())
    };
    let (missing, boxes) = drawn(&[]);
    assert_eq!(missing, ['Ɓ', '漢']);
    assert_eq!(drawn(&["hack.ttf"]), (missing, boxes.clone()));
    let (missing, letter) = drawn(&["ubuntu.ttf"]);
    assert_eq!(missing, ['漢']);
    assert_ne!(letter, boxes);
    // The second font is used for characters that the first one lacks.
    for fonts in [["ubuntu.ttf", "hack.ttf"], ["hack.ttf", "ubuntu.ttf"]] {
        assert_eq!(drawn(&fonts), (vec!['漢'], letter.clone()), "{fonts:?}");
    }
}
