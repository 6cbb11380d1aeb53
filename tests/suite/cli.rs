//! The command line as a user types it: options, exit codes, and what goes to which stream.

use crate::{catena, repository};
use std::{fs, path::Path};
use tempfile::TempDir;

const SMALL: &str =
    "Scene(base: (size: (200, 150), substeps: 8, rest: (limit: 50), rope: (nodes: 4)),
    panels: [(with: (integrator: SemiImplicitEuler)), (with: (integrator: ConstraintVerlet))])";

const EXPLODING: &str = "Scene(base: (size: (200, 150), frames: 20, integrator: ExplicitEuler))";

/// A folder with a scene in it.
fn folder(scene: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.ron"), scene).unwrap();
    folder
}

/// What lies in a folder, but for what only catena needs.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != ".catena").collect();
    names.sort();
    names
}

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
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(told.contains("3 frames, steady.png and manifest.json in out/small"), "{told}");
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

    // Frames of another scene, and damaged ones, do not stay; a stranger's files do.
    fs::write(parts.join("frame_00000.png"), "not a picture").unwrap();
    fs::write(parts.join("notes.txt"), "mine").unwrap();
    render(&["--frame-range", "1-1", "--out", "parts"]);
    assert!(!names(&parts).contains(&"frame_00000.png".into()));
    assert!(names(&parts).contains(&"frame_00005.png".into()));
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
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(told.contains("frame_00007.png") && told.contains("--out"), "{told}");
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
    let folder = folder("Scene(base: (integrator: Shake(iterations: 1)))");
    let run = catena()
        .current_dir(&folder)
        .args(["render", "small.ron", "--frames", "3", "--no-steady", "--timings"])
        .args(["--size", "320x240"])
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.contains("steps did not converge"), "{said}");
    for stage in ["prepare", "simulate", "draw", "encode", "hash", "write", "on the clock"] {
        assert!(said.lines().any(|line| line.starts_with(stage)), "{stage}: {said}");
    }
}

#[test]
fn exit_codes_say_what_went_wrong() {
    let folder = folder(EXPLODING);
    fs::write(folder.path().join("file"), "").unwrap();
    let cases: &[(&[&str], i32)] = &[
        (&["render", "small.ron", "-q"], 0),
        (&["render", "small.ron", "-q", "--strict"], 4),
        (&["render", "small.ron", "-q", "--strict", "--no-steady"], 4),
        (&["trace", "small.ron", "-o", "t.csv", "--strict"], 4),
        (&["trace", "small.ron", "-o", "t.csv"], 0),
        (&["render"], 2),
        (&["render", "small.ron", "--frames", "0"], 2),
        (&["render", "small.ron", "--frames", "2", "--frame-range", "0-1"], 2),
        (&["render", "small.ron", "--frame-range", "5-2"], 2),
        (&["render", "small.ron", "--size", "10x10"], 2),
        (&["render", "small.ron", "--set", "rope"], 2),
        (&["render", "small.ron", "--set", "rope.nodes=4))"], 2),
        (&["render", "small.ron", "--set", "drag=1, frames: 3"], 2),
        (&["render", "small.ron", "--threads", "0"], 2),
        (&["paint", "small.ron"], 2),
        (&["render", "missing.ron"], 3),
        (&["render", "small.ron", "--set", "rope.nodes=1"], 3),
        (&["render", "small.ron", "--out", "file"], 5),
        (&["render", "small.ron", "--out", "file/deep"], 5),
        (&["trace", "small.ron", "-o", "nowhere/t.csv"], 5),
        (&["--help"], 0),
        (&["--version"], 0),
        (&["methods"], 0),
    ];
    for (args, code) in cases {
        let output = catena().current_dir(&folder).args(*args).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {told}");
        assert_eq!(*code == 0, told.is_empty(), "{args:?} said: {told}");
    }
}

#[test]
fn unknown_instructions_are_refused() {
    for (value, code) in [("avx2", 0), ("baseline", 0), ("", 0), ("AVX2", 2), ("sse", 2)] {
        let output = catena().env("CATENA_INSTRUCTIONS", value).arg("methods").output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{value}: {told}");
        let is_helpful = [value, "CATENA_INSTRUCTIONS", "baseline, avx2 or avx512"];
        assert_eq!(is_helpful.iter().all(|part| told.contains(part)), code == 2, "{told}");
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
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(told.contains("too small for 200 panels") && told.contains("--size"), "{told}");
}

#[test]
fn trace_writes_rows_that_read_back_to_the_same_bits() {
    let run = catena()
        .args(["trace", "-", "--frames", "3"])
        .write_stdin(SMALL)
        .assert()
        .success()
        .stderr("");
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("frame,time,panel,body,node,x,y,vx,vy,dt"));
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|cell| cell.parse::<f64>().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 3 * 2 * 4);

    let scene = crate::scene_of(SMALL);
    for (panel, bodies) in scene.panels.iter().map(|panel| &panel.bodies).enumerate() {
        let setup = &bodies[0].setup;
        let mut simulation = catena::sim::Simulation::new(std::sync::Arc::clone(setup));
        for frame in 0..3 {
            for node in 0..4 {
                let state = simulation.state();
                let row = &rows[frame * 8 + panel * 4 + node];
                let expected = [
                    frame as f64,
                    state.t,
                    panel as f64,
                    0.0,
                    node as f64,
                    state.x[node],
                    state.x[4 + node],
                    state.v[node],
                    state.v[4 + node],
                    setup.dt(),
                ];
                assert_eq!(row[..], expected);
            }
            simulation.advance_frame();
        }
    }
}

#[test]
fn npy_holds_the_same_rows_as_csv() {
    const WHOLE: [&str; 4] = ["frame", "panel", "body", "node"];
    let folder = folder(SMALL);
    for table in [&[][..], &["--energy"]] {
        let trace = |args: &[&str]| {
            catena()
                .current_dir(&folder)
                .args(["trace", "small.ron", "--frames", "4"])
                .args(table)
                .args(args)
                .assert()
                .success();
        };
        trace(&["-o", "t.csv"]);
        trace(&["--format", "npy", "-o", "t.npy"]);
        let bytes = fs::read(folder.path().join("t.npy")).unwrap();
        let csv = fs::read_to_string(folder.path().join("t.csv")).unwrap();
        let (rows, columns) = (csv.lines().count() - 1, csv.lines().next().unwrap());
        assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!(start % 64, 0);
        let header = std::str::from_utf8(&bytes[10..start]).unwrap();
        let columns: Vec<&str> = columns.split(',').collect();
        let kind = |name| if WHOLE.contains(name) { "<u8" } else { "<f8" };
        let descr: Vec<_> = columns.iter().map(|c| format!("('{c}', '{}'),", kind(c))).collect();
        let descr = format!("[{}]", descr.join(" "));
        let expected =
            format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({rows},), }}");
        assert_eq!(header.trim_end(), expected);
        assert!(header.ends_with('\n'));
        let width = 8 * columns.len();
        assert_eq!(bytes.len() - start, width * rows);
        for (row, line) in bytes[start..].chunks(width).zip(csv.lines().skip(1)) {
            let cell = |(name, field): (&&str, &[u8])| {
                let field = <[u8; 8]>::try_from(field).unwrap();
                if WHOLE.contains(name) {
                    u64::from_le_bytes(field).to_string()
                } else {
                    format!("{:?}", f64::from_le_bytes(field))
                }
            };
            let fields: Vec<String> = columns.iter().zip(row.chunks(8)).map(cell).collect();
            assert_eq!(fields.join(","), line);
        }
    }
}

#[test]
fn trace_writes_the_energy_ledger() {
    let run = catena()
        .args(["trace", "-", "--frames", "5", "--energy"])
        .write_stdin(SMALL)
        .assert()
        .success()
        .stderr("");
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let header = "frame,time,panel,body,kinetic,gravitational,elastic,anchors,damping,contact,external,yielding,method,\
        residual,turned_over";
    assert_eq!(text.lines().next(), Some(header));
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    let rows: Vec<Vec<f64>> = text.lines().skip(1).map(cells).collect();
    assert_eq!(rows.len(), 5 * 2);
    for (index, row) in rows.iter().enumerate() {
        let (frame, panel) = (index / 2, index % 2);
        assert_eq!((row[0], row[2], row[3]), (frame as f64, panel as f64, 0.0));
        if frame == 0 {
            assert_eq!(row[7..], [0.0; 8]);
            continue;
        }
        let total = |row: &[f64]| row[4] + row[5] + row[6];
        let gained: f64 = row[7..14].iter().sum();
        let change = total(row) - total(&rows[index - 2]);
        assert!((change - gained).abs() <= 1e-9 * row[14] && row[14] > 0.0, "{row:?}");
    }
    // Numbers that run away are written as they are.
    let run = catena()
        .args(["trace", "-", "--frames", "200", "--energy"])
        .write_stdin("Scene(base: (integrator: ExplicitEuler, substeps: 16))")
        .assert()
        .success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 201);
    assert!(text.contains("NaN") && !text.contains("-NaN"), "{}", text.lines().last().unwrap());
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    for (args, file) in [
        (&["trace", "-"][..], "standard output"),
        (&["trace", "-", "-o", "/dev/full"], "/dev/full"),
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_catena"));
        let scene = fs::File::open(repository("scenes/compare.ron")).unwrap();
        let output = command.args(args).stdin(scene).stdout(full).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{args:?}: {told}");
        assert!(told.contains(file) && told.contains("No space left"), "{told}");
    }
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

#[test]
fn a_reader_that_leaves_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_catena"))
        .arg("trace")
        .arg(repository("scenes/compare.ron"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn check_says_what_a_scene_would_make_and_writes_nothing() {
    let folder = folder(SMALL);
    fs::write(folder.path().join("bad.ron"), "Scene(base: (substeps: 0))").unwrap();
    let run =
        catena().current_dir(&folder).args(["check", "bad.ron", "small.ron"]).assert().code(3);
    let (out, err) = (&run.get_output().stdout, &run.get_output().stderr);
    let (out, err) = (String::from_utf8_lossy(out), String::from_utf8_lossy(err));
    assert!(err.contains("bad.ron:1:24"), "{err}");
    assert!(out.contains("small.ron: fine") && out.contains("panel 1: Constraint Verlet"), "{out}");
    assert!(out.contains("4 nodes, 3 springs, dt = 0.125"), "{out}");
    assert_eq!(names(folder.path()), ["bad.ron", "small.ron"]);
}

#[test]
fn methods_lists_the_whole_table() {
    let run = catena().arg("methods").assert().success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    for method in catena::sim::method::METHODS {
        let line = text.lines().find(|line| line.trim_start().starts_with(method.name));
        assert!(line.is_some_and(|line| line.contains(method.summary)), "{}: {text}", method.name);
    }
}
